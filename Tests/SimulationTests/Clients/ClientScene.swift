import SceneBroker
import SceneModel

/// A scene as its client sees it.
struct ClientScene {
  let session: SessionIdentifier
  let hold: Int64
  /// The tick at which the client asked for the scene; nil if the broker assigned it.
  let asked: Int?
  /// The state that the client acknowledged last.
  var state = ActivationState.unattached
  /// The callback that the client has not answered.
  var running: (number: Int64, kind: CallbackKind)?
  /// The kind of the last callback.
  var lastKind: CallbackKind?
  /// Whether `willContinueUserActivity` came, and `continueUserActivity` did not come yet.
  var awaitsActivity = false
  /// When the client last answered, by the monotonic clock.
  var lastAnswer: Int64 = 0
  var standing = Standing.held
  /// The activity that the client would save now.
  var memory: Activity?

  enum Standing {
    case held
    /// The client got `didDisconnect`.
    case leaving
    /// The connection is lost. The client can resume the scene on another connection.
    case lost
    /// The client asked to resume the scene.
    case resuming
  }

  init(_ session: SessionIdentifier, hold: Int64, asked: Int?) {
    self.session = session
    self.hold = hold
    self.asked = asked
  }

  /// Starts a callback. Returns a complaint if the callback cannot come now. `mayEnd` says that
  /// another client has disconnected the session.
  mutating func begin(
    _ number: Int64, _ callback: Callback, at now: Int64, mayEnd: Bool
  ) -> String? {
    let kind = callback.kind
    guard standing == .held else { return "\(kind) for a scene that is \(standing)" }
    let isCut = callback.isCut || mayEnd && kind == .didDisconnect
    if !isCut, let flaw = clash(with: callback, at: now) ?? misstep(kind) { return flaw }
    lastKind = kind
    if kind == .willContinueUserActivity { awaitsActivity = true }
    if kind == .continueUserActivity { awaitsActivity = false }
    if kind == .didDisconnect { standing = .leaving }
    running = (number, kind)
    return nil
  }

  /// Callbacks of a scene come one at a time. There are two exceptions: a cut is reported at once,
  /// and the broker stops waiting for the activity after its budget.
  private func clash(with callback: Callback, at now: Int64) -> String? {
    guard let running else { return nil }
    if running.kind == .stateRestorationActivity,
      now - lastAnswer >= Budgets().standard.nanoseconds
    {
      return nil
    }
    return "\(callback.kind) while \(running.kind) waits for its answer"
  }

  /// Returns a complaint if the callback cannot follow the scene's state.
  private func misstep(_ kind: CallbackKind) -> String? {
    let fits =
      switch kind {
      case .willConnect: state == .unattached && lastKind == nil
      case .willEnterForeground: state == .background
      case .didBecomeActive, .didEnterBackground: state == .foregroundInactive
      case .willResignActive: state == .foregroundActive
      case .stateRestorationActivity: state == .background && lastKind == .didEnterBackground
      case .didDisconnect: state == .background
      // Follows the request for the activity: in the background, or later if the answer was late.
      case .didUpdateUserActivity: state > .unattached
      case .continueUserActivity: state > .unattached && awaitsActivity
      default: state > .unattached && !awaitsActivity
      }
    return fits
      ? nil : "\(kind) in \(state), after \(lastKind.map { "\($0)" } ?? "nothing")"
  }

  /// Ends the callback that the client answers.
  mutating func answer(_ kind: CallbackKind, at now: Int64) {
    running = nil
    lastAnswer = now
    if let arrived = kind.arrival, kind != .didDisconnect { state = arrived }
  }
}

extension Callback {
  /// Whether the callback reports a cut, which does not wait for other callbacks.
  fileprivate var isCut: Bool {
    guard let message = message as? DidDisconnect else { return false }
    return [.replaced, .watchdog, .shutdown].contains(message.reason)
  }
}
