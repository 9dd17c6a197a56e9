import SceneCommandLine
package import SceneControl
import SceneModel
import ScenePlatform

/// The verbs that check the state.
extension ScriptVerb {
  static let expect = ScriptVerb(
    "expect CONDITION…, or expect process NAME running|exit=N|signal=NAME", .reads
  ) { (call) throws(ScriptError) in
    if call.texts.first == "process", call.words.count > 1 { return try expectingProcess(call) }
    let conditions = try conditions(call)
    return { (environment) throws(StepFailure) in try environment.expect(conditions) }
  }

  static let awaiting = ScriptVerb("await CONDITION…", .waits) { (call) throws(ScriptError) in
    if call.texts.first == "process", call.words.count > 1 {
      throw call.error(
        "await does not take a process; use: expect \(call.texts.joined(separator: " "))", at: 0)
    }
    let conditions = try conditions(call)
    guard !call.line.mustFail else {
      throw call.error(
        "`! await` is not allowed; negate the condition: `await ! packing`")
    }
    return { (environment) throws(StepFailure) in try environment.wait(for: conditions) }
  }

  private static func conditions(_ call: Call) throws(ScriptError) -> [Condition] {
    var words = call.texts
    // Behind -- a session name can begin with a dash.
    if let dashes = words.firstIndex(of: "--") {
      words.remove(at: dashes)
    } else if let option = words.firstIndex(where: { $0.hasPrefix("-") && !$0.contains(" ") }) {
      let time = call.verb.role == .waits ? "; the timeout of every line is 30 s" : ""
      throw call.error(
        "\(call.verb.name) takes no options, found \(PlainText.escaped(words[option]))\(time); "
          + "write a session of this name after --", at: option)
    }
    guard !words.isEmpty else { throw call.usageError() }
    let conditions: [Condition]
    do throws(ConditionError) {
      conditions = try ConditionArguments.conditions(words)
    } catch {
      throw call.error(error.description, at: call.index(of: error.argument ?? ""))
    }
    // A condition that no session can meet is a typing error.
    if let problem = conditions.lazy.compactMap(\.complaint).first {
      throw call.error(problem, at: 0)
    }
    return conditions
  }

  // MARK: - Processes

  private static func expectingProcess(_ call: Call) throws(ScriptError) -> Action {
    guard call.words.count == 3 else { throw call.usageError(at: 0) }
    let (name, wanted) = (call.texts[1], call.texts[2])
    if wanted == "running" {
      return { (environment) throws(StepFailure) in
        if let end = try environment.client(name).process.end {
          throw .mismatch("\(name) \(end.phrase)")
        }
      }
    }
    let end = try processEnd(wanted, call)
    let mustFail = call.line.mustFail
    return { (environment) throws(StepFailure) in
      let process = try environment.client(name).process
      // With `!`, the check does not wait for the exit.
      guard let actual = mustFail ? process.end : process.waitForEnd(until: environment.deadline)
      else {
        let text = "\(name) (process \(process.pid)) is still running"
        throw mustFail ? .mismatch(text) : .unrunnable(text)
      }
      if actual != end { throw .mismatch("\(name) \(actual.phrase(expected: end))") }
    }
  }

  private static func processEnd(
    _ text: String, _ call: Call
  ) throws(ScriptError) -> ProcessEnd {
    if text.hasPrefix("exit="), let code = Int32(text.dropFirst(5)), 0...255 ~= code {
      return .exited(code)
    }
    if text.hasPrefix("signal="), let signal = Signal(name: String(text.dropFirst(7))) {
      return .signalled(signal)
    }
    let hint = suggestion(for: text, among: ["running"])
    throw call.error("expected running, exit=N or signal=NAME\(hint)", at: 2)
  }

  // MARK: - Errors

  static let error = ScriptVerb("error NAME", .reads) { (call) throws(ScriptError) in
    let name = try call.onlyWord()
    return { (environment) throws(StepFailure) in
      guard let reason = environment.reason else {
        throw .unrunnable("no line with ! has failed since the last action")
      }
      // `scenectl` reports a missing session by its exit code, the broker by its own name.
      let isSame = reason == name || (reason, name) == ("noSession", "sessionNotFound")
      if !isSame {
        throw .mismatch("expected the error \(name), but the last failure was \(reason)")
      }
    }
  }
}

extension ScriptEnvironment {
  /// Checks that the conditions hold now.
  package func expect(_ conditions: [Condition]) throws(StepFailure) {
    let watch = try watch(conditions)
    if !watch.allHold { throw .mismatch("expectation failed:\n\(watch.report)") }
    finding = watch.report
  }

  /// Waits until the conditions hold together.
  package func wait(for conditions: [Condition]) throws(StepFailure) {
    defer { cannotFinish = false }
    // A program can act by itself, even while the virtual clock stands still.
    var watch = try watch(conditions) { [self] in !hasPrograms && waitCannotFinish() }
    guard try !brokerReply(watch.wait(until: deadline)) else { return }
    let why =
      cannotFinish
      ? "\nNothing can change while the virtual clock stands still\(pendingWork)\n"
        + "Advance the clock before this line, for example: advance 5s" : ""
    throw .unrunnable("the condition was not met:\n\(watch.report)\(why)")
  }

  /// Finds a session by name, identifier or prefix; nil if there is none.
  package func find(_ word: String) throws(StepFailure) -> FoundSession? {
    let broker = try liveBroker()
    switch try brokerReply(broker.control.find([word], until: deadline)).first {
    case .found(let session): return session
    case .nothing, nil: return nil
    case .ambiguous(let reply):
      throw .mismatch(
        "ambiguous session prefix \"\(word)\" (\(reply.count) matches); use more characters")
    }
  }

  /// Opens a connection for conditions.
  private func watch(
    _ conditions: [Condition], shouldAbandonWait: (() -> Bool)? = nil
  ) throws(StepFailure) -> ConditionWatch {
    _ = try liveBroker()
    if let problem = conditions.lazy.compactMap(\.complaint).first { throw .unrunnable(problem) }
    let client = ClientName(name: Self.controlName, version: productVersion)
    let connection = try brokerReply(ControlConnection.open(socket, as: client, until: deadline))
    connection.horizon = deadline
    let watch = try brokerReply(ConditionWatch(conditions, on: connection, until: deadline))
    // A typing error fails a line with `!` too.
    if let typo = watch.likelyTypo { throw .unrunnable(typo) }
    connection.shouldAbandonWait = shouldAbandonWait
    return watch
  }
}
