import CommandLine
import JSON
import SceneJournal
import SceneModel

/// What is left of a damaged journal, and what can be told of the rest.
///
/// Every record that checks is kept; where what it builds upon is lost, that is made up.
struct SalvagedState: SalvageVisitor {
  var state = StoredState()
  /// Whether a record was taken in that a broker would refuse.
  private(set) var isMadeUp = false
  /// The sessions that were made up, because only what was saved in them was left.
  private var recovered: Set<SessionIdentifier> = []
  /// The names that sessions had until another was given them.
  private var takenNames: [SessionIdentifier: String] = [:]
  /// The sessions that a record in a lost part speaks of, and were not discarded since.
  private var mentioned: Set<SessionIdentifier> = []
  /// The names that are in lost parts.
  private var lostNames: [SessionIdentifier: String] = [:]
  /// The greatest number of an activity that was lost.
  private var lostGenerations: [SessionIdentifier: Int64] = [:]
  private var lostDiscards: Set<SessionIdentifier> = []
  /// By how much events have moved up in topics of which some before them are lost.
  private(set) var holes: [String: Int64] = [:]
  /// The topics of which an event is in a lost part.
  private(set) var lostTopics: Set<String> = []
  private let document = JSONDocument()

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(JournalContentError) {
    do throws(RecordError) {
      try keep(try Record(kind: kind, body: body, in: document))
    } catch {
      throw JournalContentError(error.problem)
    }
  }

  mutating func visit(lost kind: UInt8, body: Span<UInt8>) {
    // Whatever can no longer be read says nothing.
    guard let record = try? Record(kind: kind, body: body, in: document) else { return }
    if case .session(let session) = record.subject { mentioned.insert(session) }
    switch record {
    case .session(let attributes):
      lostNames[attributes.identifier] = attributes.name
    case .activity(let generation):
      let before = lostGenerations[generation.session] ?? 0
      lostGenerations[generation.session] = max(before, generation.number)
    // What the delegate has confirmed to know it is told once more.
    case .held, .topic, .topicEnd, .discardReported, .delegateKnown: break
    case .discard(let discard):
      lostDiscards.insert(discard.session)
      mentioned.remove(discard.session)
    case .event(let event): lostTopics.insert(event.topic)
    }
  }
}

// MARK: - Making up what is lost

extension SalvagedState {
  private mutating func keep(_ record: Record) throws(RecordError) {
    let record = try movedUp(record)
    do throws(RecordError) {
      try state.apply(record)
    } catch {
      isMadeUp = true
      try makeUp(whatPrecedes: record)
      try state.apply(record)
    }
    switch record {
    case .session(let attributes): forget(attributes.identifier)
    case .discard(let discard):
      forget(discard.session)
      mentioned.remove(discard.session)
    case .activity, .held, .topic, .event, .topicEnd, .discardReported, .delegateKnown: break
    }
  }

  mutating func noteHole(of count: Int64, in topic: String) {
    isMadeUp = true
    holes[topic, default: 0] += count
  }

  private mutating func forget(_ session: SessionIdentifier) {
    recovered.remove(session)
    takenNames[session] = nil
  }

  private mutating func makeUp(
    whatPrecedes record: Record
  ) throws(RecordError) {
    switch record {
    case .session(let attributes): try takeName(of: attributes)
    case .activity(let generation): try recover(generation.session, since: generation.saved)
    case .held(let tenure): try recover(tenure.session, since: tenure.used)
    case .event(let event): try recoverTopic(of: event)
    case .discard, .topic, .topicEnd, .discardReported, .delegateKnown: break
    }
  }

  /// The session that has the name was renamed or discarded in a lost part.
  private mutating func takeName(
    of attributes: SessionAttributes
  ) throws(RecordError) {
    guard let name = attributes.name, let other = state.names[name],
      var before = state[other]?.attributes
    else { return }
    before.name = nil
    try state.apply(.session(before))
    takenNames[other] = name
  }

  /// A session such as the built-in manifest has, for what was saved in one that is lost.
  private mutating func recover(
    _ session: SessionIdentifier, since time: Int64
  ) throws(RecordError) {
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

// MARK: - What became of it

extension SalvagedState {
  var activityCount: Int {
    state.sessions.values.reduce(0) { $0 + $1.generations.count { $0.activity != nil } }
  }

  /// The sessions that are known to have been there, and are not.
  var lostSessions: [SalvagedSession] {
    list(mentioned.filter { !state.contains($0) }) { lostNames[$0] }
  }

  /// The sessions of which only what was saved in them was left, with the names that they had.
  var recoveredSessions: [SalvagedSession] { list(recovered) { lostNames[$0] } }

  /// The sessions that have no name any more, because another one has it.
  var unnamedSessions: [SalvagedSession] { list(takenNames.keys) { takenNames[$0] } }

  /// The sessions of which a newer activity was saved than is left.
  var outdatedSessions: [SalvagedSession] {
    list(lostGenerations.keys.filter { state[$0].map(isOutdated) ?? false }) { name(of: $0) }
  }

  private func isOutdated(_ session: StoredSession) -> Bool {
    (lostGenerations[session.attributes.identifier] ?? 0) > session.generation
  }

  /// The sessions that were discarded, as far as can be told.
  var returnedSessions: [SalvagedSession] {
    list(lostDiscards.filter { state.contains($0) }) { name(of: $0) }
  }

  private func name(of session: SessionIdentifier) -> String? { state[session]?.attributes.name }

  private func list(
    _ sessions: some Sequence<SessionIdentifier>, name: (SessionIdentifier) -> String?
  ) -> [SalvagedSession] {
    sessions.sorted().map { SalvagedSession(identifier: $0, name: name($0)) }
  }
}

/// A session that something became of.
struct SalvagedSession: Equatable {
  var identifier: SessionIdentifier
  var name: String?

  /// Safe to show.
  var label: String {
    name.map { "\(identifier) \(PlainText.escaped($0))" } ?? "\(identifier)"
  }
}
