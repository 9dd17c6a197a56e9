internal import ScenePlatform

/// The request of a command line.
package enum CommandRequest: Sendable {
  case run(Invocation)
  /// `--help` or `--version`: print this text and exit with success.
  case print(String)
}

extension Command {
  /// Parses the words after the program's name by the conventions of GNU's `getopt_long`, without
  /// abbreviations.
  ///
  /// Options may precede and follow other words, up to `--`. `columns` is the maximum width of a
  /// help page.
  package func parse(
    _ words: [String], columns: Int? = nil
  ) throws(UsageError) -> CommandRequest {
    var parser = Parser(self, columns: columns)
    return try parser.parse(words)
  }
}

private struct Parser {
  /// The declarations of the program and of the verbs so far.
  private var chain: [Command]
  private var given: [(name: String, value: String)] = []
  private var plain: [String] = []
  /// The index of each plain word among all words.
  private var places: [Int] = []
  private var trailing: [String]?
  private var all: [String] = []
  private var words: ArraySlice<String> = []
  private let columns: Int?

  init(_ program: Command, columns: Int?) {
    chain = [program]
    self.columns = columns
  }

  /// The declaration of the innermost verb.
  private var command: Command { chain[chain.count - 1] }

  mutating func parse(_ all: [String]) throws(UsageError) -> CommandRequest {
    if all.first == Command.completionRequest {
      var completer = Completer(command)
      let lines = completer.lines(for: Array(all.dropFirst()))
      return .print(lines.map { $0 + "\n" }.joined())
    }
    self.all = all
    words = all[...]
    while let word = words.popFirst() {
      if word == "--" {
        endOptions()
      } else if word.hasPrefix("--") {
        if let text = try long(word) { return .print(text) }
      } else if let option = dashedOption(for: word) {
        given.append((option.name, String(word.dropFirst())))
      } else if word.hasPrefix("-"), word.utf8.count > 1, !isNumber(word) {
        if let text = try short(word) { return .print(text) }
      } else if word == "help", !command.groups.isEmpty {
        return .print(try help())
      } else {
        try take(word)
      }
    }
    return .run(try finish())
  }

  /// Whether a word such as −5 is a number at this position. No option is a digit.
  private func isNumber(_ word: String) -> Bool {
    command.groups.isEmpty && word.dropFirst().first.map { ("0"..."9").contains($0) } ?? false
  }

  /// The option whose value may follow a single dash, such as `-TERM`.
  private func dashedOption(for word: String) -> Option? {
    guard word.hasPrefix("-"),
      let option = command.options.first(where: { !$0.dashedValues.isEmpty })
    else { return nil }
    let value = word.dropFirst()
    if option.dashedValues.contains(String(value)) { return option }
    // The verb rejects an unknown value such as -FOO.
    let isLikeValue =
      !value.isEmpty && value.allSatisfy { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
    let isShort = chain.flatMap(\.options).contains { $0.short == value.first }
    return isLikeValue && !isShort ? option : nil
  }

  private mutating func endOptions() {
    if command.trailing != nil {
      trailing = Array(words)
    } else {
      plain += words
      places += words.indices
    }
    words = []
  }

  /// Handles a word that is no option: a verb, or an argument.
  private mutating func take(_ word: String) throws(UsageError) {
    if command.groups.isEmpty {
      plain.append(word)
      places.append(words.startIndex - 1)
    } else if let verb = command.verb(word) {
      chain.append(verb)
    } else {
      throw error("unknown verb \"\(word)\"", about: word, suggestion(for: word))
    }
  }

  /// The help page of the verb that the rest of the words name.
  private mutating func help() throws(UsageError) -> String {
    while !command.groups.isEmpty, let word = words.popFirst() {
      if word != "help" { try take(word) }
    }
    return HelpPage(chain: chain, columns: columns).text
  }

  /// The verb to suggest: the next word if it is a verb, else the closest verb.
  private func suggestion(for word: String) -> String? {
    if let verb = words.first, command.verb(verb) != nil {
      return ([chain[0].name] + chain.dropFirst().map(\.name) + [verb, word])
        .joined(separator: " ")
    }
    return command.suggestion(for: word)
  }

  /// Parses `--name` or `--name=value`. Returns the text to print, if any.
  private mutating func long(_ word: String) throws(UsageError) -> String? {
    let body = word.dropFirst(2)
    let sign = body.firstIndex(of: "=")
    let name = String(body[..<(sign ?? body.endIndex)])
    let value = sign.map { String(body[body.index(after: $0)...]) }
    if let option = find({ $0.name == name }) {
      try record(option, as: "--" + name, attached: value)
      return nil
    }
    guard let option = chain[0].standardOptions.first(where: { $0.name == name }) else {
      try checkForMissingDashes()
      throw unknownOption("--" + name, nearestOption(name))
    }
    try record(option, as: "--" + name, attached: value)
    return text(of: option)
  }

  /// Parses `-x`, `-xVALUE`, `-x VALUE` or combined flags. Returns the text to print, if any.
  private mutating func short(_ word: String) throws(UsageError) -> String? {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = find({ $0.short == letter }) else {
        if letter == "h" { return HelpPage(chain: chain, columns: columns).text }
        try checkForMissingDashes()
        throw unknownOption("-\(letter)")
      }
      guard option.takesValue else {
        given.append((option.name, ""))
        continue
      }
      try record(option, as: "-\(letter)", attached: letters.isEmpty ? nil : String(letters))
      return nil
    }
    return nil
  }

  private mutating func record(
    _ option: Option, as written: String, attached: String?
  ) throws(UsageError) {
    guard let placeholder = option.placeholder else {
      if attached != nil { throw error("option \(written) takes no value", about: written) }
      given.append((option.name, ""))
      return
    }
    guard let value = attached ?? words.popFirst() else {
      throw error("option \(written) needs a value (\(placeholder))", about: written)
    }
    if let complaint = option.kind.complaint(about: value) {
      throw error("option \(written): \(complaint)")
    }
    given.append((option.name, value))
  }

  /// Finds an option of this verb or of its parents. Before the verb, it also finds the options
  /// that may precede a verb. An option of the default verb selects that verb.
  private mutating func find(_ matches: (Option) -> Bool) -> Option? {
    for command in chain.reversed() {
      if let option = command.options.first(where: matches) { return option }
    }
    if let option = command.optionsBeforeVerb.first(where: matches) { return option }
    guard let verb = command.defaultVerb.flatMap(command.verb),
      let option = verb.options.first(where: matches)
    else { return nil }
    chain.append(verb)
    return option
  }

  /// The text that a recorded standard option prints.
  private func text(of option: Option) -> String {
    let program = chain[0]
    switch option.name {
    case "version": return "\(program.name) \(program.version ?? "")\n"
    case "print-manual": return program.manualPage()
    case "print-completion":
      guard let shell = given.last.flatMap({ Shell(rawValue: $0.value) }) else {
        preconditionFailure("the table lets only shells through")
      }
      return program.completionScript(for: shell)
    default: return HelpPage(chain: chain, columns: columns).text
    }
  }

  private func nearestOption(_ name: String) -> String? {
    let options =
      chain.flatMap(\.options) + command.optionsBeforeVerb + chain[0].standardOptions
    return nearest(to: name, among: options.map(\.name)).map { "--" + $0 }
  }

  private func error(
    _ problem: String, about word: String? = nil, _ suggestion: String? = nil
  ) -> UsageError {
    let question = suggestion.map { "; did you mean \($0)?" } ?? ""
    return UsageError(
      command: chain.map { $0.name }.joined(separator: " "), message: problem + question,
      word: word, suggestion: suggestion)
  }

  private func unknownOption(_ option: String, _ suggestion: String? = nil) -> UsageError {
    var error = error("unknown option \(option)", about: option, suggestion)
    error.isUnknownOption = true
    return error
  }
}

extension Parser {
  private mutating func finish() throws(UsageError) -> Invocation {
    while !command.groups.isEmpty {
      guard let verb = command.defaultVerb.flatMap(command.verb) else {
        let verbs = command.verbs.map(\.name).joined(separator: ", ")
        throw error("a verb is missing; use one of \(verbs)")
      }
      chain.append(verb)
    }
    try checkExclusiveOptions()
    try checkMeaninglessOptions()
    let positionals = try assignPlainWords()
    if let expected = command.trailing, expected.isRequired, trailing?.isEmpty ?? true {
      throw error("a command is missing: -- \(expected.placeholder) …")
    }
    return Invocation(
      command: command, verbs: chain.dropFirst().map { $0.name }, trailing: trailing, chain: chain,
      given: given, positionals: positionals)
  }

  /// Refuses an option that the verb would ignore.
  private func checkMeaninglessOptions() throws(UsageError) {
    let heeded = command.inheritsOptions ? chain : [command]
    let known = Set(heeded.flatMap(\.options).map(\.name))
    guard let option = given.first(where: { !known.contains($0.name) }) else { return }
    throw error("--\(option.name) does not apply to \(command.name)")
  }

  private func checkExclusiveOptions() throws(UsageError) {
    for set in chain.flatMap({ $0.exclusive }) {
      let used = set.filter { name in given.contains { $0.name == name } }
      if used.count > 1 {
        throw error("--\(used[0]) and --\(used[1]) cannot be used together")
      }
    }
  }

  /// Assigns the plain words to the arguments, in order.
  private func assignPlainWords() throws(UsageError) -> [(placeholder: String, value: String)] {
    var assigned: [(placeholder: String, value: String)] = []
    var rest = plain[...]
    for argument in command.arguments {
      if rest.isEmpty && argument.isRequired {
        throw error("\(argument.placeholder) is missing")
      }
      for word in rest.prefix(argument.takesSeveral ? rest.count : 1) {
        if let complaint = argument.kind.complaint(about: word) {
          throw error("\(argument.placeholder): \(complaint)")
        }
        assigned.append((argument.placeholder, word))
        rest.removeFirst()
      }
    }
    if let surplus = rest.first {
      throw unexpected(surplus, lineWithDashes(before: places[rest.startIndex]))
    }
    return assigned
  }

  /// Detects a missing `--`: the options of the other program follow its name.
  private func checkForMissingDashes() throws(UsageError) {
    let count = command.arguments.count
    guard plain.count > count, command.groups.isEmpty,
      let line = lineWithDashes(before: places[count])
    else { return }
    throw unexpected(plain[count], line)
  }

  private func unexpected(_ word: String, _ line: String?) -> UsageError {
    error("unexpected argument \"\(word)\"", about: word, line)
  }

  /// The command line with `--` before the word at `place`; nil if no command may follow, or the
  /// word is no program.
  private func lineWithDashes(before place: Int) -> String? {
    guard command.trailing != nil, trailing == nil, (try? Executable.find(all[place])) != nil
    else { return nil }
    var line = all
    line.insert("--", at: place)
    return ([chain[0].name] + line).map(\.quotedIfNeeded).joined(separator: " ")
  }
}

extension String {
  /// The word as a user types it in a shell.
  fileprivate var quotedIfNeeded: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%=".contains($0) }
    return isPlain && !isEmpty ? self : shellWord
  }
}
