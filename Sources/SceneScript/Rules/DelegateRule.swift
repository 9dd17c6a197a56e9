import SceneModel

/// An application delegate is asked once for each session that is made while it is there, and told of
/// each discard under one identifier, of nothing else; by what delegates have heard. Where one is
/// required, nothing is made before it was launched.
struct DelegateRule: StandingRule {
  private let delegates: [StagedStory.Delegate]
  /// The sessions that one was asked about, by what it has heard or by what was told of it.
  private var asked: Set<SessionIdentifier> = []
  private let reported: Set<SessionIdentifier>

  private var discarded: Set<SessionIdentifier> = []
  private var participation = DelegateParticipation.builtIn
  private var present: DelegatePresence?
  private var hasLaunched = false
  private var hasRoom = true
  /// Made without a question, though there was somebody to be asked.
  private var unasked: Set<SessionIdentifier> = []
  /// What is discarded and to be reported, by the directory in which that is kept.
  private var owed: [String: Set<SessionIdentifier>] = [:]
  private var state = Self.nowhere
  private var attached: Set<SessionIdentifier> = []

  /// Of a broker that keeps nothing.
  private static let nowhere = ""

  init(_ story: StagedStory) {
    delegates = story.contents.delegates
    var reported: Set<SessionIdentifier> = []
    for hearing in delegates.flatMap(\.hearings) {
      switch hearing {
      case .question(let session): asked.insert(session)
      case .report(_, let sessions): reported.formUnion(sessions)
      }
    }
    self.reported = reported
  }

  mutating func begin(_ life: StagedStory.Life) {
    participation = life.declared.applicationDelegate
    (present, hasLaunched, hasRoom) = (nil, false, true)
    (unasked, attached) = ([], [])
    state = life.state ?? Self.nowhere
    owed[Self.nowhere] = nil
  }

  mutating func take(_ entry: TraceEntry) -> String? {
    if let kind = entry.callback.flatMap(DelegateCallbackKind.init(rawValue:)) {
      return converse(kind, entry)
    }
    switch entry.event {
    case .storage: hasRoom = entry.reason == Self.enough
    case .left where entry.client?.pid == present?.process:
      // What nobody had been asked yet was decided without it.
      (present, unasked) = (nil, [])
    case .connected: if let session = entry.session { attached.insert(session) }
    case .disconnected: if let session = entry.session { attached.remove(session) }
    case .created: return entry.session.flatMap { make($0, by: entry.by) }
    case .discarded: if let session = entry.session { discard(session, entry) }
    default: break
    }
    return nil
  }

  /// As the disk is said to have room.
  private static let enough = "ok"

  private mutating func converse(_ kind: DelegateCallbackKind, _ entry: TraceEntry) -> String? {
    let isAnswered = entry.event == .acknowledged || entry.event == .failed
    switch entry.event {
    case .callback where kind == .willFinishLaunching:
      present = entry.client.map { DelegatePresence(process: $0.pid) }
    case .callback where kind == .willTerminate:
      present = nil
    case .callback:
      if kind == .configurationForConnecting, let session = entry.session { asked.insert(session) }
      present?.isCalled = true
    case .acknowledged, .failed, .overran:
      present?.isCalled = false
      present?.isSilent = !isAnswered
      if kind == .didFinishLaunching { present?.isLaunched = true }
      // Where it does not answer, nobody waits for the rest of its launch.
      if kind == .didFinishLaunching || !isAnswered { hasLaunched = true }
    default: break
    }
    return nil
  }

  private mutating func make(
    _ session: SessionIdentifier, by maker: ClientReference?
  ) -> String? {
    // Of a session that the broker makes by itself, and of its own, a delegate is not asked.
    guard let maker, !delegates.contains(where: { $0.process == maker.pid }),
      maker.pid != present?.process, !asked.contains(session)
    else { return nil }
    if participation == .required, !hasLaunched {
      return "it was made before an application delegate was launched, which is required"
    }
    if participation != .builtIn, present?.isListening == true { unasked.insert(session) }
    return nil
  }

  private mutating func discard(_ session: SessionIdentifier, _ entry: TraceEntry) {
    discarded.insert(session)
    // One that has come to nothing was never there for a delegate, and has a reason.
    guard entry.reason == nil else { return }
    let isKept =
      switch participation {
      case .builtIn: false
      case .optional: present != nil
      case .required: true
      }
    if isKept { owed[state, default: []].insert(session) }
  }

  mutating func rest(_ rest: StagedStory.Rest) -> [(SessionIdentifier?, String)] {
    guard let present, present.isListening, !present.isCalled,
      !rest.silent.contains(present.process)
    else { return [] }
    let questions = unasked.sorted().map { session in
      (session as SessionIdentifier?, "it was made, and the application delegate was not asked")
    }
    unasked = []
    // What is discarded together is told when the last scene of it has gone.
    guard participation != .builtIn, hasRoom, attached.isDisjoint(with: discarded),
      delegates.contains(where: { $0.process == present.process })
    else { return questions }
    let missing = (owed.removeValue(forKey: state) ?? []).subtracting(reported)
    return questions
      + missing.sorted().map {
        ($0, "it was discarded, and the application delegate was not told")
      }
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    var asked: Set<SessionIdentifier> = []
    var reports: [String: Set<SessionIdentifier>] = [:]
    var reported: [SessionIdentifier: String] = [:]
    var problems: [(SessionIdentifier, String)] = []
    for hearing in delegates.flatMap(\.hearings) {
      switch hearing {
      case .question(let session):
        guard !asked.insert(session).inserted else { continue }
        problems.append((session, "a delegate was asked twice what it is made from"))
      case .report(let report, let sessions):
        let before = reports.updateValue(Set(sessions), forKey: report)
        for session in sessions {
          if let before, !before.contains(session) {
            problems.append((session, "report \(report) told of it, and before of others"))
          }
          if let other = reported.updateValue(report, forKey: session), other != report {
            problems.append((session, "it was reported as \(other) and as \(report)"))
          }
          if !discarded.contains(session), !story.untoldDiscards.contains(session) {
            problems.append((session, "it was reported as discarded, which it was not"))
          }
        }
      }
    }
    return problems
  }
}

/// An application delegate that is there.
private struct DelegatePresence {
  let process: Int64
  /// Whether it has been told that it is launched, and is asked from then on.
  var isLaunched = false
  /// Whether something waits for its answer.
  var isCalled = false
  /// Whether it has left something unanswered: nothing more is asked until it says something.
  var isSilent = false

  var isListening: Bool { isLaunched && !isSilent }
}
