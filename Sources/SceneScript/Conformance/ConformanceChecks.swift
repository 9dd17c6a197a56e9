import SceneJSON
import ScenePlatform

/// The checks of the conformance cases. Each method is one case and throws a ``StepFailure``.
struct ConformanceChecks {
  private let client: ConformanceSession

  init(_ client: ConformanceSession) { self.client = client }

  private static let foregroundCallbacks = ["willEnterForeground", "didBecomeActive"]
  private static let backgroundCallbacks = [
    "willResignActive", "didEnterBackground", "stateRestorationActivity",
  ]

  // MARK: - Transitions

  func hello() throws(StepFailure) {
    try client.start()
    _ = client.awaitEnd { !$0.messages().isEmpty || $0.violation != nil }
    guard let first = client.proxy.log.messages().first else {
      throw .mismatch("the client sent no message")
    }
    guard first.flaw == nil, first.id != nil, first.method == "initialize" else {
      throw .mismatch("the first message is \(first.method ?? "not a request")")
    }
    let problem = first.withBody { params -> String? in
      guard let least = params["protocol"]?["min"]?.integer,
        let greatest = params["protocol"]?["max"]?.integer
      else { return "initialize has no protocol with min and max" }
      if !(least <= 1 && greatest >= 1) {
        return "the client speaks the protocols \(least) to \(greatest), not 1"
      }
      return params["client"]?["name"]?.string == nil ? "initialize has no client name" : nil
    }
    if let problem { throw .mismatch(problem) }
  }

  func connect() throws(StepFailure) { try client.connectClient() }

  @discardableResult
  private func moveToBackground() throws(StepFailure) -> [WireLog.Call] {
    try client.move("background", Self.backgroundCallbacks)
  }

  func background() throws(StepFailure) {
    try client.connectClient()
    try moveToBackground()
  }

  func activity() throws(StepFailure) {
    try client.connectClient()
    guard let answer = try moveToBackground().last?.answer, case .result(let result) = answer else {
      return
    }
    if let problem = Self.problem(aboutActivityIn: result) { throw .mismatch(problem) }
  }

  private static func problem(aboutActivityIn result: RawJSON) -> String? {
    guard let document = JSONDocument(reading: result.bytes), document.root.kind == .object else {
      return "the result is not an object: \(result)"
    }
    guard let activity = document.root["activity"], !activity.isNull else { return nil }
    guard activity.kind == .object else { return "the activity is not an object: \(result)" }
    if activity["activityType"]?.string?.isEmpty ?? true {
      return "the activity has no activityType: \(result)"
    }
    return activity["userInfo"]?.kind == .object
      ? nil : "the userInfo of the activity is not an object: \(result)"
  }

  func foreground() throws(StepFailure) {
    try background()
    try client.move("activate", Self.foregroundCallbacks)
  }

  func interrupt() throws(StepFailure) {
    try client.connectClient()
    try client.move("interrupt", ["willResignActive"])
    try client.move("resume", ["didBecomeActive"])
  }

  func open() throws(StepFailure) {
    try client.connectClient()
    let first = client.proxy.mark
    try client.act("open", "example:conform", "--source", "conform")
    try client.awaitCalls(since: first, ["openURLContexts"])
    let second = client.proxy.mark
    try client.act("continue", "com.example.conform={}")
    try client.awaitCalls(since: second, ["willContinueUserActivity", "continueUserActivity"])
    try client.act("settle")
  }

  func refresh() throws(StepFailure) {
    try background()
    let mark = client.proxy.mark
    try client.act("refresh", client.session)
    try client.awaitCalls(since: mark, ["refresh"])
    try client.act("is", client.session, "background")
  }

  func roundTrip() throws(StepFailure) {
    try foreground()
    try moveToBackground()
    try client.move("reclaim", ["didDisconnect"])
  }

  // MARK: - Reclaim and discard

  func reclaim() throws(StepFailure) {
    try background()
    try client.move("reclaim", ["didDisconnect"])
    try checkNotCrashed()
  }

  func again() throws(StepFailure) {
    try reclaim()
    let mark = client.proxy.mark
    var failure: StepFailure?
    do { try client.act("activate", client.session) } catch { failure = error }
    if case .failure? = client.calls(client.proxy.log, since: mark).first?.answer { return }
    guard let failure else {
      try client.awaitCalls(since: mark, ["willConnect"] + Self.foregroundCallbacks)
      return
    }
    // A request that fails because the client exits means that the case does not apply.
    guard client.awaitDisconnect() else { throw failure }
    throw .notApplicable("the client exits when its scene is reclaimed")
  }

  func discard() throws(StepFailure) {
    try client.connectClient()
    try client.move("discard", ["willResignActive", "didEnterBackground", "didDisconnect"])
    try checkNotCrashed()
  }

  /// A client that closes its connection can exit, but must not end by a signal.
  private func checkNotCrashed() throws(StepFailure) {
    if client.isOver(client.proxy.log) {
      client.beginWaiting()
      _ = client.process?.waitForEnd(until: client.environment.deadline)
    }
    if case .signalled(let signal)? = client.process?.end {
      throw .mismatch("the client was terminated by \(signal)")
    }
  }

  // MARK: - Crash

  func killed() throws(StepFailure) {
    try client.connectClient()
    try client.kill()
    try client.connectClient()
  }

  func same() throws(StepFailure) {
    try client.connectClient()
    let before = client.session
    try client.kill()
    try client.connectClient()
    if client.session != before { throw .mismatch("the client requested a new session") }
  }

  func kept() throws(StepFailure) {
    try client.connectClient()
    let mine = try activityWhenAsked(since: 0)
    // A client without an activity of its own gets one to keep.
    if mine == nil {
      try client.act(
        "call", "session/saveActivity",
        #"{"session":"\#(client.session)","activity":{"activityType":"org.example.conform","#
          + #""userInfo":{"line":7}}}"#)
    }
    let before = client.session
    try client.kill()
    let mark = client.proxy.mark
    try client.connectClient()
    if client.session != before { throw .notApplicable("the client requested a new session") }
    let given = client.willConnect?.withBody {
      $0["sceneSession"]?["stateRestorationActivity"]?.raw
    }
    let answered = try activityWhenAsked(since: mark) ?? .null
    let newest = savedActivity(since: mark) ?? given ?? .null
    if !answered.isSameValue(as: newest) {
      throw .mismatch("the client had \(newest) and answered \(answered)")
    }
  }

  /// The activity that the client saved last with `session/saveActivity`.
  private func savedActivity(since mark: Int) -> RawJSON? {
    let saves = client.proxy.log.messages(since: mark).filter {
      $0.method == "session/saveActivity" && $0.session == client.session
    }
    return saves.last?.withBody { $0["activity"]?.raw }
  }

  /// The answer to `stateRestorationActivity`; without one, the last saved or restored activity.
  /// Nil means none.
  private func activityWhenAsked(since mark: Int) throws(StepFailure) -> RawJSON? {
    guard let answer = try moveToBackground().last?.answer else { return nil }
    var activity: RawJSON?
    if case .result(let result) = answer {
      let document = JSONDocument()
      _ = try? document.read(result.bytes.span)
      activity = document.root["activity"]?.raw
    }
    let given = client.willConnect?.withBody {
      $0["sceneSession"]?["stateRestorationActivity"]?.raw
    }
    let found = activity ?? savedActivity(since: mark) ?? given
    return found == .null ? nil : found
  }

  // MARK: - End of the broker

  func lost() throws(StepFailure) {
    try client.connectClient()
    _ = try loseBroker()
  }

  /// Kills the broker and starts a new one.
  ///
  /// - Returns: The index in the log where the new broker begins; nil if the client has exited.
  private func loseBroker() throws(StepFailure) -> Int? {
    let mark = client.proxy.mark
    try client.killBroker()
    try client.startBroker()
    switch client.awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
    case .reconnected: return mark
    case .ended(.exited): return nil
    case .ended(.signalled(let signal)): throw .mismatch("the client was terminated by \(signal)")
    case .neither: throw .mismatch("the client neither reconnected nor exited")
    }
  }

  func resume() throws(StepFailure) {
    try client.connectClient()
    guard let mark = try loseBroker() else { throw .mismatch(exitSummary) }
    let hold = client.willConnect?.withBody { $0["hold"]?.integer }
    let request = client.proxy.log.messages(since: mark).first { $0.method == "scene/connect" }
    let shown = request?.withBody { params -> Bool in
      params["session"]?.string == client.session && params["resume"]?["hold"]?.integer == hold
        && params["resume"]?["state"]?.string == "foregroundActive"
    }
    guard shown == true else {
      throw .mismatch("the client reconnected with \(request?.body.description ?? "nothing")")
    }
    try client.act("wait", client.session, "foregroundActive")
    try client.act("settle")
    let calls = client.proxy.log.calls(since: mark)
    guard calls.isEmpty else { throw .mismatch(calls.map(\.summary).joined(separator: ", ")) }
    try moveToBackground()
  }

  private var exitSummary: String {
    "the client \(client.process?.end?.phrase ?? "closed its connection")"
  }

  func shutdown() throws(StepFailure) {
    try client.connectClient()
    let mark = try shutDown()
    try client.startBroker()
    // A client can also stay without a connection.
    if case .ended(.signalled(let signal)) = client.awaitEnd(orUntil: { $0.hasConnect(since: mark) }
    ) {
      throw .mismatch("the client was terminated by \(signal)")
    }
  }

  /// Stops the broker.
  ///
  /// - Returns: The index in the log where the next broker begins.
  private func shutDown() throws(StepFailure) -> Int {
    let mark = client.proxy.mark
    var failure: StepFailure?
    do { try client.stopBroker() } catch { failure = error }
    try client.awaitCalls(since: mark, Self.backgroundCallbacks + ["didDisconnect"])
    if let failure { throw failure }
    return client.proxy.mark
  }

  func restore() throws(StepFailure) {
    try client.connectClient()
    let mark = try shutDown()
    try client.startBroker()
    switch client.awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
    case .reconnected: break
    case .ended: throw .mismatch(exitSummary)
    case .neither: throw .mismatch("the client did not reconnect")
    }
    try client.awaitCalls(since: mark, ["willConnect"] + Self.foregroundCallbacks)
  }

  // MARK: - Unknown messages

  func request() throws(StepFailure) {
    try client.connectClient()
    let mark = client.proxy.mark
    client.proxy.send("scene/fromTheFuture", isRequest: true, session: client.session)
    client.beginWaiting()
    _ = client.wait { $0.calls(since: mark).first?.isOver == true }
    guard let call = client.proxy.log.calls(since: mark).first else {
      throw .mismatch("the request could not be sent")
    }
    guard call.answer == .failure(-32601) else { throw .mismatch(call.summary) }
    try moveToBackground()
  }

  func notification() throws(StepFailure) {
    try client.connectClient()
    client.proxy.send("scene/fromTheFuture", isRequest: false, session: client.session)
    try moveToBackground()
    try client.move("activate", Self.foregroundCallbacks)
  }
}

extension WireLog {
  /// Whether the client has sent `scene/connect` since an index.
  fileprivate func hasConnect(since mark: Int) -> Bool {
    messages(since: mark).contains { $0.method == "scene/connect" }
  }
}
