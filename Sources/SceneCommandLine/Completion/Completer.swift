internal import ScenePlatform

/// Finds the candidates for the last word of a command line.
struct Completer {
  /// The declarations of the program and of the verbs so far.
  private var chain: [Command]
  /// The number of arguments before the last word.
  private var place = 0
  private var given: [(name: String, value: String)] = []
  /// The option whose value is the next word.
  private var pending: Option?
  /// Whether `--` ended the options.
  private var isEnded = false

  init(_ program: Command) { chain = [program] }

  private var command: Command { chain[chain.count - 1] }

  /// A line for each candidate: the candidate, and its description after a tab.
  ///
  /// A line that begins with a tab names what the shell completes itself: `file`, `directory`, or
  /// `command` with the number of words before the command, the program's name included.
  mutating func lines(for words: [String]) -> [String] {
    for (index, word) in words.dropLast().enumerated() {
      if word == "--", pending == nil, !isEnded, command.trailing != nil {
        return ["\tcommand \(index + 2)"]
      }
      take(word)
    }
    let current = words.last ?? ""
    if let pending { return candidates(pending.kind) }
    if !isEnded, current.hasPrefix("-") {
      guard let sign = current.firstIndex(of: "=") else { return options }
      takeOption(String(current[..<sign]))
      return pending.map { candidates($0.kind) } ?? []
    }
    if !command.groups.isEmpty {
      return isEnded ? [] : command.verbs.map { "\($0.name)\t\($0.summary)" }
    }
    let arguments = command.arguments
    let argument = place < arguments.count ? arguments[place] : arguments.last
    guard let argument, place < arguments.count || argument.takesSeveral else { return [] }
    return candidates(argument.kind)
  }

  private mutating func take(_ word: String) {
    if isEnded {
      place += 1
    } else if let option = pending {
      // bash splits a word at "=".
      if word == "=" { return }
      given.append((option.name, word))
      pending = nil
    } else if word == "--" {
      isEnded = true
    } else if word.hasPrefix("-"), word.count > 1 {
      takeOption(word)
    } else if let verb = command.verb(word) {
      chain.append(verb)
    } else {
      place += 1
    }
  }

  /// Takes an option that is about to get its value, or has it.
  private mutating func takeOption(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var option: Option?
    var value: Substring?
    if word.hasPrefix("--") {
      option = find { "--" + $0.name == parts[0] }
      value = parts.dropFirst().first
    } else {
      var letters = word.dropFirst()
      while option == nil, let letter = letters.popFirst() {
        option = find { $0.short == letter && $0.takesValue }
      }
      value = letters.isEmpty ? nil : letters
    }
    guard let option, option.takesValue else { return }
    if let value { given.append((option.name, String(value))) } else { pending = option }
  }

  private func find(_ matches: (Option) -> Bool) -> Option? {
    (chain.reversed().flatMap(\.options) + optionsOfVerbs).first(where: matches)
  }

  /// The options of verbs that may be given before the verb.
  private var optionsOfVerbs: [Option] {
    command.optionsBeforeVerb + (command.defaultVerb.flatMap(command.verb)?.options ?? [])
  }

  private var options: [String] {
    var options: [Option] = []
    for command in chain { options = command.options + (command.inheritsOptions ? options : []) }
    options += chain[0].standardOptions.prefix(chain.count == 1 ? .max : 1) + optionsOfVerbs
    var names: Set<String> = []
    return options.filter { names.insert($0.name).inserted }
      .flatMap { option in option.spellings.map { "\($0)\t\(option.help)" } }
  }

  private func candidates(_ kind: ValueKind) -> [String] {
    switch kind {
    case .text, .name, .integer, .duration: []
    case .choice(let choices), .suggested(let choices): choices
    case .file: ["\tfile"]
    case .directory: ["\tdirectory"]
    case .listed(let command, let options, let words): list(command, options) + words
    }
  }

  private static let listTimeout: Int64 = 2_000_000_000

  private func list(_ command: String, _ options: [String]) -> [String] {
    let handedOn = given.filter { options.contains($0.name) }.map { "--\($0.name)=\($0.value)" }
    let words = (try? ShellWords.split(command)) ?? []
    let output = ChildProcess.output(of: words + handedOn, within: Self.listTimeout) ?? ""
    return output.split(separator: "\n").map(String.init)
  }
}

extension Option {
  /// The words that select the option.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + ["--" + name]
  }
}
