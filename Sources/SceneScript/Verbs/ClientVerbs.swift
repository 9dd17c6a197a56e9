import CommandLine
import SceneControl
import SceneModel
package import ScenePlatform

/// The verbs for a script's processes.
extension ScriptVerb {
  static let client = ScriptVerb(
    "client NAME [SESSION] [OPTION of scene]… [-- COMMAND]", .acts
  ) {
    (call) throws(ScriptFlaw) in
    guard let name = call.texts.first else { throw call.misuse() }
    guard name.isPlainName else {
      throw call.flaw(
        "a client cannot be called \(PlainText.word(name)): \(String.plainNameRule)", at: 0)
    }
    let words = Array(call.texts.dropFirst())
    return { (stage) throws(StepFailure) in try stage.startClient(name, words) }
  }

  static let kill = ScriptVerb("kill [-SIGNAL] NAME", .acts) { (call) throws(ScriptFlaw) in
    var words = call.texts
    var signal = Signal.kill
    if let word = words.first, word.hasPrefix("-") {
      guard let named = Signal(name: String(word.dropFirst())) else {
        throw call.flaw("no signal is called \(word.dropFirst())", at: 0)
      }
      if let complaint = named.complaintAboutKilling {
        throw call.flaw(complaint, at: 0)
      }
      signal = named
      words.removeFirst()
    }
    guard words.count == 1, let name = words.first else { throw call.misuse() }
    return { [signal] (stage) throws(StepFailure) in try stage.kill(name, signal) }
  }

  static let freeze = ScriptVerb("freeze NAME", .acts) { (call) throws(ScriptFlaw) in
    guard call.words.count == 1, let name = call.texts.first else { throw call.misuse() }
    return { (stage) throws(StepFailure) in try stage.freeze(name) }
  }

  static let thaw = ScriptVerb("thaw NAME", .acts) { (call) throws(ScriptFlaw) in
    guard call.words.count == 1, let name = call.texts.first else { throw call.misuse() }
    return { (stage) throws(StepFailure) in try stage.thaw(name) }
  }
}

extension Stage {
  /// Starts a client. Returns when the broker has given it a scene, or would not.
  package func startClient(_ name: String, _ words: [String]) throws(StepFailure) {
    _ = try liveBroker()
    if let player = allPlayers.first(where: { $0.name == name }), player.isAlive {
      throw .broken("there is a client \(name) already; give this one another name")
    }
    var arguments = words
    // What stands behind two dashes is the client's program.
    let namesSession = words.prefix { $0 != "--" }.contains {
      $0 == "--new" || $0.hasPrefix("--session")
    }
    // Behind the client's name may stand the session's.
    if !namesSession, words.first?.hasPrefix("-") ?? true { arguments.insert(name, at: 0) }
    let log = "\(directory)/\(name).stderr"
    let player = try step { () throws(SystemError) in
      try spawnPlayer(name, "scene", ["--json"] + arguments, log: log)
    }
    add(player)
    if words.contains("--") { hasPrograms = true }
    while SystemClock.monotonic() < deadline, !player.isSilent {
      let looksAgain = isDoomed
      switch player.hear(until: looksAgain ? nextLook : deadline) {
      case .reply(nil, "connect", _):
        if words.contains("--") { awaitProgram(of: player) }
        return
      case .refusal(nil, "connect", let reason, let message):
        throw .no("\(name) was refused: \(message)", reason: reason)
      case nil where looksAgain && broker?.process.end != nil:
        // Whether it would come to the next one depends on how far it had got.
        player.process.finishOff()
        throw .no(Self.unanswered(name), reason: "noBroker")
      case .reply, .refusal, .callback, .event, .state, .other, nil: continue
      }
    }
    guard player.isSilent, let end = player.process.waitForEnd(until: deadline) else {
      throw .broken("\(name) is not given a scene")
    }
    // It may have noticed before we did.
    if seesDoom() { throw .no(Self.unanswered(name), reason: "noBroker") }
    let message = "\(name) has \(end.told)\(lastWords(in: log))"
    throw end.isMisuse ? .misuse(message) : .no(message, reason: end.reason)
  }

  /// Returns when its program runs, or has ended and it with that; at once where the system does not
  /// tell whose processes there are.
  private func awaitProgram(of player: Player) {
    guard File.exists("/proc/self") else { return }
    var pause = Pause()
    while ProcessIdentity.children(of: player.process.pid).isEmpty, player.process.end == nil,
      SystemClock.monotonic() < deadline
    {
      pause.wait()
    }
  }

  private static func unanswered(_ name: String) -> String {
    "\(name) is not answered; the broker is gone"
  }

  /// A process that says what happens to it in lines of JSON, and is spoken to.
  func spawnPlayer(
    _ name: String, _ program: String, _ arguments: [String], log: String
  ) throws(SystemError) -> Player {
    var input = try FileDescriptor.pipe()
    var output = try FileDescriptor.pipe()
    let errors = try File.open(log, [.write, .create, .append])
    let childInput = input.takeFirst()
    let childOutput = output.takeSecond()
    let process = try spawn(
      settings.programs + "/\(program)", arguments,
      descriptors: [0: childInput.number, 1: childOutput.number, 2: errors.number],
      // What one that is killed leaves behind goes with the stage.
      environment: environment.merging(["TMPDIR": directory]) { $1 })
    return try Player(name, process, input: input.takeSecond(), output: output.takeFirst())
  }

  /// Sends a client a signal that ends it. Returns when it is gone and the broker knows.
  package func kill(_ name: String, _ signal: Signal) throws(StepFailure) {
    if !hasPlayer(name), try killStarted(name, signal) { return }
    let player = try player(name)
    if let end = player.process.end {
      throw .no("\(name) has \(end.told) already", reason: end.reason)
    }
    if player.isFrozen, signal != .kill {
      throw .broken(
        "\(name) is frozen, and heeds \(signal) only when it goes on; let it with: thaw \(name)")
    }
    let hosted = ProcessIdentity.children(of: player.process.pid)
    programs += hosted
    try step { () throws(SystemError) in try player.process.send(signal) }
    guard player.process.waitForEnd(until: deadline) != nil else {
      throw .broken("\(name) does not end on \(signal)")
    }
    // Who is killed cannot end what its program has started; as where a terminal goes, it is hung up on.
    if signal == .kill { for program in hosted { ProcessGroup(program.pid).send(.hangup) } }
    player.hearToTheEnd(until: deadline)
    try seeOff(player)
  }

  /// The same for a process that the broker has started and that has the session of this name; false
  /// if there is none.
  private func killStarted(_ name: String, _ signal: Signal) throws(StepFailure) -> Bool {
    guard hasBroker, let client = try find(name)?.details.summary.client,
      let pid = Int32(exactly: client.pid), troupe.guests.contains(pid),
      let process = ProcessIdentity.of(pid)
    else { return false }
    // Whoever has taken over what an earlier broker has started may be slow to reap it.
    let isReaped = ProcessIdentity.parent(of: pid) == broker?.process.pid
    try step { () throws(SystemError) in try signal.send(to: pid) }
    var pause = Pause()
    while isReaped ? process.liveness != .gone : process.isAlive {
      guard SystemClock.monotonic() < deadline else {
        throw .broken("\(name) (process \(pid)) does not end on \(signal)")
      }
      pause.wait()
    }
    try awaitLeave(of: pid)
    return true
  }

  /// Stops a client's process; returns when it stands still.
  package func freeze(_ name: String) throws(StepFailure) {
    let player = try livePlayer(name)
    try step { () throws(SystemError) in try player.process.send(.stop) }
    var pause = Pause()
    while player.process.end == nil,
      ProcessActivity(of: player.process.pid)?.state != .stopped
    {
      guard SystemClock.monotonic() < deadline else { throw .broken("\(name) does not stop") }
      pause.wait()
    }
    player.isFrozen = player.process.end == nil
  }

  /// Lets a frozen one go on.
  package func thaw(_ name: String) throws(StepFailure) {
    let player = try player(name)
    if let end = player.process.end {
      throw .no("\(name) has \(end.told)", reason: end.reason)
    }
    guard player.isFrozen else { throw .no("\(name) is not frozen", reason: "notFrozen") }
    try step { () throws(SystemError) in try player.process.send(.continue) }
    player.isFrozen = false
  }
}

extension Signal {
  /// What to say of one that ends no process, of which `kill` would wait for the end for ever.
  var complaintAboutKilling: String? {
    switch name {
    case "STOP", "TSTP", "TTIN", "TTOU":
      "kill ends a process, and \(self) stops one; a client is stopped with: freeze NAME"
    case "CONT":
      "kill ends a process, and \(self) lets one go on; a client that is frozen goes on with: thaw NAME"
    case "CHLD", "URG", "WINCH": "kill ends a process, and \(self) ends none"
    default: nil
    }
  }
}

extension ProcessEnd {
  /// Whether one of our programs says by it that its command line is wrong.
  var isMisuse: Bool { self == .exited(ExitCode.usage.rawValue) }

  /// As `expect process` has it.
  var reason: String {
    switch self {
    case .exited(let code): "exit=\(code)"
    case .signalled(let signal): "signal=\(signal.name)"
    }
  }
}
