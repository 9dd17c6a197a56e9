import CommandLine
import ScenePlatform

/// The verbs that run commands, and look at what they print.
extension ScriptVerb {
  /// A verb of the user's hand.
  static func control(_ verb: Hand.Verb, of hand: Hand) -> ScriptVerb {
    ScriptVerb("\(verb.name) …", verb.role) { (call) throws(ScriptFlaw) in
      let words = [verb.name] + call.texts
      if let complaint = hand.complaint(words) {
        // Its first word is the verb.
        throw call.flaw(complaint.message, at: (complaint.index ?? 1) - 1)
      }
      return { (stage) throws(StepFailure) in try stage.act(words) }
    }
  }

  static let exec = ScriptVerb("exec COMMAND…", .acts) { (call) throws(ScriptFlaw) in
    let words = call.texts
    guard !words.isEmpty else { throw call.misuse() }
    return { (stage) throws(StepFailure) in try stage.run(words) }
  }

  static let stdout = ScriptVerb("stdout TEXT…", .looks) { (call) throws(ScriptFlaw) in
    try looking(call, "it printed") { $0.output }
  }

  static let stderr = ScriptVerb("stderr TEXT…", .looks) { (call) throws(ScriptFlaw) in
    try looking(call, "on standard error it printed") { $0.errors }
  }

  /// All texts are on one line, in this order.
  private static func looking(
    _ call: Call, _ what: String, _ printed: @escaping @Sendable (Stage) -> String
  ) throws(ScriptFlaw) -> Action {
    let texts = call.texts
    guard !texts.isEmpty else { throw call.misuse() }
    return { (stage) throws(StepFailure) in
      let lines = printed(stage).split(separator: "\n")
      if let line = lines.first(where: { $0.has(texts) }) {
        stage.finding = "  " + PlainText.escaped(String(line))
        return
      }
      let shown = lines.suffix(20).map { "\n  " + PlainText.escaped(String($0)) }.joined()
      let wanted = texts.map { "\"\(PlainText.escaped($0))\"" }.joined(separator: " and then ")
      throw .no("no line has \(wanted); \(what)\(lines.isEmpty ? " nothing" : ":")\(shown)")
    }
  }

  static let cmp = ScriptVerb("cmp FILE FILE", .looks) { (call) throws(ScriptFlaw) in
    guard call.words.count == 2 else { throw call.misuse() }
    let names = (call.texts[0], call.texts[1])
    return { (stage) throws(StepFailure) in
      let one = try stage.lines(of: names.0)
      let other = try stage.lines(of: names.1)
      guard one != other else { return }
      let same = zip(one, other).prefix { $0 == $1 }.count
      let (first, second) = (one.shown(at: same), other.shown(at: same))
      throw .no(
        "\(names.0) (-) and \(names.1) (+) differ in line \(same + 1):\n"
          + "  - \(first)\n  + \(second)")
    }
  }
}

extension Stage {
  /// Does what `scenectl` does with these words.
  package func act(_ words: [String]) throws(StepFailure) {
    let started = words.first == "shutdown" ? processesOfBroker : []
    noteDiscard(words)
    let outcome = settings.hand.act(words, self)
    (output, errors) = (outcome.output, outcome.errors)
    defer { isInVain = false }
    // What was answered after all was not in vain.
    if isInVain, outcome.code == ExitCode.timedOut.rawValue {
      let line = PlainText.escaped(words.joined(separator: " "))
      let unawaited = PlainText.escaped(Self.unawaited(words).joined(separator: " "))
      throw .broken(
        "\(line) is not done, and never will be while the clock stands still\(restless)\n"
          + "Let time go on behind it: \(unawaited), and then advance 5s")
    }
    if SystemClock.monotonic() >= deadline {
      throw .broken("\(PlainText.escaped(words.joined(separator: " "))) is not done\(restless)")
    }
    guard outcome.code == 0 else {
      let message = outcome.errors.isEmpty ? "it says no" : outcome.errors.withoutLastBreak
      if outcome.code == ExitCode.usage.rawValue { throw .misuse(message) }
      throw .no(message, reason: outcome.reason ?? "no")
    }
    let isDeadly = words.contains { $0.hasPrefix("--before") || $0.hasPrefix("--after") }
    if words.first == "fault", isDeadly {
      try beginDoom(at: words.dropFirst().joined(separator: " "))
    }
    guard words.first == "shutdown", let broker else { return }
    try awaitEnd(of: broker)
    try checkNobodyIsLeft(of: started)
  }

  /// Runs a command to its end.
  func run(_ words: [String]) throws(StepFailure) {
    noteDiscard(words)
    let files = (output: directory + "/stdout", errors: directory + "/stderr")
    let process = try step { () throws(SystemError) in
      let output = try File.open(files.output, [.write, .create, .truncate])
      let errors = try File.open(files.errors, [.write, .create, .truncate])
      let null = try File.open("/dev/null", .read)
      return try spawn(
        try Executable.find(words[0], path: environment["PATH"]), Array(words.dropFirst()),
        descriptors: [0: null.number, 1: output.number, 2: errors.number])
    }
    let end = process.waitForEnd(until: deadline)
    process.finishOff()
    output = try text(of: files.output)
    errors = try text(of: files.errors)
    guard let end else { throw .broken("\(words[0]) does not end\(printed)") }
    if !end.isSuccess { throw .no("\(words[0]) has \(end.told)\(printed)", reason: end.reason) }
  }

  /// The end of what a command has printed.
  private var printed: String {
    let parts = [("it printed", output), ("on standard error it printed", errors)]
    return parts.filter { !$0.1.isEmpty }.map { what, text in
      let lines = text.split(separator: "\n")
      let most = Self.shownLines
      let shown = lines.suffix(most).map { "\n  " + PlainText.escaped(String($0)) }.joined()
      return "\n\(what)\(lines.count > most ? ", at the end" : ""):\(shown)"
    }
    .joined()
  }

  private static let shownLines = 20

  private func text(of path: String) throws(StepFailure) -> String {
    let bytes = try step { () throws(SystemError) in try File.read(path, limit: 64 << 20) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nobody may ever write what one would wait for to read from a pipe.
  private func text(ofFile name: String) throws(StepFailure) -> String {
    let path = name.hasPrefix("/") ? name : workplace + "/" + name
    let kind = try step { () throws(SystemError) in try FileStatus(of: path).kind }
    guard kind == .regular else {
      throw .broken("\(PlainText.escaped(name)) is \(kind.name), and no file to be compared")
    }
    return try text(of: path)
  }

  /// Of a file, or of what was printed last.
  func lines(of name: String) throws(StepFailure) -> [Substring] {
    let text =
      switch name {
      case "stdout": output
      case "stderr": errors
      default: try text(ofFile: name)
      }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension [Substring] {
  /// The line at a place, or that there is none.
  fileprivate func shown(at index: Int) -> String {
    indices.contains(index) ? PlainText.escaped(String(self[index])) : "(the end)"
  }
}

extension Substring {
  fileprivate func has(_ texts: [String]) -> Bool {
    var rest = self
    for text in texts {
      guard let found = rest.firstRange(of: text) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

extension String {
  fileprivate var withoutLastBreak: String {
    hasSuffix("\n") ? String(dropLast()) : self
  }
}
