import SceneCommandLine
import SceneControl
import SceneModel
package import ScenePlatform

/// The verbs for the clients of a script.
extension ScriptVerb {
  static let client = ScriptVerb(
    "client NAME [SESSION] [OPTION of scene]… [-- COMMAND]", .acts
  ) {
    (call) throws(ScriptError) in
    let name = try call.newName(of: "client")
    let words = Array(call.texts.dropFirst())
    return { (environment) throws(StepFailure) in try environment.startClient(name, words) }
  }

  static let kill = ScriptVerb("kill [-SIGNAL] NAME", .acts) { (call) throws(ScriptError) in
    var words = call.texts
    var signal = Signal.kill
    if let word = words.first, word.hasPrefix("-") {
      signal = try call.signal(in: word, at: 0)
      if let problem = signal.complaintAboutKilling { throw call.error(problem, at: 0) }
      words.removeFirst()
    }
    guard words.count == 1, let name = words.first else { throw call.usageError() }
    return { [signal] (environment) throws(StepFailure) in try environment.kill(name, signal) }
  }

  static let freeze = ScriptVerb("freeze NAME", .acts) { (call) throws(ScriptError) in
    let name = try call.onlyWord()
    return { (environment) throws(StepFailure) in try environment.freeze(name) }
  }

  static let thaw = ScriptVerb("thaw NAME", .acts) { (call) throws(ScriptError) in
    let name = try call.onlyWord()
    return { (environment) throws(StepFailure) in try environment.thaw(name) }
  }
}

extension ScriptVerb.Call {
  /// The only word.
  func onlyWord() throws(ScriptError) -> String {
    guard words.count == 1 else { throw usageError() }
    return texts[0]
  }

  /// The first word, as the name of a new client or delegate.
  func newName(of kind: String) throws(ScriptError) -> String {
    guard let name = texts.first else { throw usageError() }
    guard name.isPlainName else {
      throw error(
        "invalid \(kind) name \"\(PlainText.escaped(name))\": \(String.plainNameRule)", at: 0)
    }
    return name
  }

  /// The signal of a word such as `-TERM`.
  func signal(in word: String, at index: Int) throws(ScriptError) -> Signal {
    if let signal = Signal(name: String(word.dropFirst())) { return signal }
    throw error("unknown signal \"\(word.dropFirst())\"", at: index)
  }
}

extension ScriptEnvironment {
  /// Starts a client, and waits until the broker has accepted or refused it.
  package func startClient(_ name: String, _ words: [String]) throws(StepFailure) {
    try checkIsFree(name)
    var arguments = words
    // The words behind -- are the program of the client.
    let namesSession = words.prefix { $0 != "--" }.contains {
      $0 == "--new" || $0.hasPrefix("--session")
    }
    // The first word can be the name of a session.
    if !namesSession, words.first?.hasPrefix("-") ?? true { arguments.insert(name, at: 0) }
    let log = "\(directory)/\(name).stderr"
    let client = try step(
      spawnClient(name, "scene", ["--json"] + arguments, log: log))
    add(client)
    if words.contains("--") { hasPrograms = true }
    while SystemClock.monotonic() < deadline, !client.hasClosedOutput {
      let polls = isFaultPending
      switch client.nextOutput(until: polls ? nextPoll : deadline) {
      case .reply(nil, "connect", _):
        if words.contains("--") { awaitProgram(of: client) }
        return
      case .refusal(nil, "connect", let reason, let message):
        throw .mismatch("\(name) was refused: \(message)", reason: reason)
      case nil where polls && broker?.process.end != nil:
        // The client could reconnect to the next broker or exit; which of them depends on timing.
        client.process.killAndWait()
        throw .mismatch(Self.unanswered(name), reason: "noBroker")
      case .reply, .refusal, .callback, .event, .state, .other, nil: continue
      }
    }
    guard client.hasClosedOutput, let end = client.process.waitForEnd(until: deadline) else {
      throw .unrunnable("\(name) did not receive a scene")
    }
    // The client can notice the exit of the broker first.
    if hasFaultOccurred() { throw .mismatch(Self.unanswered(name), reason: "noBroker") }
    let message = "\(name) \(end.phrase)\(lastLines(in: log))"
    throw end.isUsageError ? .usageError(message) : .mismatch(message, reason: end.reason)
  }

  /// Throws without a broker, or if a client with this name is running.
  func checkIsFree(_ name: String) throws(StepFailure) {
    _ = try liveBroker()
    if clientsByName[name]?.isAlive == true {
      throw .unrunnable("a client \(name) is already running; use another name")
    }
  }

  /// Waits until the program of the client runs or the client has exited. Returns at once without
  /// /proc.
  private func awaitProgram(of client: ScriptClient) {
    guard File.exists("/proc/self") else { return }
    var delay = PollDelay()
    while ProcessIdentity.children(of: client.process.pid).isEmpty, client.process.end == nil,
      SystemClock.monotonic() < deadline
    {
      delay.wait()
    }
  }

  private static func unanswered(_ name: String) -> String {
    "no reply to \(name): the broker has ended"
  }

  /// Starts a program that prints one JSON object for each line.
  func spawnClient(
    _ name: String, _ program: String, _ arguments: [String], log: String
  ) throws(SystemError) -> ScriptClient {
    let errors = try File.open(log, [.write, .create, .append])
    return ScriptClient(
      name,
      try PipedProcess { (descriptors) throws(SystemError) in
        try spawn(
          settings.programs + "/\(program)", arguments,
          descriptors: descriptors.merging([2: errors.number]) { $1 },
          // A killed client leaves temporary files, which are removed with the directory.
          variables: variables.merging(["TMPDIR": directory]) { $1 })
      })
  }

  /// Sends a client a signal, and waits until it has exited and the broker has noticed the exit.
  package func kill(_ name: String, _ signal: Signal) throws(StepFailure) {
    if clientsByName[name] == nil, try killStarted(name, signal) { return }
    let client = try client(name)
    if let end = client.process.end {
      throw .mismatch("\(name) \(end.phrase) before this line", reason: end.reason)
    }
    if client.isFrozen, signal != .kill {
      throw .unrunnable(
        "\(name) is frozen and cannot handle \(signal); resume it first with: thaw \(name)")
    }
    let hosted = ProcessIdentity.children(of: client.process.pid)
    programs += hosted
    try step(client.process.send(signal))
    guard client.process.waitForEnd(until: deadline) != nil else {
      throw .unrunnable("\(name) did not exit after \(signal)")
    }
    // A killed client cannot end its program, so the program gets SIGHUP as at the end of a
    // terminal.
    if signal == .kill { for program in hosted { ProcessGroup(program.pid).send(.hangup) } }
    client.readToEnd(until: deadline)
    try awaitExit(client)
  }

  /// Kills the launched process that has the session with this name; false if there is none.
  private func killStarted(_ name: String, _ signal: Signal) throws(StepFailure) -> Bool {
    guard hasBroker, let client = try find(name)?.details.summary.client,
      let pid = Int32(exactly: client.pid),
      let process = supervisor.detachedProcesses.first(where: { $0.pid == pid })
    else { return false }
    // Init reaps the processes of an earlier broker, which can take long.
    let isReaped = ProcessIdentity.parent(of: pid) == broker?.process.pid
    _ = try step(process.signal(signal))
    var delay = PollDelay()
    while isReaped ? process.liveness != .gone : process.isAlive {
      guard SystemClock.monotonic() < deadline else {
        throw .unrunnable("\(name) (process \(pid)) did not exit after \(signal)")
      }
      delay.wait()
    }
    try awaitDisconnect(of: pid)
    return true
  }

  /// Stops the process of a client with SIGSTOP, and waits until it is stopped.
  package func freeze(_ name: String) throws(StepFailure) {
    let client = try liveClient(name)
    try step(client.process.send(.stop))
    var delay = PollDelay()
    while client.process.end == nil,
      ProcessActivity(of: client.process.pid)?.state != .stopped
    {
      guard SystemClock.monotonic() < deadline else {
        throw .unrunnable("\(name) did not stop after SIGSTOP")
      }
      delay.wait()
    }
    client.isFrozen = client.process.end == nil
  }

  /// Resumes a frozen client with SIGCONT.
  package func thaw(_ name: String) throws(StepFailure) {
    let client = try client(name)
    if let end = client.process.end {
      throw .mismatch("\(name) \(end.phrase)", reason: end.reason)
    }
    guard client.isFrozen else { throw .mismatch("\(name) is not frozen", reason: "notFrozen") }
    try step(client.process.send(.continue))
    client.isFrozen = false
  }
}

extension Signal {
  /// The error for a signal that does not end a process; nil for other signals.
  var complaintAboutKilling: String? {
    switch name {
    case "STOP", "TSTP", "TTIN", "TTOU":
      "\(self) does not end a process; to stop a client, use: freeze NAME"
    case "CONT":
      "\(self) does not end a process; to resume a frozen client, use: thaw NAME"
    case "CHLD", "URG", "WINCH": "\(self) does not end a process"
    default: nil
    }
  }
}
