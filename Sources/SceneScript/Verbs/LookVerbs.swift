import CommandLine
package import SceneControl
import SceneModel
import ScenePlatform

/// The verbs that look whether things are as they should be.
extension ScriptVerb {
  static let expect = ScriptVerb(
    "expect CONDITION…, or expect process NAME running|exit=N|signal=NAME", .looks
  ) { (call) throws(ScriptFlaw) in
    if call.texts.first == "process", call.words.count > 1 { return try expectingProcess(call) }
    let conditions = try conditions(call)
    return { (stage) throws(StepFailure) in
      try stage.expect(conditions)
    }
  }

  static let awaiting = ScriptVerb("await CONDITION…", .waits) { (call) throws(ScriptFlaw) in
    if call.texts.first == "process", call.words.count > 1 {
      throw call.flaw(
        "the end of a process is waited for by: expect \(call.texts.joined(separator: " "))", at: 0)
    }
    let conditions = try conditions(call)
    guard !call.line.mustFail else {
      throw call.flaw(
        "an await that fails is waited for in vain; what is not to be so goes behind a ! of its own, "
          + "as in: await ! packing")
    }
    return { (stage) throws(StepFailure) in
      try stage.wait(for: conditions)
    }
  }

  private static func conditions(_ call: Call) throws(ScriptFlaw) -> [Condition] {
    var words = call.texts
    // Behind two dashes a session may be called like an option.
    if let dashes = words.firstIndex(of: "--") {
      words.remove(at: dashes)
    } else if let option = words.firstIndex(where: { $0.hasPrefix("-") && !$0.contains(" ") }) {
      let time = call.verb.role == .waits ? ", and every line ends in 30 s at most" : ""
      throw call.flaw(
        "\(call.verb.name) takes no option such as \(PlainText.escaped(words[option]))\(time); "
          + "a session that is called so stands behind --", at: option)
    }
    guard !words.isEmpty else { throw call.misuse() }
    let conditions: [Condition]
    do throws(ConditionArgumentError) {
      conditions = try ConditionArguments.conditions(words)
    } catch {
      throw call.flaw(error.description, at: call.index(of: error.argument))
    }
    // What no broker ever tells of was mistyped.
    if let complaint = conditions.lazy.compactMap(\.complaint).first {
      throw call.flaw(complaint, at: 0)
    }
    return conditions
  }

  // MARK: - Processes

  private static func expectingProcess(_ call: Call) throws(ScriptFlaw) -> Action {
    guard call.words.count == 3 else { throw call.misuse(at: 0) }
    let (name, wanted) = (call.texts[1], call.texts[2])
    if wanted == "running" {
      return { (stage) throws(StepFailure) in
        if let end = try stage.player(name).process.end { throw .no("\(name) has \(end.told)") }
      }
    }
    let end = try processEnd(wanted, call)
    let mustFail = call.line.mustFail
    return { (stage) throws(StepFailure) in
      let process = try stage.player(name).process
      // With `!` it is looked at as it is.
      guard let actual = mustFail ? process.end : process.waitForEnd(until: stage.deadline) else {
        let text = "\(name) (process \(process.pid)) still runs"
        throw mustFail ? .no(text) : .broken(text)
      }
      if actual != end { throw .no("\(name) has \(actual.told(instead: end))") }
    }
  }

  private static func processEnd(
    _ text: String, _ call: Call
  ) throws(ScriptFlaw) -> ProcessEnd {
    if text.hasPrefix("exit="), let code = Int32(text.dropFirst(5)), 0...255 ~= code {
      return .exited(code)
    }
    if text.hasPrefix("signal="), let signal = Signal(name: String(text.dropFirst(7))) {
      return .signalled(signal)
    }
    let advice = suggestion(for: text, among: ["running"])
    throw call.flaw("expected running, exit=N or signal=NAME\(advice)", at: 2)
  }

  // MARK: - Why something failed

  static let error = ScriptVerb("error NAME", .looks) { (call) throws(ScriptFlaw) in
    guard call.words.count == 1, let name = call.texts.first else { throw call.misuse() }
    return { (stage) throws(StepFailure) in
      guard let reason = stage.reason else {
        throw .broken("no line with ! has failed since something was done last")
      }
      // What `scenectl` ends with, where it has looked by itself.
      let isSame = reason == name || (reason, name) == ("noSession", "sessionNotFound")
      if !isSame { throw .no("what failed before did so with \(reason), not \(name)") }
    }
  }
}

extension Stage {
  /// They hold now.
  package func expect(_ conditions: [Condition]) throws(StepFailure) {
    let watch = try watch(conditions)
    if !watch.allHold { throw .no("it is not so:\n\(watch.report)") }
    finding = watch.report
  }

  /// Returns when they hold at once.
  package func wait(for conditions: [Condition]) throws(StepFailure) {
    defer { isInVain = false }
    // A program may do something by itself, whatever the clock says.
    var watch = try watch(conditions) { [self] in !hasPrograms && waitsInVain() }
    do throws(ControlError) {
      guard try !watch.wait(until: deadline) else { return }
    } catch {
      throw brokerFailure(error)
    }
    let why =
      isInVain
      ? "\nIt never will while the clock stands still\(restless)\n"
        + "Let time go on before it, as with: advance 5s" : ""
    throw .broken("it has not come about:\n\(watch.report)\(why)")
  }

  /// The session that people call so; nil if there is none.
  package func find(_ word: String) throws(StepFailure) -> FoundSession? {
    let broker = try liveBroker()
    let search: SessionSearch?
    do throws(ControlError) {
      search = try broker.control.find([word], until: deadline).first
    } catch {
      throw brokerFailure(error)
    }
    switch search {
    case .found(let session): return session
    case .nothing, nil: return nil
    case .ambiguous(let sessions):
      throw .no("\(word) is the beginning of \(sessions.count) identifiers")
    }
  }

  /// Looks at conditions on a connection of their own.
  private func watch(
    _ conditions: [Condition], isFutile: (() -> Bool)? = nil
  ) throws(StepFailure) -> ConditionWatch {
    _ = try liveBroker()
    if let complaint = conditions.lazy.compactMap(\.complaint).first { throw .broken(complaint) }
    do {
      let client = ClientName(name: Self.controlName, version: productVersion)
      let connection = try ControlConnection.open(socket, as: client, until: deadline)
      connection.horizon = deadline
      let watch = try ConditionWatch(conditions, on: connection, until: deadline)
      // It is mistyped, and so neither is it so nor is it not.
      if let doubt = watch.doubt { throw StepFailure.broken(doubt) }
      connection.isFutile = isFutile
      return watch
    } catch let error as ControlError {
      throw brokerFailure(error)
    } catch let error as StepFailure {
      throw error
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }
}
