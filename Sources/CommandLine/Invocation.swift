/// A command line that was understood.
///
/// Asking for an option or an argument that the table does not have is a fault of the program.
package struct Invocation: Sendable {
  /// The verb's own table, or the program's where it has no verbs.
  package let command: Command
  /// The verbs, outermost first; empty for a program without.
  package let verbs: [String]
  /// The words behind `--`, if the table allows a command there; nil without `--`.
  package let trailing: [String]?

  /// The verb's table and those above it, outermost first.
  let chain: [Command]
  let given: [(name: String, value: String)]
  let positionals: [(placeholder: String, value: String)]
}

extension Invocation {
  /// The verbs with a space between, such as "journal verify".
  package var verb: String { verbs.joined(separator: " ") }

  /// The program and its verbs, as usage errors name it.
  package var name: String { chain.map { $0.name }.joined(separator: " ") }

  /// Whether its table has such an option.
  package func knows(_ option: String) -> Bool {
    chain.contains { $0.options.contains { $0.name == option } }
  }

  /// Whether the flag, or the option, was given.
  package func has(_ option: String) -> Bool {
    _ = declared(option)
    return given.contains { $0.name == option }
  }

  /// The option's last value, or its default.
  package func value(_ option: String) -> String? {
    let declaration = declared(option)
    return given.last { $0.name == option }?.value ?? declaration.defaultValue
  }

  /// All values of a repeated option, as they came.
  package func values(_ option: String) -> [String] {
    _ = declared(option)
    return given.filter { $0.name == option }.map { $0.value }
  }

  /// The number given for an option declared `.integer`.
  package func integer(_ option: String) -> Int? {
    value(option).flatMap { Int($0) }
  }

  /// The time given for an option declared `.duration`.
  package func nanoseconds(_ option: String) -> Int64? {
    value(option).flatMap { TimeSpan.nanoseconds($0) }
  }

  /// The word that stands for this argument; nil if it was optional and left out.
  package func argument(_ placeholder: String) -> String? {
    checkArgument(placeholder)
    return positionals.first { $0.placeholder == placeholder }?.value
  }

  /// The time that stands for this argument.
  package func argumentNanoseconds(_ placeholder: String) -> Int64? {
    argument(placeholder).flatMap { TimeSpan.nanoseconds($0) }
  }

  /// All the words that stand for this argument.
  package func arguments(_ placeholder: String) -> [String] {
    checkArgument(placeholder)
    return positionals.filter { $0.placeholder == placeholder }.map { $0.value }
  }

  /// A usage error about this command line, for what the table cannot say.
  package func usageError(_ message: String) -> UsageError {
    UsageError(command: name, reason: .other(message))
  }

  private func declared(_ name: String) -> Option {
    for command in chain.reversed() {
      if let option = command.options.first(where: { $0.name == name }) { return option }
    }
    preconditionFailure("\(self.name) has no option --\(name)")
  }

  private func checkArgument(_ placeholder: String) {
    precondition(
      command.arguments.contains { $0.placeholder == placeholder },
      "\(name) has no argument \(placeholder)")
  }
}
