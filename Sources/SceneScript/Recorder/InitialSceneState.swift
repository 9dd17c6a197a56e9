import SceneModel

/// The state of a session before its first trace entry.
enum InitialSceneState: Equatable {
  case active
  case interrupted
  case background
  /// The last client lost its connection.
  case killed
  case closed
  case reclaimed

  /// Infers the state from the entries of the session and from its final state.
  init(_ log: [TraceEntry], _ end: ActivationState?) {
    guard log.first?.event == .connected || log.first?.client == nil else {
      self = Self.running(log, end)
      return
    }
    // No process had the scene before the first connection, so its reason says how the last one
    // ended.
    guard let first = log.first(where: { $0.event == .connected }) else {
      self = .closed
      return
    }
    self =
      switch first.reason.map(ConnectReason.init(rawValue:)) {
      case .resume: first.state == .background ? .background : .active
      case .recover: .killed
      case .activation: .reclaimed
      default: .closed
      }
  }

  /// The state before the first requested move. Callbacks before that move have an unknown cause,
  /// so their effects count as done.
  private static func running(_ log: [TraceEntry], _ end: ActivationState?) -> InitialSceneState {
    let untold = log.prefix { $0.event == .callback || $0.event == .acknowledged }
    if let arrival = untold.last(where: { $0.kind?.arrival != nil })?.kind?.arrival {
      return InitialSceneState(arrival)
    }
    let move = log.first { $0.kind?.arrival != nil || $0.event == .disconnected }
    switch move?.kind {
    case .willEnterForeground: return .background
    case .didBecomeActive, .didEnterBackground: return .interrupted
    case .didDisconnect where move?.reason != DisconnectReason.replaced.rawValue:
      return .background
    case nil where move == nil:
      // The scene never moves, so its final state is its first.
      return InitialSceneState(end ?? .foregroundActive)
    default: return .active
    }
  }

  private init(_ state: ActivationState) {
    self =
      switch state {
      case .foregroundActive: .active
      case .foregroundInactive: .interrupted
      case .background, .unattached: .background
      }
  }

  var isForeground: Bool { self == .active || self == .interrupted }
}

extension TraceEntry {
  fileprivate var kind: CallbackKind? { callback.flatMap(CallbackKind.init(rawValue:)) }
}
