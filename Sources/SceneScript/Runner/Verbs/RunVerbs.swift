import SceneCommandLine
import ScenePlatform

/// The verbs that run commands, and look at what they print.
extension ScriptVerb {
  /// A verb of the user's hand.
  static func control(_ verb: ControlVerbs.Verb, of controlVerbs: ControlVerbs) -> ScriptVerb {
    ScriptVerb("\(verb.name) …", verb.role) { (call) throws(ScriptError) in
      let words = [verb.name] + call.texts
      if let error = controlVerbs.usageProblem(words) {
        // The first word is the verb.
        throw call.error(error.message, at: (error.index(in: words) ?? 1) - 1)
      }
      return { (environment) throws(StepFailure) in try environment.runControlVerb(words) }
    }
  }

  static let exec = ScriptVerb("exec COMMAND…", .acts) { (call) throws(ScriptError) in
    let words = call.texts
    guard !words.isEmpty else { throw call.usageError() }
    return { (environment) throws(StepFailure) in try environment.run(words) }
  }

  static let stdout = ScriptVerb("stdout TEXT…", .reads) { (call) throws(ScriptError) in
    try matchingLine(call, "standard output") { $0.output }
  }

  static let stderr = ScriptVerb("stderr TEXT…", .reads) { (call) throws(ScriptError) in
    try matchingLine(call, "standard error") { $0.errors }
  }

  /// All texts are on one line, in this order.
  private static func matchingLine(
    _ call: Call, _ what: String, _ printed: @escaping @Sendable (ScriptEnvironment) -> String
  ) throws(ScriptError) -> Action {
    let texts = call.texts
    guard !texts.isEmpty else { throw call.usageError() }
    return { (environment) throws(StepFailure) in
      let lines = printed(environment).split(separator: "\n")
      if let line = lines.first(where: { $0.has(texts) }) {
        environment.finding = "  " + PlainText.escaped(String(line))
        return
      }
      let shown = lines.suffix(20).map { "\n  " + PlainText.escaped(String($0)) }.joined()
      let wanted = texts.map { "\"\(PlainText.escaped($0))\"" }.joined(separator: " and then ")
      throw .mismatch(
        "no line contains \(wanted); \(what)\(lines.isEmpty ? " is empty" : ":")\(shown)")
    }
  }

  static let cmp = ScriptVerb("cmp FILE FILE", .reads) { (call) throws(ScriptError) in
    guard call.words.count == 2 else { throw call.usageError() }
    let names = (call.texts[0], call.texts[1])
    return { (environment) throws(StepFailure) in
      let one = try environment.lines(of: names.0)
      let other = try environment.lines(of: names.1)
      guard one != other else { return }
      let same = zip(one, other).prefix { $0 == $1 }.count
      let (first, second) = (one.shown(at: same), other.shown(at: same))
      throw .mismatch(
        "\(names.0) (-) and \(names.1) (+) differ in line \(same + 1):\n"
          + "  - \(first)\n  + \(second)")
    }
  }
}

extension ScriptEnvironment {
  /// Does what `scenectl` does with these words.
  package func runControlVerb(_ words: [String]) throws(StepFailure) {
    let started = words.first == "shutdown" ? launchedProcesses : []
    recordDiscard(words)
    let outcome = settings.controlVerbs.run(words, self)
    (output, errors) = (outcome.output, outcome.errors)
    defer { cannotFinish = false }
    // A verb that got its reply has not failed, although the clock stands still.
    if cannotFinish, outcome.code == ExitCode.timedOut.rawValue {
      let line = PlainText.escaped(words.joined(separator: " "))
      let withNoWait = PlainText.escaped(Self.withNoWait(words).joined(separator: " "))
      throw .unrunnable(
        "\(line) cannot finish while the virtual clock stands still\(pendingWork)\n"
          + "Advance the clock after it: \(withNoWait), then advance 5s")
    }
    if SystemClock.monotonic() >= deadline {
      throw .unrunnable(
        "\(PlainText.escaped(words.joined(separator: " "))) did not finish\(pendingWork)")
    }
    guard outcome.code == 0 else {
      let message =
        outcome.errors.isEmpty
        ? "\(words[0]) exited with status \(outcome.code)" : outcome.errors.withoutLastBreak
      if outcome.code == ExitCode.usage.rawValue { throw .usageError(message) }
      throw .mismatch(message, reason: outcome.reason ?? "no")
    }
    let injectsFault = words.contains { $0.hasPrefix("--before") || $0.hasPrefix("--after") }
    if words.first == "fault", injectsFault {
      try expectFault(at: words.dropFirst().joined(separator: " "))
    }
    guard words.first == "shutdown", let broker else { return }
    try awaitEnd(of: broker)
    try checkAllExited(of: started)
  }

  /// Whether the verb accepts `--no-wait` and the words do not have this option.
  package func supportsNoWait(_ words: [String]) -> Bool {
    !words.contains("--no-wait")
      && settings.controlVerbs.usageProblem(Self.withNoWait(words)) == nil
  }

  static func withNoWait(_ words: [String]) -> [String] {
    words.prefix(1) + ["--no-wait"] + words.dropFirst()
  }

  /// Runs a command, and waits for its exit.
  func run(_ words: [String]) throws(StepFailure) {
    recordDiscard(words)
    let files = (output: directory + "/stdout", errors: directory + "/stderr")
    let process = try step(spawn(words, output: files.output, errors: files.errors))
    let end = process.waitForEnd(until: deadline)
    process.killAndWait()
    output = try text(of: files.output)
    errors = try text(of: files.errors)
    guard let end else { throw .unrunnable("\(words[0]) did not exit\(printed)") }
    if !end.isSuccess { throw .mismatch("\(words[0]) \(end.phrase)\(printed)", reason: end.reason) }
  }

  private func spawn(
    _ words: [String], output: String, errors: String
  ) throws(SystemError) -> ManagedProcess {
    let output = try File.open(output, [.write, .create, .truncate])
    let errors = try File.open(errors, [.write, .create, .truncate])
    let null = try File.open("/dev/null", .read)
    return try spawn(
      try Executable.find(words[0], path: variables["PATH"]), Array(words.dropFirst()),
      descriptors: [0: null.number, 1: output.number, 2: errors.number])
  }

  /// The last lines that the command printed, for an error message.
  private var printed: String {
    let parts = [("standard output", output), ("standard error", errors)]
    return parts.filter { !$0.1.isEmpty }.map { what, text in
      let lines = text.split(separator: "\n")
      let most = Self.shownLines
      let shown = lines.suffix(most).map { "\n  " + PlainText.escaped(String($0)) }.joined()
      return "\n\(what)\(lines.count > most ? " (last \(most) lines)" : ""):\(shown)"
    }
    .joined()
  }

  private static let shownLines = 20

  private func text(of path: String) throws(StepFailure) -> String {
    let bytes = try step(File.read(path, limit: 64 << 20))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a regular file only, because a pipe can block.
  private func text(ofFile name: String) throws(StepFailure) -> String {
    let path = name.hasPrefix("/") ? name : workplace + "/" + name
    let kind = try step(FileStatus(of: path).kind)
    guard kind == .regular else {
      throw .unrunnable("\(PlainText.escaped(name)) is \(kind.name), not a regular file")
    }
    return try text(of: path)
  }

  /// The lines of a file, or of the last output.
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
  fileprivate func shown(at index: Int) -> String {
    indices.contains(index) ? PlainText.escaped(String(self[index])) : "(end of file)"
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
