import SceneBroker
import SceneModel

/// A scene as its client sees it.
struct ClientScene {
  let session: SessionIdentifier
  let hold: Int64
  /// When its client asked for it, in ticks; nil for one that was brought.
  let asked: Int?
  /// What the client has acknowledged.
  var state = ActivationState.unattached
  /// The callback that waits for the client's answer.
  var running: (number: Int64, kind: CallbackKind)?
  /// The callback before it.
  var lastKind: CallbackKind?
  /// Whether it was told that an activity is to be continued, and not yet which.
  var awaitsActivity = false
  /// When the client last answered, by the monotonic clock.
  var lastAnswer: Int64 = 0
  var standing = Standing.held
  /// What it would have saved of itself now.
  var memory: Activity?

  enum Standing {
    case held
    /// It was told `didDisconnect`.
    case leaving
    /// The connection is gone; the client may go on with another.
    case lost
    /// The client has asked to go on.
    case resuming
  }

  init(_ session: SessionIdentifier, hold: Int64, asked: Int?) {
    self.session = session
    self.hold = hold
    self.asked = asked
  }

  /// Takes in a callback; the words of a complaint if it cannot come now.
  mutating func begin(_ number: Int64, _ callback: Callback, at now: Int64) -> String? {
    let kind = callback.kind
    guard standing == .held else { return "\(kind) for a scene that is \(standing)" }
    if let flaw = clash(with: callback, at: now) ?? misstep(kind, callback) { return flaw }
    lastKind = kind
    if kind == .willContinueUserActivity { awaitsActivity = true }
    if kind == .continueUserActivity { awaitsActivity = false }
    if kind == .didDisconnect { standing = .leaving }
    running = (number, kind)
    return nil
  }

  /// Callbacks of a scene come one at a time; only a scene that is cut is told so at once, and
  /// asking for the activity is given up after its budget.
  private func clash(with callback: Callback, at now: Int64) -> String? {
    guard let running else { return nil }
    if callback.isCut { return nil }
    if running.kind == .stateRestorationActivity,
      now - lastAnswer >= Budgets().standard.nanoseconds
    {
      return nil
    }
    return "\(callback.kind) while \(running.kind) waits for its answer"
  }

  /// The line of states has one way from each to each.
  private func misstep(_ kind: CallbackKind, _ callback: Callback) -> String? {
    let fits =
      switch kind {
      case .willConnect: state == .unattached && lastKind == nil
      case .willEnterForeground: state == .background
      case .didBecomeActive, .didEnterBackground: state == .foregroundInactive
      case .willResignActive: state == .foregroundActive
      case .stateRestorationActivity: state == .background && lastKind == .didEnterBackground
      case .didDisconnect: state == .background || callback.isCut
      case .openURLContexts, .performActionForShortcutItem, .didReceiveNotificationResponse:
        state > .unattached && !awaitsActivity
      // What it is told of was asked for in the background, where it still is, or was late.
      case .didUpdateUserActivity: state > .unattached
      case .willContinueUserActivity, .refresh: state > .unattached && !awaitsActivity
      case .continueUserActivity: state > .unattached && awaitsActivity
      }
    return fits
      ? nil : "\(kind) in \(state), after \(lastKind.map { "\($0)" } ?? "nothing")"
  }

  /// The client answers the callback that runs.
  mutating func answer(_ kind: CallbackKind, at now: Int64) {
    running = nil
    lastAnswer = now
    if let arrived = kind.arrival, kind != .didDisconnect { state = arrived }
  }
}

extension Callback {
  /// Whether it reports an end that no client waits for.
  fileprivate var isCut: Bool {
    guard case .didDisconnect(let message) = self else { return false }
    return [.replaced, .watchdog, .shutdown].contains(message.reason)
  }
}
