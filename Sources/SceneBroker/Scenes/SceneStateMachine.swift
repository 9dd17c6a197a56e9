package import SceneModel

/// The life cycle of a scene while one client holds the session.
///
/// The machine decides which callback is next and what a reply means. It sends nothing: `next`
/// returns an action, the broker builds and numbers the callback, and `sent` closes the step.
///
/// - At most one callback is pending.
/// - `target == .unattached` if and only if `intent != nil`.
/// - `state` changes only by a reply to a life-cycle callback, one step at a time.
final class SceneStateMachine {
  let session: SessionIdentifier
  let holder: ConnectionIdentifier
  let hold: Int64
  let isNew: Bool
  let reason: ConnectReason
  let options: ConnectionOptions
  /// The requested configuration, if the manifest has none of that name.
  let missingConfiguration: String?
  /// The highest target that the role of the session allows.
  let ceiling: ActivationState

  /// The state that the client has acknowledged.
  private(set) var state: ActivationState
  private(set) var target: ActivationState
  private(set) var pendingCallback: PendingCallback?
  private(set) var intent: DisconnectIntent?
  /// The monotonic time at which the scene was at its target first. Without it, the client may be
  /// one that the restored activity crashes.
  private(set) var reachedTarget: Int64?
  /// The generation of the activity that the client got, or that this client saved in its place
  /// before the scene reached its target. Nil if the client got none.
  var restoredGeneration: Int64?
  /// The number of a request for the activity that timed out. The broker still accepts its reply.
  var lateActivityRequest: Int64?
  /// Whether the scene has entered the background and the broker has not requested its activity.
  var needsActivitySave = false
  /// Saved activities that the client has not got.
  var activityUpdates: [Activity] = []

  var assertions: [Assertion] = []
  var pings = ScenePings()
  /// The most recently activated scene has the highest value.
  var foregroundOrder: UInt64 = 0
  /// The scene that entered the background last has the highest value.
  var backgroundOrder: UInt64 = 0
  /// The monotonic time at which the scene entered the background; nil in another state.
  var backgroundSince: Int64?

  /// A scene whose client connects, or resumes in a state.
  init(
    _ session: SessionIdentifier, holder: ConnectionIdentifier, hold: Int64,
    resumedIn state: ActivationState? = nil, target: ActivationState, isNew: Bool = false,
    reason: ConnectReason = .launch, options: ConnectionOptions = .none,
    missingConfiguration: String? = nil, restoredGeneration: Int64? = nil,
    ceiling: ActivationState = .foregroundActive
  ) {
    self.session = session
    self.holder = holder
    self.hold = hold
    self.state = state ?? .unattached
    // The time of a scene that resumes is unknown.
    reachedTarget = state == nil ? nil : 0
    self.target = target
    self.isNew = isNew
    self.reason = state == nil ? reason : .resume
    self.options = options
    self.missingConfiguration = missingConfiguration
    self.restoredGeneration = restoredGeneration
    self.ceiling = ceiling
  }

  // MARK: - The target

  /// Sets the target. Returns whether the target is another than before.
  ///
  /// The scene turns at its next step. An irrevocable intent cannot be replaced by another one.
  func setTarget(_ target: ActivationState, intent: DisconnectIntent?) -> Bool {
    precondition(
      self.intent?.isIrrevocable != true || intent?.isIrrevocable == true,
      "an irrevocable intent cannot be replaced")
    // The client got the reason with the last callback. A discard stays a discard.
    if !isLeaving, self.intent?.reason != .discarded { self.intent = intent }
    guard self.target != target else { return false }
    self.target = target
    return true
  }

  // MARK: - Callbacks

  enum Action {
    /// A callback is pending.
    case wait
    case requestActivity
    case updateActivity(Activity)
    /// `completes` is the delivery whose last callback this is.
    case deliver(Callback, completes: Int64?)
    case step(CallbackKind)
    case refresh
    /// The scene is at rest at its target.
    case rest
  }

  /// The next action. The session's pending work has deliveries and refreshes. `time` is monotonic.
  func next(_ pending: inout PendingActivations, at time: Int64) -> Action {
    guard pendingCallback == nil else { return .wait }
    if needsActivitySave { return .requestActivity }
    if !activityUpdates.isEmpty { return .updateActivity(activityUpdates.removeFirst()) }
    if target > .unattached, state > .unattached,
      let delivery = pending.nextDelivery(to: session, atRest: state == target)
    {
      return .deliver(delivery.callback, completes: delivery.completes)
    }
    if let step = LifecycleTransitions.next(from: state, toward: target) { return .step(step) }
    if pending.awaitsRefresh(session) { return .refresh }
    reachedTarget = reachedTarget ?? time
    return .rest
  }

  func sent(_ callback: PendingCallback) {
    precondition(pendingCallback == nil, "the client has not answered the callback before")
    assert(
      LifecycleTransitions.allows(callback.kind, in: state),
      "a scene that is \(state) cannot have \(callback.kind)")
    pendingCallback = callback
  }

  enum Outcome: Equatable {
    case disconnected(DisconnectIntent)
    /// The client does not want the scene.
    case refused
    case entered(ActivationState, from: ActivationState)
    /// The reply to the request for the activity.
    case activity
    /// The reply to a callback that is no step.
    case acknowledged
  }

  /// The client has replied to the pending callback.
  func replied(hasFailed: Bool) -> Outcome? {
    guard let callback = pendingCallback else { return nil }
    pendingCallback = nil
    switch callback.kind {
    case .willConnect:
      guard hasFailed else { return enter(.background) }
      // The client that ends a scene cancels the connection.
      guard let intent, intent.reason == .clientRequest else { return .refused }
      return .disconnected(intent)
    case .didDisconnect: return .disconnected(intent ?? DisconnectIntent(reason: .clientRequest))
    case .stateRestorationActivity:
      needsActivitySave = false
      return .activity
    default:
      if callback.kind == .didEnterBackground { needsActivitySave = true }
      return callback.kind.arrival.map { enter($0) } ?? .acknowledged
    }
  }

  private func enter(_ state: ActivationState) -> Outcome {
    assert(abs(state.rank - self.state.rank) == 1, "a reply moves the scene by one step")
    defer {
      self.state = state
      backgroundSince = nil
    }
    return .entered(state, from: self.state)
  }

  enum Timeout: Equatable {
    /// The watchdog ends the scene.
    case fatal
    /// The scene goes on without its activity. `obsolete` is an earlier request without a reply.
    case late(obsolete: Int64?)
  }

  /// The client has not replied in time.
  func timedOut() -> Timeout {
    guard let callback = pendingCallback, callback.kind == .stateRestorationActivity else {
      return .fatal
    }
    defer { lateActivityRequest = callback.number }
    pendingCallback = nil
    needsActivitySave = false
    return .late(obsolete: lateActivityRequest)
  }

  /// Whether the client got this generation and its scene has not reached its target since.
  func isRestoring(_ generation: Int64) -> Bool {
    reachedTarget == nil && restoredGeneration == generation
  }

  // MARK: - Lookup

  /// Whether the last callback is pending, so that no new target matters.
  var isLeaving: Bool { pendingCallback?.kind == .didDisconnect }

  /// Whether the scene is at its target, and its client has answered every callback.
  var isAtTarget: Bool {
    pendingCallback == nil && state == target && !needsActivitySave && activityUpdates.isEmpty
  }

  /// Whether the scene counts for a foreground limit. A role that only displays content does not.
  var countsForForeground: Bool {
    target >= .foregroundInactive && ceiling == .foregroundActive
  }

  /// Whether the client has the scene in the foreground, and is not about to leave it.
  var isInForeground: Bool {
    state > .background && pendingCallback?.kind != .didEnterBackground
  }

  /// Every invariant of the scene that does not hold, as the rest of a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    if (state == .unattached) != (pendingCallback?.kind == .willConnect) {
      flaws.append("is \(state), and runs \(String(describing: pendingCallback?.kind))")
    }
    if (target == .unattached) != (intent != nil) {
      flaws.append(
        "has the target \(target) and the intent \(String(describing: intent))")
    }
    return flaws
  }
}

/// A callback without a reply.
struct PendingCallback: Equatable {
  /// The number of the callback on its connection.
  let number: Int64
  let kind: CallbackKind
  /// The delivery whose last callback this is.
  var completes: Int64?
}

/// Why a scene moves to its end.
struct DisconnectIntent: Equatable {
  var reason: DisconnectReason
  var cause: DisconnectCause?
  /// The host that gets the session.
  var host: String?
  /// The animation of the request that discards the session.
  var dismissalAnimation: DismissalAnimation?

  /// A discard and a shutdown cannot be reversed.
  var isIrrevocable: Bool { reason == .discarded || reason == .shutdown }
}

/// The steps of the life cycle. Its four states are in one line, so there is one path between any
/// two states, with one callback for each step.
package enum LifecycleTransitions {
  /// The callback of the first step from one state toward another; nil if the two are the same.
  package static func next(
    from state: ActivationState, toward target: ActivationState
  ) -> CallbackKind? {
    if state < target { return up(from: state) }
    if state > target { return down(from: state) }
    return nil
  }

  /// Whether a scene in this state can have the callback.
  static func allows(_ callback: CallbackKind, in state: ActivationState) -> Bool {
    if callback.arrival == nil { return state > .unattached }
    return up(from: state) == callback || down(from: state) == callback
  }

  private static func up(from state: ActivationState) -> CallbackKind? {
    switch state {
    case .unattached: .willConnect
    case .background: .willEnterForeground
    case .foregroundInactive: .didBecomeActive
    case .foregroundActive: nil
    }
  }

  private static func down(from state: ActivationState) -> CallbackKind? {
    switch state {
    case .foregroundActive: .willResignActive
    case .foregroundInactive: .didEnterBackground
    case .background: .didDisconnect
    case .unattached: nil
    }
  }
}
