import SceneModel

/// What was there before anything was told.
extension Retelling {
  /// Makes the sessions that were there before anything was told, as they seem to have been.
  mutating func tellWhatWasBefore(_ entries: [TraceEntry]) {
    var known: Set<SessionIdentifier> = []
    for (index, entry) in entries.enumerated() {
      guard let session = entry.session, known.insert(session).inserted, !entry.isFirstOfSession
      else { continue }
      meet(session, entry)
      make(session, entry, entries[index...].filter { $0.session == session })
    }
    // What is made here goes on below a title of its own, and so does what was recorded.
    titleToCome = acts.count > 1 ? "What was recorded." : nil
  }

  private mutating func make(
    _ session: SessionIdentifier, _ entry: TraceEntry, _ story: [TraceEntry]
  ) {
    let last = recording.sessions?.first { $0.session == session }?.state
    let start = Beginning(story, last)
    // A later `activate` finds its host by this process identifier.
    let process = (entry.client ?? story.first { $0.event == .connected }?.client)?.pid ?? 0
    var words = ["client"] + cast.start(process, session)
    if !start.isForeground { words.append("--background") }
    if acts.count == 1 { titleToCome = "What was there before it, as far as that is known." }
    add(RecordedAct(.line(words.joined(separator: " ")), isTraced: false))
    let saved = story.first { $0.event == .saved }?.generation.map { $0 - 1 }
    let before = entry.event == .connected ? entry.generation : saved
    if let generation = before ?? recording.activities[session]?.keys.max(), generation > 0 {
      save(generation, of: session, isAttached: true)
    }
    guard let name = cast.holder(of: session)?.name else { return }
    switch start {
    case .active, .background: attached.insert(session)
    case .interrupted:
      attached.insert(session)
      add(RecordedAct(.control("interrupt", [cast.label(session)]), isTraced: false))
    case .lost: end(session, "kill \(name)")
    case .gone: end(session, "\(name): close")
    case .reclaimed:
      add(RecordedAct(.control("reclaim", [cast.label(session)]), isTraced: false))
    }
  }

  private mutating func end(_ session: SessionIdentifier, _ line: String) {
    add(RecordedAct(.line(line)))
    cast.change(session) { $0.isOver = true }
  }
}

/// How a session was before something was told of it.
private enum Beginning: Equatable {
  case active
  case interrupted
  case background
  /// Its last client had gone without a word.
  case lost
  case gone
  case reclaimed

  /// From all that was told of it, and where it is in the end.
  init(_ story: [TraceEntry], _ end: ActivationState?) {
    guard story.first?.event == .connected || story.first?.client == nil else {
      self = Self.alive(story, end)
      return
    }
    // No process had the scene before the first connection, so its reason says how the last one ended.
    guard let first = story.first(where: { $0.event == .connected }) else {
      self = .gone
      return
    }
    self =
      switch first.reason.map(ConnectReason.init(rawValue:)) {
      case .resume: first.state == .background ? .background : .active
      case .recover: .lost
      case .activation: .reclaimed
      default: .gone
      }
  }

  /// Where a scene had come to when it was first asked to be elsewhere. What it was called for before
  /// comes of something that is not known: that has happened already.
  private static func alive(_ story: [TraceEntry], _ end: ActivationState?) -> Beginning {
    let untold = story.prefix { $0.event == .callback || $0.event == .acknowledged }
    if let arrival = untold.last(where: { $0.kind?.arrival != nil })?.kind?.arrival {
      return Beginning(arrival)
    }
    let move = story.first { $0.kind?.arrival != nil || $0.event == .disconnected }
    switch move?.kind {
    case .willEnterForeground: return .background
    case .didBecomeActive, .didEnterBackground: return .interrupted
    case .didDisconnect where move?.reason != DisconnectReason.replaced.rawValue:
      return .background
    case nil where move == nil:
      // Nothing moves it, so it is where it stays.
      return Beginning(end ?? .foregroundActive)
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
  /// Whether the session did not exist before it, or had never had a scene.
  fileprivate var isFirstOfSession: Bool {
    event == .created || event == .connected && reason == ConnectReason.launch.rawValue
  }

  fileprivate var kind: CallbackKind? { callback.flatMap(CallbackKind.init(rawValue:)) }
}
