import SceneCommandLine
import SceneModel
import ScenePlatform

/// The environment of one case: a broker, a proxy and the client under test.
///
/// The broker has a virtual clock, so only `replyTimeout` ends a wait for the client.
final class ConformanceSession {
  let environment: ScriptEnvironment
  let proxy: RecordingProxy
  private let command: [String]
  private let replyTimeout: Int64
  private(set) var process: ManagedProcess?
  /// Set if the command could not be started.
  private(set) var startError: SystemError?
  /// The index in the log where the current process of the client begins.
  private var connectionMark = 0
  /// The session of the scene, and its last `willConnect`.
  private(set) var session = ""
  private(set) var willConnect: WireMessage?

  init(
    _ command: [String], _ settings: ScriptEnvironment.Settings, _ delivery: RecordingProxy.Delivery
  ) throws(StepFailure) {
    self.command = command
    replyTimeout = settings.lineTimeout
    environment = try ScriptEnvironment(settings, files: [])
    proxy = RecordingProxy(at: environment.directory + "/relay", to: environment.socket, delivery)
  }

  func tearDown() {
    proxy.stopListening()
    environment.tearDown()
  }

  func beginWaiting() { environment.deadline = SystemClock.monotonic() + replyTimeout }

  // MARK: - Broker

  func startBroker() throws(StepFailure) {
    beginWaiting()
    try environment.startBroker(["--clock", "virtual"])
    try step(proxy.listen())
  }

  /// The proxy stops first, so that the client never connects to a broker that is about to end.
  func killBroker() throws(StepFailure) {
    proxy.stopListening()
    beginWaiting()
    try environment.killBroker(.kill)
  }

  func stopBroker() throws(StepFailure) {
    proxy.stopListening()
    beginWaiting()
    try environment.stopBroker()
  }

  // MARK: - Client

  func start() throws(StepFailure) {
    connectionMark = proxy.mark
    try step(spawn())
  }

  private func spawn() throws(SystemError) {
    let null = try File.open("/dev/null", [.read, .write])
    let log = try File.open(log, [.write, .create, .append])
    var variables = environment.variables
    variables["SCENE_SOCKET"] = proxy.path
    let program = try Executable.find(command[0], path: variables["PATH"])
    do throws(SystemError) {
      process = try environment.spawn(
        program, Array(command.dropFirst()),
        descriptors: [0: null.number, 1: null.number, 2: log.number], variables: variables,
        isOutside: true)
    } catch {
      startError = error
      throw error
    }
  }

  private var log: String { environment.directory + "/client.stderr" }

  /// The last lines of the client's standard error.
  var lastErrorLines: [String] {
    environment.lastLines(in: log).split(separator: "\n").map(String.init)
  }

  /// Kills the client, and waits until the broker has noticed the exit.
  func kill() throws(StepFailure) {
    if let end = process?.end, !proxy.log.isClosed(since: connectionMark) {
      throw .mismatch(
        "the started process \(end.phrase), but another process is the client; "
          + "the client must not run in the background")
    }
    try step(process?.send(.kill))
    beginWaiting()
    _ = process?.waitForEnd(until: environment.deadline)
    _ = awaitDisconnect()
    try act("wait", session, "unattached")
  }

  /// Starts the client, and activates its scene.
  func connectClient() throws(StepFailure) {
    let mark = proxy.mark
    session = ""
    try start()
    beginWaiting()
    let didCome = wait { calls($0, since: mark).first?.isOver == true }
    let first = calls(proxy.log, since: mark).first
    guard case .result? = first?.answer, let request = first?.request else {
      throw .mismatch(summary(for: first.map { [$0] } ?? [], didCome: didCome))
    }
    willConnect = request
    session = request.session ?? ""
    try move("activate", since: mark, ["willConnect", "willEnterForeground", "didBecomeActive"])
  }

  // MARK: - Control verbs

  /// Runs a verb of `scenectl`.
  func act(_ words: String...) throws(StepFailure) {
    beginWaiting()
    try environment.runControlVerb(words)
  }

  /// Moves the scene with a verb of `scenectl`. The client must answer exactly these callbacks.
  @discardableResult
  func move(
    _ verb: String, since given: Int? = nil, _ callbacks: [String]
  ) throws(StepFailure) -> [WireLog.Call] {
    let mark = given ?? proxy.mark
    do throws(StepFailure) { try act(verb, session) } catch {
      // A wrong callback explains the failure better than the verb does.
      try checkCalls(since: mark, callbacks, didCome: false)
      throw error
    }
    let calls = try awaitCalls(since: mark, callbacks)
    try act("settle")
    return calls
  }

  /// The callbacks of the scene since an index. Excludes `didUpdateUserActivity`, which depends on
  /// the content that the client saves.
  func calls(_ log: WireLog, since mark: Int) -> [WireLog.Call] {
    log.calls(since: mark).filter { call in
      call.method.hasPrefix("scene/") && (session.isEmpty || call.request.session == session)
        && call.name != "didUpdateUserActivity"
    }
  }

  /// Waits until the client has answered exactly these callbacks.
  @discardableResult
  func awaitCalls(since mark: Int, _ callbacks: [String]) throws(StepFailure) -> [WireLog.Call] {
    beginWaiting()
    let didCome = wait { log in
      let calls = calls(log, since: mark).prefix(callbacks.count)
      return calls.count == callbacks.count && calls.allSatisfy(\.isOver)
    }
    return try checkCalls(since: mark, callbacks, didCome: didCome)
  }

  @discardableResult
  private func checkCalls(
    since mark: Int, _ callbacks: [String], didCome: Bool
  ) throws(StepFailure) -> [WireLog.Call] {
    let calls = calls(proxy.log, since: mark)
    if calls.map(\.name) == callbacks, calls.allSatisfy(\.isAcceptable) { return calls }
    throw .mismatch(summary(for: calls, didCome: didCome))
  }

  /// Waits until a condition holds or the client can send no more messages; false at the deadline.
  func wait(for isSo: (WireLog) -> Bool) -> Bool {
    while SystemClock.monotonic() < environment.deadline {
      // The exit of the process wakes no waiter, so this polls.
      let hasEnded = process?.end != nil
      let nextPoll = min(environment.deadline, SystemClock.monotonic() + 10_000_000)
      if proxy.wait(until: nextPoll, for: { isSo($0) || isOver($0) }) { return true }
      if hasEnded, !proxy.log.hasOpened(since: connectionMark) { return true }
    }
    return false
  }

  /// Whether the client has violated the protocol or has closed its connections.
  func isOver(_ log: WireLog) -> Bool {
    log.violation != nil || log.isClosed(since: connectionMark)
  }

  private func summary(for calls: [WireLog.Call], didCome: Bool) -> String {
    var summary = calls.isEmpty ? ["no callback reached the client"] : calls.map(\.summary)
    let hasDisconnected = proxy.log.isClosed(since: connectionMark)
    // The client can exit just after it has closed its connection.
    let end = hasDisconnected ? process?.waitForEnd(until: environment.deadline) : process?.end
    if let end {
      summary.append("the client \(end.phrase)")
    } else if !didCome {
      summary.append("timed out after \(TimeFormat.length(replyTimeout / 1000))")
    }
    return summary.joined(separator: ", ")
  }

  /// Waits until the client has closed its connections; false at the deadline.
  func awaitDisconnect() -> Bool {
    beginWaiting()
    let connectionMark = connectionMark
    return proxy.wait(until: environment.deadline) { $0.isClosed(since: connectionMark) }
  }

  /// Waits until the client has exited or a condition holds.
  func awaitEnd(orUntil isSo: @escaping @Sendable (WireLog) -> Bool) -> ReconnectOutcome {
    beginWaiting()
    let deadline = environment.deadline
    while SystemClock.monotonic() < deadline {
      if let end = process?.end { return .ended(end) }
      let nextPoll = min(deadline, SystemClock.monotonic() + 10_000_000)
      if proxy.wait(until: nextPoll, for: isSo) { return .reconnected }
    }
    return .neither
  }

  enum ReconnectOutcome {
    case ended(ProcessEnd)
    case reconnected
    case neither
  }
}

extension WireLog.Call {
  /// A client can answer a callback with an error, except `willConnect`: that error refuses the
  /// scene. `didDisconnect` needs no answer if the client closes its connection.
  fileprivate var isAcceptable: Bool {
    switch answer {
    case .result: true
    case .failure: name != "willConnect"
    case nil: isInterrupted && name == "didDisconnect"
    }
  }
}
