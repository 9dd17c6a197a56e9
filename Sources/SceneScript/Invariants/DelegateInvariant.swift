import SceneModel

/// An application delegate is asked once for each new session, and gets one report of each discard.
///
/// If a delegate is required, the broker creates no session before a delegate has launched.
struct DelegateInvariant: Invariant {
  private let delegates: [RunHistory.Delegate]
  /// The sessions for which a delegate was asked, by the clients' output or by the trace.
  private var asked: Set<SessionIdentifier> = []
  private let reported: Set<SessionIdentifier>

  private var discarded: Set<SessionIdentifier> = []
  /// Whether the delegate is told at the end of a session in the trash.
  private var trash: [SessionIdentifier: Bool] = [:]
  private var participation = DelegateParticipation.builtIn
  private var present: DelegatePresence?
  private var hasLaunched = false
  private var hasRoom = true
  /// Sessions created without a question, although a delegate was connected.
  private var unasked: Set<SessionIdentifier> = []
  /// Discards without a report, by state directory.
  private var owed: [String: Set<SessionIdentifier>] = [:]
  private var state = Self.nowhere
  private var attached: Set<SessionIdentifier> = []

  /// The state directory of a broker that stores nothing.
  private static let nowhere = ""

  init(_ history: RunHistory) {
    delegates = history.contents.delegates
    var reported: Set<SessionIdentifier> = []
    for delegateCall in delegates.flatMap(\.delegateCalls) {
      switch delegateCall {
      case .question(let session): asked.insert(session)
      case .report(_, let sessions): reported.formUnion(sessions)
      }
    }
    self.reported = reported
  }

  mutating func begin(_ run: RunHistory.BrokerRun) {
    participation = run.declared.applicationDelegate
    (present, hasLaunched, hasRoom) = (nil, false, true)
    (unasked, attached) = ([], [])
    state = run.state ?? Self.nowhere
    owed[Self.nowhere] = nil
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    if let kind = entry.callback.flatMap(CallbackKind.init(rawValue:)), kind.isOfDelegate {
      return converse(kind, entry)
    }
    switch entry.event {
    case .storage: hasRoom = entry.reason == Self.enough
    case .left where entry.client?.pid == present?.process:
      // The broker decided the open questions by itself.
      (present, unasked) = (nil, [])
    case .connected: if let session = entry.session { attached.insert(session) }
    case .disconnected: if let session = entry.session { attached.remove(session) }
    case .created: return entry.session.flatMap { make($0, by: entry.by) }
    case .discarded: if let session = entry.session { discard(session, entry) }
    case .undiscarded: if let session = entry.session { discarded.remove(session) }
    default: break
    }
    return nil
  }

  /// The storage status without a shortage.
  private static let enough = "ok"

  private mutating func converse(_ kind: CallbackKind, _ entry: TraceEntry) -> String? {
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
      // The broker does not wait for the rest of the launch of a silent delegate.
      if kind == .didFinishLaunching || !isAnswered { hasLaunched = true }
    default: break
    }
    return nil
  }

  private mutating func make(
    _ session: SessionIdentifier, by maker: ClientReference?
  ) -> String? {
    // A delegate is not asked about its own sessions, or about those that the broker creates by
    // itself.
    guard let maker, !delegates.contains(where: { $0.process == maker.pid }),
      maker.pid != present?.process, !asked.contains(session)
    else { return nil }
    if participation == .required, !hasLaunched {
      return "the session was created before the required application delegate launched"
    }
    if participation != .builtIn, present?.isListening == true { unasked.insert(session) }
    return nil
  }

  private mutating func discard(_ session: SessionIdentifier, _ entry: TraceEntry) {
    discarded.insert(session)
    let isKept =
      switch participation {
      case .builtIn: false
      case .optional: present != nil
      case .required: true
      }
    if entry.reason == "trash" { return trash[session] = isKept }
    // Another discard with a reason belongs to a session that was never complete; the delegate does
    // not know it.
    guard entry.reason == nil, trash.removeValue(forKey: session) ?? isKept else { return }
    owed[state, default: []].insert(session)
  }

  mutating func didSettle(at point: RunHistory.SettlePoint) -> [SessionProblem] {
    guard let present, present.isListening, !present.isCalled,
      !point.silent.contains(present.process)
    else { return [] }
    let questions: [SessionProblem] = unasked.sorted().map {
      ($0, "the broker did not ask the application delegate about the new session")
    }
    unasked = []
    // Sessions that are discarded together are reported when the last scene has disconnected.
    guard participation != .builtIn, hasRoom, attached.isDisjoint(with: discarded),
      delegates.contains(where: { $0.process == present.process })
    else { return questions }
    let missing = (owed.removeValue(forKey: state) ?? []).subtracting(reported)
    return questions
      + missing.sorted().map {
        ($0, "the broker did not report the discard to the application delegate")
      }
  }

  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem] {
    var asked: Set<SessionIdentifier> = []
    var reports: [String: Set<SessionIdentifier>] = [:]
    var reported: [SessionIdentifier: String] = [:]
    var problems: [SessionProblem] = []
    for delegateCall in delegates.flatMap(\.delegateCalls) {
      switch delegateCall {
      case .question(let session):
        guard !asked.insert(session).inserted else { continue }
        problems.append((session, "the application delegate was asked twice for its configuration"))
      case .report(let report, let sessions):
        let before = reports.updateValue(Set(sessions), forKey: report)
        for session in sessions {
          if let before, !before.contains(session) {
            problems.append((session, "report \(report) was sent before with other sessions"))
          }
          if let other = reported.updateValue(report, forKey: session), other != report {
            problems.append((session, "the discard was reported as \(other) and as \(report)"))
          }
          if !discarded.contains(session), !history.unconfirmedDiscards.contains(session) {
            problems.append((session, "a discard was reported, but the session was not discarded"))
          }
        }
      }
    }
    return problems
  }
}

/// A connected application delegate.
private struct DelegatePresence {
  let process: Int64
  /// Whether `didFinishLaunching` was answered; questions follow.
  var isLaunched = false
  /// Whether a call waits for an answer.
  var isCalled = false
  /// Whether a call timed out. The broker asks nothing until the delegate answers again.
  var isSilent = false

  var isListening: Bool { isLaunched && !isSilent }
}
