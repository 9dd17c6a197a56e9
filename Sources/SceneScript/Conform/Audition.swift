import CommandLine
import JSON
import SceneModel
import ScenePlatform

/// Why a client did not do what a case asks for.
enum Objection: Error {
  /// What came instead.
  case otherwise(String)
  /// The case does not arise.
  case inapplicable(String)
}

/// One case's stage, with a client that is tried there.
///
/// The broker is a real one, with a clock that stands still; only our patience ends.
final class Audition {
  let stage: Stage
  let relay: Relay
  private let command: [String]
  private let patience: Int64
  private(set) var process: StagedProcess?
  /// Why it could not be started.
  private(set) var startError: SystemError?
  /// Where the conversation with that process begins.
  private var entrance = 0
  /// The scene's session, and how it was connected last.
  private(set) var session = ""
  private(set) var willConnect: WireMessage?

  init(
    _ command: [String], _ settings: Stage.Settings, _ manner: Relay.Manner
  ) throws(StepFailure) {
    self.command = command
    patience = settings.ceiling
    stage = try Stage(settings, files: [])
    relay = Relay(at: stage.directory + "/relay", to: stage.socket, manner)
  }

  func strike() {
    relay.stopListening()
    stage.strike()
  }

  func beginWaiting() { stage.deadline = SystemClock.monotonic() + patience }

  /// Does something on the stage, for which everybody has time.
  private func onStage(
    _ body: () throws(StepFailure) -> Void
  ) throws(Objection) {
    beginWaiting()
    do throws(StepFailure) { try body() } catch { throw .otherwise(error.message) }
  }

  private func system(_ body: () throws(SystemError) -> Void) throws(Objection) {
    do throws(SystemError) { try body() } catch { throw .otherwise(error.description) }
  }

  // MARK: - The broker

  func startBroker() throws(Objection) {
    try onStage { () throws(StepFailure) in
      try stage.startBroker(["--clock", "virtual"])
    }
    try system { () throws(SystemError) in try relay.listen() }
  }

  /// First nobody can come any more, so that nobody meets one that is half gone.
  func killBroker() throws(Objection) {
    relay.stopListening()
    try onStage { () throws(StepFailure) in try stage.killBroker(.kill) }
  }

  func stopBroker() throws(Objection) {
    relay.stopListening()
    try onStage { () throws(StepFailure) in try stage.stopBroker() }
  }

  // MARK: - The client

  /// Starts the client.
  func start() throws(Objection) {
    entrance = relay.mark
    try system { () throws(SystemError) in
      let null = try File.open("/dev/null", [.read, .write])
      let log = try File.open(log, [.write, .create, .append])
      var environment = stage.environment
      environment["SCENE_SOCKET"] = relay.path
      let program = try Executable.find(command[0], path: environment["PATH"])
      do throws(SystemError) {
        process = try stage.spawn(
          program, Array(command.dropFirst()),
          descriptors: [0: null.number, 1: null.number, 2: log.number], environment: environment,
          isOutside: true)
      } catch {
        startError = error
        throw error
      }
    }
  }

  private var log: String { stage.directory + "/client.stderr" }

  /// What it complained of last, line by line.
  var complaints: [String] {
    stage.lastWords(in: log).split(separator: "\n").map(String.init)
  }

  /// Kills it; returns when the broker knows.
  func kill() throws(Objection) {
    if let end = process?.end, !relay.conversation.isClosed(since: entrance) {
      throw .otherwise(
        "the process that was started has \(end.told), and another goes on as the client; "
          + "a client that is to be killed must stay in the foreground")
    }
    try system { () throws(SystemError) in try process?.send(.kill) }
    beginWaiting()
    _ = process?.waitForEnd(until: stage.deadline)
    let entrance = entrance
    _ = relay.wait(until: stage.deadline) { $0.isClosed(since: entrance) }
    try act("wait", session, "unattached")
  }

  /// Starts it, and brings its scene to the top.
  func enter() throws(Objection) {
    let mark = relay.mark
    session = ""
    try start()
    beginWaiting()
    let didCome = wait { calls($0, since: mark).first?.isOver == true }
    let first = calls(relay.conversation, since: mark).first
    guard case .result? = first?.answer, let request = first?.request else {
      throw .otherwise(words(for: first.map { [$0] } ?? [], didCome: didCome))
    }
    willConnect = request
    session = request.session ?? ""
    try move("activate", since: mark, ["willConnect", "willEnterForeground", "didBecomeActive"])
  }

  // MARK: - The user

  /// Does what `scenectl` does.
  func act(_ words: String...) throws(Objection) {
    try onStage { () throws(StepFailure) in try stage.act(words) }
  }

  /// Moves the scene as its user would; exactly these callbacks must be answered.
  @discardableResult
  func move(
    _ verb: String, since given: Int? = nil, _ callbacks: [String]
  ) throws(Objection) -> [Conversation.Call] {
    let mark = given ?? relay.mark
    do throws(Objection) { try act(verb, session) } catch {
      // Where the client is to blame, that says more.
      try checkCalls(since: mark, callbacks, didCome: false)
      throw error
    }
    let calls = try awaitCalls(since: mark, callbacks)
    try act("settle")
    return calls
  }

  /// What the scene was asked since a place. That its activity is saved it is told only where that
  /// is another than before, which is its own affair.
  func calls(_ conversation: Conversation, since mark: Int) -> [Conversation.Call] {
    conversation.calls(since: mark).filter { call in
      call.method.hasPrefix("scene/") && (session.isEmpty || call.request.session == session)
        && call.name != "didUpdateUserActivity"
    }
  }

  /// Waits until the scene was called like this, and has answered; more than that is wrong, too.
  @discardableResult
  func awaitCalls(since mark: Int, _ callbacks: [String]) throws(Objection) -> [Conversation.Call] {
    beginWaiting()
    let didCome = wait { conversation in
      let calls = calls(conversation, since: mark).prefix(callbacks.count)
      return calls.count == callbacks.count && calls.allSatisfy(\.isOver)
    }
    return try checkCalls(since: mark, callbacks, didCome: didCome)
  }

  @discardableResult
  private func checkCalls(
    since mark: Int, _ callbacks: [String], didCome: Bool
  ) throws(Objection) -> [Conversation.Call] {
    let calls = calls(relay.conversation, since: mark)
    if calls.map(\.name) == callbacks, calls.allSatisfy(\.isFine) { return calls }
    throw .otherwise(words(for: calls, didCome: didCome))
  }

  /// Waits until something is so, or the client will say nothing more that counts; false when that
  /// did not come.
  func wait(for isSo: (Conversation) -> Bool) -> Bool {
    while SystemClock.monotonic() < stage.deadline {
      // The end of a process is not told to those who wait here.
      let hasEnded = process?.end != nil
      let glance = min(stage.deadline, SystemClock.monotonic() + 10_000_000)
      if relay.wait(until: glance, for: { isSo($0) || isOver($0) }) { return true }
      if hasEnded, !relay.conversation.hasOpened(since: entrance) { return true }
    }
    return false
  }

  /// Whether the client will say nothing more, or nothing that counts.
  func isOver(_ conversation: Conversation) -> Bool {
    conversation.violation != nil || conversation.isClosed(since: entrance)
  }

  private func words(for calls: [Conversation.Call], didCome: Bool) -> String {
    var words = calls.isEmpty ? ["no callback got through to it"] : calls.map(\.words)
    let hasHungUp = relay.conversation.isClosed(since: entrance)
    // One that hangs up may be ending.
    let end = hasHungUp ? process?.waitForEnd(until: stage.deadline) : process?.end
    if let end {
      words.append("it has \(end.told)")
    } else if !didCome {
      words.append("nothing more within \(WrittenTime.length(patience / 1000))")
    }
    return words.joined(separator: ", ")
  }

  /// Waits until the client has hung up; false if it does not.
  func awaitHangUp() -> Bool {
    beginWaiting()
    let entrance = entrance
    return relay.wait(until: stage.deadline) { $0.isClosed(since: entrance) }
  }

  /// Waits until the client has ended, or something is so; tells which came first, if any.
  func awaitEnd(orUntil isSo: @escaping @Sendable (Conversation) -> Bool) -> Comeback {
    beginWaiting()
    let deadline = stage.deadline
    while SystemClock.monotonic() < deadline {
      if let end = process?.end { return .ended(end) }
      let glance = min(deadline, SystemClock.monotonic() + 10_000_000)
      if relay.wait(until: glance, for: isSo) { return .cameBack }
    }
    return .neither
  }

  enum Comeback {
    case ended(ProcessEnd)
    case cameBack
    case neither
  }
}

extension Conversation.Call {
  /// Callbacks are optional, so an error will do; but it refuses a scene, and a farewell needs
  /// none.
  fileprivate var isFine: Bool {
    switch answer {
    case .result: true
    case .failure: name != "willConnect"
    case nil: isCutOff && name == "didDisconnect"
    }
  }
}
