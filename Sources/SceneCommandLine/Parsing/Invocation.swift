/// A parsed command line.
///
/// The accessors trap for an option or an argument that is not declared.
package struct Invocation: Sendable {
  /// The declaration of the verb, or of a program without verbs.
  package let command: Command
  /// The verbs, outermost first; empty for a program without verbs.
  package let verbs: [String]
  /// The words after `--`, if the declaration allows a command there; nil without `--`.
  package let trailing: [String]?

  /// The declarations of the program and the verbs, outermost first.
  let chain: [Command]
  let given: [(name: String, value: String)]
  let positionals: [(placeholder: String, value: String)]
}

extension Invocation {
  /// The verbs, separated by spaces, such as "journal verify".
  package var verb: String { verbs.joined(separator: " ") }

  /// The program and its verbs, for usage errors.
  package var name: String { chain.map { $0.name }.joined(separator: " ") }

  /// Whether the option is declared.
  package func knows(_ option: String) -> Bool {
    chain.contains { $0.options.contains { $0.name == option } }
  }

  /// Whether the flag or option was given.
  package func has(_ option: String) -> Bool {
    _ = declared(option)
    return given.contains { $0.name == option }
  }

  /// The option's last value, or its default.
  package func value(_ option: String) -> String? {
    let declaration = declared(option)
    return given.last { $0.name == option }?.value ?? declaration.defaultValue
  }

  /// All values of a repeated option, in order.
  package func values(_ option: String) -> [String] {
    _ = declared(option)
    return given.filter { $0.name == option }.map { $0.value }
  }

  /// The value of an option of the kind `.integer`.
  package func integer(_ option: String) -> Int? {
    value(option).flatMap { Int($0) }
  }

  /// The value of an option of the kind `.duration`, in nanoseconds.
  package func nanoseconds(_ option: String) -> Int64? {
    value(option).flatMap { TimeSpan.nanoseconds($0) }
  }

  /// The word of this argument; nil for a missing optional argument.
  package func argument(_ placeholder: String) -> String? {
    checkArgument(placeholder)
    return positionals.first { $0.placeholder == placeholder }?.value
  }

  /// The value of an argument of the kind `.duration`, in nanoseconds.
  package func argumentNanoseconds(_ placeholder: String) -> Int64? {
    argument(placeholder).flatMap { TimeSpan.nanoseconds($0) }
  }

  /// All words of this argument.
  package func arguments(_ placeholder: String) -> [String] {
    checkArgument(placeholder)
    return positionals.filter { $0.placeholder == placeholder }.map { $0.value }
  }

  /// A usage error for a rule that the declaration cannot express.
  package func usageError(_ message: String) -> UsageError {
    UsageError(command: name, message: message)
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
