import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneModel

/// The state that the intact records of a journal add up to, and the known losses.
///
/// Every intact record is kept. If a record that it builds on is lost, a substitute replaces the
/// lost record.
struct RecoveredState: SalvageVisitor {
  var state = StoredState()
  /// Whether a record was applied that a broker would refuse.
  private(set) var hasSubstitutes = false
  /// The substitutes for sessions of which only activities or holds are left.
  private var recovered: Set<SessionIdentifier> = []
  /// The names that newer sessions took from these sessions.
  private var takenNames: [SessionIdentifier: String] = [:]
  /// The sessions that a lost record names, except those that were discarded later.
  private var mentioned: Set<SessionIdentifier> = []
  /// The names in lost records.
  private var lostNames: [SessionIdentifier: String] = [:]
  /// The highest number of a lost activity.
  private var lostGenerations: [SessionIdentifier: Int64] = [:]
  private var lostDiscards: Set<SessionIdentifier> = []
  /// The number of lost events in a topic, by which later events are renumbered.
  private(set) var holes: [String: Int64] = [:]
  /// The topics of lost events.
  private(set) var lostTopics: Set<String> = []
  private let document = JSONDocument()

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(MemberError) {
    try keep(Record(kind: kind, body: body, in: document))
  }

  mutating func visit(lost kind: UInt8, body: Span<UInt8>) {
    guard let record = try? Record(kind: kind, body: body, in: document) else { return }
    if case .session(let session) = record.subject { mentioned.insert(session) }
    switch record {
    case .session(let attributes):
      lostNames[attributes.identifier] = attributes.name
    case .activity(let generation):
      let before = lostGenerations[generation.session] ?? 0
      lostGenerations[generation.session] = max(before, generation.number)
    case .discard(let discard):
      lostDiscards.insert(discard.session)
      mentioned.remove(discard.session)
    case .event(let event): lostTopics.insert(event.topic)
    // The broker sends a discard again if the confirmation of the delegate is lost.
    default: break
    }
  }
}

// MARK: - Substitutes for lost records

extension RecoveredState {
  private mutating func keep(_ record: Record) throws(MemberError) {
    let record = try renumbered(record)
    do throws(MemberError) {
      try state.apply(record)
    } catch {
      hasSubstitutes = true
      try addSubstitutes(before: record)
      try state.apply(record)
    }
    switch record {
    case .session(let attributes): forget(attributes.identifier)
    case .discard(let discard):
      forget(discard.session)
      mentioned.remove(discard.session)
    default: break
    }
  }

  mutating func noteHole(of count: Int64, in topic: String) {
    hasSubstitutes = true
    holes[topic, default: 0] += count
  }

  private mutating func forget(_ session: SessionIdentifier) {
    recovered.remove(session)
    takenNames[session] = nil
  }

  private mutating func addSubstitutes(
    before record: Record
  ) throws(MemberError) {
    switch record {
    case .session(let attributes): try takeName(of: attributes)
    case .activity(let generation): try recover(generation.session, since: generation.saved)
    case .held(let hold): try recover(hold.session, since: hold.used)
    case .event(let event): try recoverTopic(of: event)
    default: break
    }
  }

  /// A lost record renamed or discarded the session that has the name in this state.
  private mutating func takeName(
    of attributes: SessionAttributes
  ) throws(MemberError) {
    guard let name = attributes.name, let other = state.names[name],
      var before = state[other]?.attributes
    else { return }
    before.name = nil
    try state.apply(.session(before))
    takenNames[other] = name
  }

  /// Makes a session of the built-in manifest, for the activities of a lost session.
  private mutating func recover(
    _ session: SessionIdentifier, since time: Int64
  ) throws(MemberError) {
    let short = "recovered-\(session.short)"
    let configuration = Manifest.builtIn.configurations(for: .windowApplication).first
    try state.apply(
      .session(
        SessionAttributes(
          identifier: session, name: state.names[short] == nil ? short : "recovered-\(session)",
          configuration: configuration ?? SceneConfiguration(), created: time)))
    recovered.insert(session)
  }
}

// MARK: - The report

extension RecoveredState {
  var activityCount: Int {
    state.sessions.values.reduce(0) { $0 + $1.generations.count { $0.activity != nil } }
  }

  /// The sessions that lost records name and that do not exist.
  var lostSessions: [RecoveredSession] {
    list(mentioned.filter { !state.contains($0) }) { lostNames[$0] }
  }

  /// The substitutes for lost sessions, with the lost names.
  var recoveredSessions: [RecoveredSession] { list(recovered) { lostNames[$0] } }

  /// The sessions that lost their name to a newer session.
  var unnamedSessions: [RecoveredSession] { list(takenNames.keys) { takenNames[$0] } }

  /// The sessions that lost their newest activity.
  var outdatedSessions: [RecoveredSession] {
    list(lostGenerations.keys.filter { state[$0].map(isOutdated) ?? false }) { name(of: $0) }
  }

  private func isOutdated(_ session: StoredSession) -> Bool {
    (lostGenerations[session.attributes.identifier] ?? 0) > session.generation
  }

  /// The sessions of which the record of the discard is lost.
  var returnedSessions: [RecoveredSession] {
    list(lostDiscards.filter { state.contains($0) }) { name(of: $0) }
  }

  private func name(of session: SessionIdentifier) -> String? { state[session]?.attributes.name }

  private func list(
    _ sessions: some Sequence<SessionIdentifier>, name: (SessionIdentifier) -> String?
  ) -> [RecoveredSession] {
    sessions.sorted().map { RecoveredSession(identifier: $0, name: name($0)) }
  }
}

/// A session in the report.
struct RecoveredSession: Equatable {
  var identifier: SessionIdentifier
  var name: String?

  /// The identifier and the escaped name.
  var label: String {
    name.map { "\(identifier) \(PlainText.escaped($0))" } ?? "\(identifier)"
  }
}
