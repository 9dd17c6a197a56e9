import SceneModel

/// An activity is kept from a scene only where it has brought down several before, and the scene's
/// client is told so.
struct WithholdingRule: StandingRule {
  fileprivate struct Record {
    /// How many scenes in a row ended without a word before they had arrived; of what a broker that
    /// died was about to note, nobody knows.
    var earlyEnds = 0
    var doubtfulEnds = 0
    /// The generation that is kept from scenes.
    var withheld: Int64?
    /// The newest generation.
    var newest: Int64?
    /// The generation that the client was given, or that it has replaced it with.
    var given: Int64?
    /// Where the scene that is there should be, and whether it has got there.
    var target: ActivationState?
    var hasArrived = false
  }

  /// What ends so often in a row is taken for a crash loop; the broker has a number of its own.
  static let endsOfACrashLoop = 3

  private let handed: [StagedStory.Handover: StagedStory.Handed]
  private var records: [SessionIdentifier: Record] = [:]

  init(_ story: StagedStory) { handed = story.contents.handed }

  mutating func begin(_ life: StagedStory.Life) {
    for (session, record) in records where record.target != nil {
      if !record.hasArrived { records[session]?.doubtfulEnds += 1 }
      records[session]?.target = nil
    }
  }

  mutating func take(_ entry: TraceEntry) -> String? {
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

  /// Whether a client was told what the broker tells.
  private func problem(with entry: TraceEntry, of session: SessionIdentifier) -> String? {
    guard let hold = entry.hold, let handed = handed[StagedStory.Handover(session, hold: hold)],
      !handed.beginsAfresh
    else { return nil }
    let withheld = records[session]?.withheld
    guard handed.withheld != withheld else { return nil }
    let (told, done) = (Self.words(handed.withheld), Self.words(withheld))
    return "its client was told that \(told) withheld; \(done)"
  }

  private static func words(_ generation: Int64?) -> String {
    generation.map { "generation \($0) is" } ?? "nothing is"
  }
}

extension WithholdingRule.Record {
  fileprivate mutating func connect(_ entry: TraceEntry) -> String? {
    let before = withheld
    target = entry.state
    hasArrived = entry.reason == ConnectReason.resume.rawValue
    withheld = entry.withheld == nil ? nil : entry.generation
    newest = entry.generation
    given = entry.withheld == nil && entry.generation ?? 0 > 0 ? entry.generation : nil
    guard withheld != before else { return nil }
    guard let withheld else {
      return before.map { "generation \($0) was withheld, and is given again without a save" }
    }
    guard earlyEnds + doubtfulEnds < WithholdingRule.endsOfACrashLoop else { return nil }
    return "generation \(withheld) is withheld, and of its scenes only \(earlyEnds) in a row ended "
      + "early"
  }

  fileprivate mutating func acknowledge(_ entry: TraceEntry) {
    let kind = entry.callback.flatMap(CallbackKind.init(rawValue:))
    // Behind the last step to the background something is still asked.
    if kind == .didEnterBackground { return }
    let arrival =
      kind == .stateRestorationActivity ? .background : kind.flatMap(LineStep.init)?.arrival
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

  /// A new activity has its own tries, unless a scene replaces the activity that it was given.
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
