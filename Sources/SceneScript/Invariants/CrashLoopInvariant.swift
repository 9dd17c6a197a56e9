import SceneModel

/// The broker withholds an activity only after several early ends in a row, and tells the client.
struct CrashLoopInvariant: Invariant {
  fileprivate struct Record {
    /// The scenes in a row that lost their connection before they reached their target. An end that
    /// a killed broker may not have recorded is doubtful.
    var earlyEnds = 0
    var doubtfulEnds = 0
    /// The withheld generation.
    var withheld: Int64?
    var newest: Int64?
    /// The generation that the client received, or with which the client replaced it.
    var given: Int64?
    /// The target state of the connected scene, and whether the scene has reached the target.
    var target: ActivationState?
    var hasArrived = false
  }

  /// The number of early ends that make a crash loop. A test compares this value with the broker's.
  static let endsOfACrashLoop = 3

  private let restored: [RunHistory.SessionHold: RunHistory.RestoredState]
  private var records: [SessionIdentifier: Record] = [:]

  init(_ history: RunHistory) { restored = history.contents.restored }

  mutating func begin(_ run: RunHistory.BrokerRun) {
    for (session, record) in records where record.target != nil {
      if !record.hasArrived { records[session]?.doubtfulEnds += 1 }
      records[session]?.target = nil
    }
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    switch entry.event {
    case .connected: return records[session, default: Record()].connect(entry)
    case .aimed: records[session]?.target = entry.state
    case .acknowledged: records[session]?.acknowledge(entry)
    case .saved: records[session, default: Record()].save(entry)
    case .disconnected: records[session]?.disconnect(entry)
    case .callback: return problem(with: entry, of: session)
    default: break
    }
    return nil
  }

  /// Compares what the client was told with what the trace says.
  private func problem(with entry: TraceEntry, of session: SessionIdentifier) -> String? {
    guard let hold = entry.hold,
      let restored = restored[RunHistory.SessionHold(session: session, hold: hold)],
      !restored.startsEmpty
    else { return nil }
    let withheld = records[session]?.withheld
    guard restored.withheld != withheld else { return nil }
    let (reported, actual) = (Self.words(restored.withheld), Self.words(withheld))
    return "the client was told that \(reported) withheld, but \(actual) withheld"
  }

  private static func words(_ generation: Int64?) -> String {
    generation.map { "generation \($0) is" } ?? "nothing is"
  }
}

extension CrashLoopInvariant.Record {
  fileprivate mutating func connect(_ entry: TraceEntry) -> String? {
    let before = withheld
    target = entry.state
    hasArrived = entry.reason == ConnectReason.resume.rawValue
    withheld = entry.withheld == nil ? nil : entry.generation
    newest = entry.generation
    given = entry.withheld == nil && entry.generation ?? 0 > 0 ? entry.generation : nil
    guard withheld != before else { return nil }
    guard let withheld else {
      return before.map { "generation \($0) was withheld and is restored without a new save" }
    }
    guard earlyEnds + doubtfulEnds < CrashLoopInvariant.endsOfACrashLoop else { return nil }
    return "generation \(withheld) is withheld after only \(earlyEnds) early ends in a row"
  }

  fileprivate mutating func acknowledge(_ entry: TraceEntry) {
    let kind = entry.sceneCallback
    // A request for the activity follows the last step to the background.
    if kind == .didEnterBackground { return }
    let arrival =
      kind == .stateRestorationActivity ? .background : kind.flatMap(StateTransition.init)?.arrival
    if let arrival, arrival == target { hasArrived = true }
  }

  fileprivate mutating func disconnect(_ entry: TraceEntry) {
    let left = [DisconnectReason.clientRequest, .refused].map(\.rawValue)
    if hasArrived || entry.reason.map(left.contains) == true {
      (earlyEnds, doubtfulEnds) = (0, 0)
    } else if entry.reason == DisconnectReason.connectionLost.rawValue, given != nil,
      given == newest
    {
      earlyEnds += 1
    }
    target = nil
  }

  /// A new activity resets the count, unless a scene replaces the activity that it received.
  fileprivate mutating func save(_ entry: TraceEntry) {
    withheld = nil
    if entry.by == nil, given != nil, given == newest {
      given = entry.generation
    } else {
      (earlyEnds, doubtfulEnds) = (0, 0)
    }
    newest = entry.generation
  }
}
