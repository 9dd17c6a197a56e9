import JSON
import ScenePlatform

/// What is done in each case of the table.
extension Audition {
  private static let up = ["willEnterForeground", "didBecomeActive"]
  private static let down = ["willResignActive", "didEnterBackground", "stateRestorationActivity"]

  // MARK: - Up and down

  func hello() throws(Objection) {
    try start()
    _ = awaitEnd { !$0.said().isEmpty || $0.violation != nil }
    guard let first = relay.conversation.said().first else {
      throw .otherwise("it said nothing at all")
    }
    guard case .request(_, "initialize") = first.kind else {
      throw .otherwise("its first message is \(first.method ?? "not a request")")
    }
    let complaint = first.look { params -> String? in
      guard let least = params["protocol"]?["min"]?.integer,
        let greatest = params["protocol"]?["max"]?.integer
      else { return "its initialize has no protocol with min and max" }
      if !(least <= 1 && greatest >= 1) { return "it speaks protocols \(least) to \(greatest)" }
      return params["client"]?["name"]?.string == nil ? "its client has no name" : nil
    }
    if let complaint { throw .otherwise(complaint) }
  }

  func connect() throws(Objection) { try enter() }

  @discardableResult
  private func goDown() throws(Objection) -> [Conversation.Call] {
    try move("background", Self.down)
  }

  func background() throws(Objection) {
    try enter()
    try goDown()
  }

  func activity() throws(Objection) {
    try enter()
    guard let answer = try goDown().last?.answer, case .result(let result) = answer else { return }
    if let complaint = Self.complaint(aboutActivityIn: result) { throw .otherwise(complaint) }
  }

  private static func complaint(aboutActivityIn result: RawJSON) -> String? {
    let document = JSONDocument()
    guard (try? document.read(result.bytes.span)) != nil, document.root.kind == .object else {
      return "a result that is no object: \(result)"
    }
    guard let activity = document.root["activity"], !activity.isNull else { return nil }
    guard activity.kind == .object else { return "an activity that is no object: \(result)" }
    if activity["activityType"]?.string?.isEmpty ?? true {
      return "an activity without an activityType: \(result)"
    }
    return activity["userInfo"]?.kind == .object
      ? nil : "an activity whose userInfo is no object: \(result)"
  }

  func foreground() throws(Objection) {
    try background()
    try move("activate", Self.up)
  }

  func interrupt() throws(Objection) {
    try enter()
    try move("interrupt", ["willResignActive"])
    try move("resume", ["didBecomeActive"])
  }

  func open() throws(Objection) {
    try enter()
    let first = relay.mark
    try act("open", "example:conform", "--source", "conform")
    try awaitCalls(since: first, ["openURLContexts"])
    let second = relay.mark
    try act("continue", "com.example.conform={}")
    try awaitCalls(since: second, ["willContinueUserActivity", "continueUserActivity"])
    try act("settle")
  }

  func refresh() throws(Objection) {
    try background()
    let mark = relay.mark
    try act("refresh", session)
    try awaitCalls(since: mark, ["refresh"])
    try act("is", session, "background")
  }

  func roundTrip() throws(Objection) {
    try foreground()
    try goDown()
    try move("reclaim", ["didDisconnect"])
  }

  // MARK: - Taken away

  func reclaim() throws(Objection) {
    try background()
    try move("reclaim", ["didDisconnect"])
    try mustNotCrash()
  }

  func again() throws(Objection) {
    try reclaim()
    let mark = relay.mark
    var failure: Objection?
    do throws(Objection) { try act("activate", session) } catch { failure = error }
    if case .failure? = calls(relay.conversation, since: mark).first?.answer { return }
    guard let failure else {
      try awaitCalls(since: mark, ["willConnect"] + Self.up)
      return
    }
    // Nothing gets through to one that is about to end.
    guard awaitHangUp() else { throw failure }
    throw .inapplicable("it ends when its scene is taken away")
  }

  func discard() throws(Objection) {
    try enter()
    try move("discard", ["willResignActive", "didEnterBackground", "didDisconnect"])
    try mustNotCrash()
  }

  /// A client that hangs up may be ending; then it must do so by itself.
  private func mustNotCrash() throws(Objection) {
    if isOver(relay.conversation) {
      beginWaiting()
      _ = process?.waitForEnd(until: stage.deadline)
    }
    if case .signalled(let signal)? = process?.end { throw .otherwise("it was ended by \(signal)") }
  }

  // MARK: - Killed

  func killed() throws(Objection) {
    try enter()
    try kill()
    try enter()
  }

  func same() throws(Objection) {
    try enter()
    let before = session
    try kill()
    try enter()
    if session != before { throw .otherwise("it asked for a new one") }
  }

  func kept() throws(Objection) {
    try enter()
    let mine = try activityWhenAsked(since: 0)
    // One that keeps nothing of its own is given something.
    if mine == nil {
      try act(
        "call", "session/saveActivity",
        #"{"session":"\#(session)","activity":{"activityType":"org.example.conform","#
          + #""userInfo":{"line":7}}}"#)
    }
    let before = session
    try kill()
    let mark = relay.mark
    try enter()
    if session != before { throw .inapplicable("it asked for a new scene") }
    let given = willConnect?.look { $0["sceneSession"]?["stateRestorationActivity"]?.raw }
    let answered = try activityWhenAsked(since: mark) ?? .null
    let newest = savedActivity(since: mark) ?? given ?? .null
    if !answered.isSameValue(as: newest) {
      throw .otherwise("it had \(newest) and answered \(answered)")
    }
  }

  /// What it saved last by itself.
  private func savedActivity(since mark: Int) -> RawJSON? {
    let saves = relay.conversation.said(since: mark).filter {
      $0.method == "session/saveActivity" && $0.session == session
    }
    return saves.last?.look { $0["activity"]?.raw }
  }

  /// What it answers, or, where it leaves that out, what it saved last; nil is none.
  private func activityWhenAsked(since mark: Int) throws(Objection) -> RawJSON? {
    guard let answer = try goDown().last?.answer else { return nil }
    var activity: RawJSON?
    if case .result(let result) = answer {
      let document = JSONDocument()
      _ = try? document.read(result.bytes.span)
      activity = document.root["activity"]?.raw
    }
    let given = willConnect?.look { $0["sceneSession"]?["stateRestorationActivity"]?.raw }
    let found = activity ?? savedActivity(since: mark) ?? given
    return found == .null ? nil : found
  }

  // MARK: - Without a broker

  func lost() throws(Objection) {
    try enter()
    _ = try loseBroker()
  }

  /// Kills the broker and starts another; where the next broker's conversation begins, unless the
  /// client has ended.
  private func loseBroker() throws(Objection) -> Int? {
    let mark = relay.mark
    try killBroker()
    try startBroker()
    switch awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
    case .cameBack: return mark
    case .ended(.exited): return nil
    case .ended(.signalled(let signal)): throw .otherwise("it was ended by \(signal)")
    case .neither: throw .otherwise("it neither came back nor ended")
    }
  }

  func resume() throws(Objection) {
    try enter()
    guard let mark = try loseBroker() else { throw .otherwise(endWords) }
    let hold = willConnect?.look { $0["hold"]?.integer }
    let request = relay.conversation.said(since: mark).first { $0.method == "scene/connect" }
    let shown = request?.look { params -> Bool in
      params["session"]?.string == session && params["resume"]?["hold"]?.integer == hold
        && params["resume"]?["state"]?.string == "foregroundActive"
    }
    guard shown == true else {
      throw .otherwise("it came back with \(request?.body.description ?? "nothing")")
    }
    try act("wait", session, "foregroundActive")
    try act("settle")
    let calls = relay.conversation.calls(since: mark)
    guard calls.isEmpty else { throw .otherwise(calls.map(\.words).joined(separator: ", ")) }
    try goDown()
  }

  private var endWords: String { "it has \(process?.end?.told ?? "hung up")" }

  func shutdown() throws(Objection) {
    try enter()
    let mark = try shutDown()
    try startBroker()
    // It may also just stay where it is.
    if case .ended(.signalled(let signal)) = awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
      throw .otherwise("it was ended by \(signal)")
    }
  }

  /// Ends the broker in order; where the next broker's conversation begins.
  private func shutDown() throws(Objection) -> Int {
    let mark = relay.mark
    var failure: Objection?
    do throws(Objection) { try stopBroker() } catch { failure = error }
    try awaitCalls(since: mark, Self.down + ["didDisconnect"])
    if let failure { throw failure }
    return relay.mark
  }

  func restore() throws(Objection) {
    try enter()
    let mark = try shutDown()
    try startBroker()
    switch awaitEnd(orUntil: { $0.hasConnect(since: mark) }) {
    case .cameBack: break
    case .ended: throw .otherwise(endWords)
    case .neither: throw .otherwise("it did not come back")
    }
    try awaitCalls(since: mark, ["willConnect"] + Self.up)
  }

  // MARK: - What nobody knows yet

  func request() throws(Objection) {
    try enter()
    let mark = relay.mark
    relay.say("scene/fromTheFuture", isRequest: true, session: session)
    beginWaiting()
    _ = wait { $0.calls(since: mark).first?.isOver == true }
    guard let call = relay.conversation.calls(since: mark).first else {
      throw .otherwise("it could not be asked")
    }
    guard call.answer == .failure(-32601) else { throw .otherwise(call.words) }
    try goDown()
  }

  func notification() throws(Objection) {
    try enter()
    relay.say("scene/fromTheFuture", isRequest: false, session: session)
    try goDown()
    try move("activate", Self.up)
  }
}

extension Conversation {
  /// Whether the client has asked for a scene since a place.
  fileprivate func hasConnect(since mark: Int) -> Bool {
    said(since: mark).contains { $0.method == "scene/connect" }
  }
}
