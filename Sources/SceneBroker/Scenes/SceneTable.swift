import SceneModel

/// The scenes by their sessions, with the order in which they became active or entered the
/// background.
///
/// - `counts` has the number of scenes in each state, by its rank. Only `replied` changes a state.
struct SceneTable {
  private(set) var all: [SessionIdentifier: SceneStateMachine] = [:]
  private var counts = Array(repeating: 0, count: ActivationState.allCases.count)
  /// The order of the scene that was activated last.
  private var lastForegroundOrder: UInt64 = 0
  /// The order of the scene that entered the background last.
  private var lastBackgroundOrder: UInt64 = 0
  private var lastAssertion: Int64 = 0
  /// Whether scenes in the background have changed, or the reclaim policy has.
  var needsReclaimCheck = false

  mutating func returnUnusedMemory() { all.returnUnusedCapacity() }

  // MARK: - Changes

  /// A client becomes the scene of a session.
  mutating func insert(_ scene: SceneStateMachine, at time: Int64) {
    precondition(all[scene.session] == nil, "the session has a scene")
    all[scene.session] = scene
    counts[scene.state.rank] += 1
    if scene.state == .background { stampBackground(scene, at: time) }
  }

  mutating func remove(_ session: SessionIdentifier) {
    guard let scene = all.removeValue(forKey: session) else { return }
    counts[scene.state.rank] -= 1
  }

  /// The client has replied to the pending callback. The scene may enter another state.
  mutating func replied(
    _ scene: SceneStateMachine, hasFailed: Bool, at time: Int64
  ) -> SceneStateMachine.Outcome? {
    let outcome = scene.replied(hasFailed: hasFailed)
    if case .entered(let state, let before) = outcome {
      counts[before.rank] -= 1
      counts[state.rank] += 1
      if state == .background { stampBackground(scene, at: time) }
    }
    return outcome
  }

  /// The scene is the most recently activated one.
  mutating func stampForeground(_ scene: SceneStateMachine) {
    lastForegroundOrder += 1
    scene.foregroundOrder = lastForegroundOrder
  }

  private mutating func stampBackground(_ scene: SceneStateMachine, at time: Int64) {
    lastBackgroundOrder += 1
    (scene.backgroundOrder, scene.backgroundSince) = (lastBackgroundOrder, time)
  }

  // MARK: - Assertions

  /// Keeps a scene from being reclaimed. Returns the number of the assertion.
  mutating func addAssertion(named name: String, to scene: SceneStateMachine) -> Int64 {
    lastAssertion += 1
    scene.assertions.append(Assertion(identifier: lastAssertion, name: name))
    return lastAssertion
  }

  mutating func removeAssertion(_ assertion: Int64, of session: SessionIdentifier) {
    all[session]?.assertions.removeAll { $0.identifier == assertion }
    needsReclaimCheck = true
  }

  func session(with assertion: Int64) -> SessionIdentifier? {
    all.first { $0.value.assertions.contains { $0.identifier == assertion } }?.key
  }

  // MARK: - Lookup

  subscript(session: SessionIdentifier) -> SceneStateMachine? { all[session] }

  /// The least recently activated scenes beyond a limit of the foreground, in that order.
  func foregroundExcess(limit: Int) -> [SessionIdentifier] {
    all.values.filter(\.countsForForeground)
      .sorted { ($0.foregroundOrder, $0.session) < ($1.foregroundOrder, $1.session) }
      .dropLast(limit).map(\.session)
  }

  /// The scenes in the background with a target in the background.
  var background: [SceneStateMachine] {
    all.values.filter { $0.state == .background && $0.target == .background }
  }

  /// Whether the request waits for the end of the scene. A request of the scene's own client does
  /// not.
  func isAwaited(_ session: SessionIdentifier, by requester: Requester) -> Bool {
    guard requester.request != nil, let holder = all[session]?.holder else { return false }
    return holder != requester.connection
  }

  /// The highest state of a scene.
  var highestState: ActivationState {
    ActivationState.allCases.last { counts[$0.rank] > 0 } ?? .unattached
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    var counted = counts.map { _ in 0 }
    for (session, scene) in all {
      counted[scene.state.rank] += 1
      if scene.session != session { flaws.append("\(session) has another scene") }
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
    if counted != counts { flaws.append("the state counts differ from the scenes") }
    return flaws
  }
}
