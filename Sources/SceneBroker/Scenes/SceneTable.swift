import SceneModel

/// The scenes by their sessions, with the order in which they became active or entered the
/// background.
///
/// - `counts` has the number of scenes in each state.
/// - A scene changes in place. Only `replied` changes its state.
struct SceneTable {
  private var scenes: [SessionIdentifier: SceneStateMachine] = [:]
  private var counts = StateCounts()
  /// The order of the scene that was activated last.
  private var lastForegroundOrder: UInt64 = 0
  /// The order of the scene that entered the background last.
  private var lastBackgroundOrder: UInt64 = 0
  private var lastAssertion: Int64 = 0
  /// Nil until the first use of a foreground limit.
  private var foreground: ForegroundOrder?
  /// Whether scenes in the background have changed, so that the reclaim policy must run.
  private var needsReclaimCheck = false

  mutating func returnUnusedMemory() { scenes.returnUnusedCapacity() }

  // MARK: - Changes

  /// A client becomes the scene of a session.
  mutating func insert(
    _ scene: SceneStateMachine, for session: SessionIdentifier, at time: Int64
  ) {
    precondition(scenes[session] == nil, "the session has a scene")
    scenes[session] = scene
    counts.add(scene.state)
    foreground?.replace(nil, by: scene.foregroundEntry(session))
    if scene.state == .background { stampBackground(session, at: time) }
  }

  mutating func remove(_ session: SessionIdentifier) {
    guard let scene = scenes.removeValue(forKey: session) else { return }
    counts.remove(scene.state)
    foreground?.replace(scene.foregroundEntry(session), by: nil)
  }

  /// Changes a scene in place, except its state. Returns nil without a scene.
  @discardableResult
  mutating func modify<Value>(
    _ session: SessionIdentifier, _ change: (inout SceneStateMachine) -> Value
  ) -> Value? {
    guard let index = scenes.index(forKey: session) else { return nil }
    let state = scenes.values[index].state
    let before = foreground == nil ? nil : scenes.values[index].foregroundEntry(session)
    defer {
      assert(scenes.values[index].state == state, "only a reply changes the state")
      foreground?.replace(before, by: scenes.values[index].foregroundEntry(session))
    }
    return change(&scenes.values[index])
  }

  /// The client has replied to the pending callback. The scene may enter another state.
  mutating func replied(
    _ session: SessionIdentifier, hasFailed: Bool, at time: Int64
  ) -> SceneStateMachine.Outcome? {
    guard let index = scenes.index(forKey: session) else { return nil }
    let outcome = scenes.values[index].replied(hasFailed: hasFailed)
    if case .entered(let state, let before) = outcome {
      counts.remove(before)
      counts.add(state)
      if state == .background { stampBackground(session, at: time) }
    }
    return outcome
  }

  /// The next action of a scene. The session's pending work has deliveries and refreshes.
  mutating func next(
    _ session: SessionIdentifier, _ pending: inout PendingActivations
  ) -> SceneStateMachine.Action? {
    guard let index = scenes.index(forKey: session) else { return nil }
    return scenes.values[index].next(session, &pending)
  }

  /// The scene is the most recently activated one.
  mutating func stampForeground(_ session: SessionIdentifier) {
    lastForegroundOrder += 1
    let order = lastForegroundOrder
    modify(session) { $0.enteredForeground(order: order) }
  }

  private mutating func stampBackground(_ session: SessionIdentifier, at time: Int64) {
    lastBackgroundOrder += 1
    let order = lastBackgroundOrder
    modify(session) { $0.enteredBackground(order: order, at: time) }
  }

  // MARK: - Assertions

  /// Keeps a scene from being reclaimed. Returns the number of the assertion.
  mutating func addAssertion(named name: String, to session: SessionIdentifier) -> Int64 {
    lastAssertion += 1
    let assertion = Assertion(identifier: lastAssertion, name: name)
    modify(session) { $0.add(assertion) }
    return lastAssertion
  }

  mutating func removeAssertion(_ assertion: Int64, of session: SessionIdentifier) {
    modify(session) { $0.removeAssertion(assertion) }
    needsReclaimCheck = true
  }

  func session(with assertion: Int64) -> SessionIdentifier? {
    scenes.first { $0.value.assertions.contains { $0.identifier == assertion } }?.key
  }

  // MARK: - Policies

  /// Scenes in the background have changed, or the reclaim policy has.
  mutating func requestReclaimCheck() { needsReclaimCheck = true }

  /// Whether the reclaim policy must run.
  mutating func takeReclaimCheck() -> Bool {
    defer { needsReclaimCheck = false }
    return needsReclaimCheck
  }

  /// The least recently activated scenes beyond a limit of the foreground, in that order.
  mutating func foregroundExcess(limit: Int) -> [SessionIdentifier] {
    let order = foreground ?? foregroundOrder
    foreground = order
    return order.excess(limit: limit)
  }

  private var foregroundOrder: ForegroundOrder {
    ForegroundOrder(scenes.compactMap { $0.value.foregroundEntry($0.key) })
  }

  /// The scenes in the background with a target in the background.
  var background: [Reclaimer.Candidate] {
    scenes.filter { $0.value.state == .background && $0.value.target == .background }.map {
      Reclaimer.Candidate(
        session: $0.key, order: $0.value.backgroundOrder, since: $0.value.backgroundSince,
        hasAssertion: !$0.value.assertions.isEmpty)
    }
  }

  // MARK: - Lookup

  subscript(session: SessionIdentifier) -> SceneStateMachine? { scenes[session] }

  func contains(_ session: SessionIdentifier) -> Bool { scenes.index(forKey: session) != nil }

  /// Reads from a scene without a copy of the scene. Returns nil without a scene.
  func read<Value>(
    _ session: SessionIdentifier, _ value: (SceneStateMachine) -> Value
  ) -> Value? {
    scenes.index(forKey: session).map { value(scenes.values[$0]) }
  }

  func holder(of session: SessionIdentifier) -> ConnectionIdentifier? {
    read(session) { $0.holder }
  }

  /// Whether the request waits for the end of the scene. A request of the scene's own client does
  /// not.
  func isAwaited(_ session: SessionIdentifier, by requester: Requester) -> Bool {
    guard requester.request != nil, let holder = holder(of: session) else { return false }
    return holder != requester.connection
  }

  func state(of session: SessionIdentifier) -> ActivationState? { read(session) { $0.state } }

  func target(of session: SessionIdentifier) -> ActivationState? { read(session) { $0.target } }

  func isLeaving(_ session: SessionIdentifier) -> Bool { read(session) { $0.isLeaving } ?? false }

  /// Whether the scene is at its target, and its client has answered every callback.
  func isAtTarget(_ session: SessionIdentifier) -> Bool {
    read(session) { $0.isAtTarget } ?? false
  }

  /// Whether the client got this generation and its scene has not reached its target since.
  func isRestoring(_ generation: Int64, in session: SessionIdentifier) -> Bool {
    read(session) { $0.isRestoring(generation) } ?? false
  }

  var count: Int { scenes.count }
  var isEmpty: Bool { scenes.isEmpty }
  var sessions: Dictionary<SessionIdentifier, SceneStateMachine>.Keys { scenes.keys }
  var all: [SessionIdentifier: SceneStateMachine] { scenes }

  /// The highest state of a scene.
  var highestState: ActivationState { counts.highest }

  /// The clients with a callback without a reply.
  var awaitedClients: Set<ConnectionIdentifier> {
    Set(scenes.values.lazy.filter { $0.pendingCallback != nil }.map(\.holder))
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    var counted = StateCounts()
    for (session, scene) in scenes {
      counted.add(scene.state)
      flaws += scene.flaws.map { "\(session) \($0)" }
      if scene.foregroundOrder > lastForegroundOrder || scene.backgroundOrder > lastBackgroundOrder
      {
        flaws.append("\(session) has an order beyond the last one")
      }
      if (scene.state == .background) != (scene.backgroundSince != nil) {
        flaws.append("\(session) is \(scene.state), and has the time of another state")
      }
      if scene.assertions.contains(where: { $0.identifier > lastAssertion }) {
        flaws.append("\(session) has an assertion beyond the last one")
      }
    }
    if let foreground, foreground != foregroundOrder {
      flaws.append("the foreground order differs from the scenes")
    }
    if counted != counts { flaws.append("the state counts differ from the scenes") }
    return flaws
  }
}
