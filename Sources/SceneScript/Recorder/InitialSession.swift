import SceneModel

/// A session that exists before the recording begins, as far as the recording shows it.
struct InitialSession {
  let session: SessionIdentifier
  /// Its name in the first entry.
  let name: String?
  let state: InitialSceneState
  /// The process of the scene. A later `activate` finds its host by this identifier.
  let process: Int64
  /// The saved generation; 0 without a saved activity.
  let generation: Int64

  /// The sessions whose first entry does not create them, in the order of these entries.
  static func all(in entries: [TraceEntry], _ recording: TraceRecording) -> [InitialSession] {
    var known: Set<SessionIdentifier> = []
    return entries.enumerated().compactMap { index, entry in
      guard let session = entry.session, known.insert(session).inserted, !entry.isFirstOfSession
      else { return nil }
      let log = entries[index...].filter { $0.session == session }
      return InitialSession(session, entry, log, recording)
    }
  }

  /// Takes the first entry and all entries of the session.
  private init(
    _ session: SessionIdentifier, _ entry: TraceEntry, _ log: [TraceEntry],
    _ recording: TraceRecording
  ) {
    (self.session, name) = (session, entry.name)
    let last = recording.sessions?.first { $0.session == session }?.state
    state = InitialSceneState(log, last)
    process = (entry.client ?? log.first { $0.event == .connected }?.client)?.pid ?? 0
    let saved = log.first { $0.event == .saved }?.generation.map { $0 - 1 }
    let before = entry.event == .connected ? entry.generation : saved
    generation = before ?? recording.activities[session]?.keys.max() ?? 0
  }
}

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
