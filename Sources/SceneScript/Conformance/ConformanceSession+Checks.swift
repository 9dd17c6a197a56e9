import SceneJSON
import ScenePlatform

/// The checks of the conformance cases. Each method is one case and throws a ``StepFailure``.
extension ConformanceSession {
  private static let foregroundCallbacks = ["willEnterForeground", "didBecomeActive"]
  private static let backgroundCallbacks = [
    "willResignActive", "didEnterBackground", "stateRestorationActivity",
  ]

  // MARK: - Transitions

  func hello() throws(StepFailure) {
    try start()
    _ = awaitEnd { !$0.messages().isEmpty || $0.violation != nil }
    guard let first = proxy.log.messages().first else {
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

  func connect() throws(StepFailure) { try connectClient() }

  @discardableResult
  private func moveToBackground() throws(StepFailure) -> [WireLog.Call] {
    try move("background", Self.backgroundCallbacks)
  }

  func background() throws(StepFailure) {
    try connectClient()
    try moveToBackground()
  }

  func activity() throws(StepFailure) {
    try connectClient()
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
    try move("activate", Self.foregroundCallbacks)
  }

  func interrupt() throws(StepFailure) {
    try connectClient()
    try move("interrupt", ["willResignActive"])
    try move("resume", ["didBecomeActive"])
  }

  func open() throws(StepFailure) {
    try connectClient()
    let first = proxy.mark
    try act("open", "example:conform", "--source", "conform")
    try awaitCalls(since: first, ["openURLContexts"])
    let second = proxy.mark
    try act("continue", "com.example.conform={}")
    try awaitCalls(since: second, ["willContinueUserActivity", "continueUserActivity"])
    try act("settle")
  }

  func refresh() throws(StepFailure) {
    try background()
    let mark = proxy.mark
    try act("refresh", session)
    try awaitCalls(since: mark, ["refresh"])
    try act("is", session, "background")
  }

  func roundTrip() throws(StepFailure) {
    try foreground()
    try moveToBackground()
    try move("reclaim", ["didDisconnect"])
  }

  // MARK: - Reclaim and discard

  func reclaim() throws(StepFailure) {
    try background()
    try move("reclaim", ["didDisconnect"])
    try checkNotCrashed()
  }

  func again() throws(StepFailure) {
    try reclaim()
    let mark = proxy.mark
    var failure: StepFailure?
    do { try act("activate", session) } catch { failure = error }
    if case .failure? = calls(proxy.log, since: mark).first?.answer { return }
    guard let failure else {
      try awaitCalls(since: mark, ["willConnect"] + Self.foregroundCallbacks)
      return
    }
    // A request that fails because the client exits means that the case does not apply.
    guard awaitDisconnect() else { throw failure }
    throw .notApplicable("the client exits when its scene is reclaimed")
  }

  func discard() throws(StepFailure) {
    try connectClient()
    try move("discard", ["willResignActive", "didEnterBackground", "didDisconnect"])
    try checkNotCrashed()
  }

  /// A client that closes its connection can exit, but must not end by a signal.
  private func checkNotCrashed() throws(StepFailure) {
    if isOver(proxy.log) {
      beginWaiting()
      _ = process?.waitForEnd(until: environment.deadline)
    }
    if case .signalled(let signal)? = process?.end {
      throw .mismatch("the client was terminated by \(signal)")
    }
  }

  // MARK: - Crash

  func killed() throws(StepFailure) {
    try connectClient()
    try kill()
    try connectClient()
  }

  func same() throws(StepFailure) {
    try connectClient()
    let before = session
    try kill()
    try connectClient()
    if session != before { throw .mismatch("the client requested a new session") }
  }

  func kept() throws(StepFailure) {
    try connectClient()
    let mine = try activityWhenAsked(since: 0)
    // A client without an activity of its own gets one to keep.
    if mine == nil {
      try act(
        "call", "session/saveActivity",
        #"{"session":"\#(session)","activity":{"activityType":"org.example.conform","#
          + #""userInfo":{"line":7}}}"#)
    }
    let before = session
    try kill()
    let mark = proxy.mark
    try connectClient()
    if session != before { throw .notApplicable("the client requested a new session") }
    let given = givenActivity
    let answered = try activityWhenAsked(since: mark) ?? .null
    let newest = savedActivity(since: mark) ?? given ?? .null
    if !answered.isSameValue(as: newest) {
      throw .mismatch("the client had \(newest) and answered \(answered)")
    }
  }

  /// The activity in the last `willConnect`.
  private var givenActivity: RawJSON? {
    willConnect?.withBody { $0["sceneSession"]?["stateRestorationActivity"]?.raw }
  }

  /// The activity that the client saved last with `session/saveActivity`.
  private func savedActivity(since mark: Int) -> RawJSON? {
    let saves = proxy.log.messages(since: mark).filter {
      $0.method == "session/saveActivity" && $0.session == session
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
    let found = activity ?? savedActivity(since: mark) ?? givenActivity
    return found == .null ? nil : found
  }

  // MARK: - End of the broker

  func lost() throws(StepFailure) {
    try connectClient()
    _ = try loseBroker()
  }

  /// Kills the broker and starts a new one.
  ///
  /// - Returns: The index in the log where the new broker begins; nil if the client has exited.
  private func loseBroker() throws(StepFailure) -> Int? {
    let mark = proxy.mark
    try killBroker()
    try startBroker()
    switch awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
    case .reconnected: return mark
    case .ended(.exited): return nil
    case .ended(.signalled(let signal)): throw .mismatch("the client was terminated by \(signal)")
    case .neither: throw .mismatch("the client neither reconnected nor exited")
    }
  }

  func resume() throws(StepFailure) {
    try connectClient()
    guard let mark = try loseBroker() else { throw .mismatch(exitSummary) }
    let hold = willConnect?.withBody { $0["hold"]?.integer }
    let request = proxy.log.messages(since: mark).first { $0.method == "scene/connect" }
    let shown = request?.withBody { params -> Bool in
      params["session"]?.string == session && params["resume"]?["hold"]?.integer == hold
        && params["resume"]?["state"]?.string == "foregroundActive"
    }
    guard shown == true else {
      throw .mismatch("the client reconnected with \(request?.body.description ?? "nothing")")
    }
    try act("wait", session, "foregroundActive")
    try act("settle")
    let calls = proxy.log.calls(since: mark)
    guard calls.isEmpty else { throw .mismatch(calls.map(\.summary).joined(separator: ", ")) }
    try moveToBackground()
  }

  private var exitSummary: String {
    "the client \(process?.end?.phrase ?? "closed its connection")"
  }

  func shutdown() throws(StepFailure) {
    try connectClient()
    let mark = try shutDown()
    try startBroker()
    // A client can also stay without a connection.
    if case .ended(.signalled(let signal)) = awaitEnd(orUntil: { $0.hasConnect(since: mark) }
    ) {
      throw .mismatch("the client was terminated by \(signal)")
    }
  }

  /// Stops the broker.
  ///
  /// - Returns: The index in the log where the next broker begins.
  private func shutDown() throws(StepFailure) -> Int {
    let mark = proxy.mark
    var failure: StepFailure?
    do { try stopBroker() } catch { failure = error }
    try awaitCalls(since: mark, Self.backgroundCallbacks + ["didDisconnect"])
    if let failure { throw failure }
    return proxy.mark
  }

  func restore() throws(StepFailure) {
    try connectClient()
    let mark = try shutDown()
    try startBroker()
    switch awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
    case .reconnected: break
    case .ended: throw .mismatch(exitSummary)
    case .neither: throw .mismatch("the client did not reconnect")
    }
    try awaitCalls(since: mark, ["willConnect"] + Self.foregroundCallbacks)
  }

  // MARK: - Unknown messages

  func request() throws(StepFailure) {
    try connectClient()
    let mark = proxy.mark
    proxy.send("scene/fromTheFuture", isRequest: true, session: session)
    beginWaiting()
    _ = wait { $0.calls(since: mark).first?.isOver == true }
    guard let call = proxy.log.calls(since: mark).first else {
      throw .mismatch("the request could not be sent")
    }
    guard call.answer == .failure(-32601) else { throw .mismatch(call.summary) }
    try moveToBackground()
  }

  func notification() throws(StepFailure) {
    try connectClient()
    proxy.send("scene/fromTheFuture", isRequest: false, session: session)
    try moveToBackground()
    try move("activate", Self.foregroundCallbacks)
  }
}

extension WireLog {
  /// Whether the client has sent `scene/connect` since an index.
  fileprivate func hasConnect(since mark: Int) -> Bool {
    messages(since: mark).contains { $0.method == "scene/connect" }
  }
}
