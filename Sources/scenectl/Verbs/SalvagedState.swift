import JSON
import SceneJournal
import SceneModel

/// What is left of a damaged journal, and what can be told of the rest.
struct SalvagedState: SalvageVisitor {
  private(set) var state = StoredState()
  /// The sessions that a record which does not count speaks of, and were not discarded since; by
  /// what people call them.
  private var mentioned: [SessionIdentifier: String] = [:]
  /// The greatest number of an activity that was lost.
  private var lostGenerations: [SessionIdentifier: Int64] = [:]
  private var lostDiscards: Set<SessionIdentifier> = []
  private let document = JSONDocument()

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(JournalContentError) {
    do {
      let record = try Record(kind: kind, body: body, in: document)
      do throws(StoredState.Inconsistency) {
        try state.apply(record)
      } catch {
        mention(record)
        throw JournalContentError(error.problem)
      }
      if case .discard(let discard) = record { mentioned[discard.session] = nil }
    } catch let error as UnreadableRecord {
      throw JournalContentError(error.problem)
    } catch let error as JournalContentError {
      throw error
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  mutating func visit(lost kind: UInt8, body: Span<UInt8>) {
    // Whatever can no longer be read says nothing.
    if let record = try? Record(kind: kind, body: body, in: document) { mention(record) }
  }

  private mutating func mention(_ record: Record) {
    let session = record.session
    switch record {
    case .session(let attributes):
      mentioned[session] = Self.label(attributes)
    case .activity(let generation):
      lostGenerations[session] = max(lostGenerations[session] ?? 0, generation.number)
      mentioned[session] = mentioned[session] ?? session.short
    case .held:
      mentioned[session] = mentioned[session] ?? session.short
    case .discard:
      lostDiscards.insert(session)
      mentioned[session] = nil
    }
  }
}

extension SalvagedState {
  var activityCount: Int {
    state.sessions.values.reduce(0) { $0 + $1.generations.count { $0.activity != nil } }
  }

  /// The sessions that are known to have been there, and are not.
  var lostSessions: [SalvagedSession] {
    mentioned.filter { !state.contains($0.key) }.sessions
  }

  /// The sessions of which a newer activity was saved than is left.
  var outdatedSessions: [SalvagedSession] {
    labels { (lostGenerations[$0] ?? 0) > $1.generation }
  }

  /// The sessions that were discarded, as far as can be told.
  var returnedSessions: [SalvagedSession] {
    labels { session, _ in lostDiscards.contains(session) }
  }

  private func labels(
    where isMeant: (SessionIdentifier, StoredSession) -> Bool
  ) -> [SalvagedSession] {
    state.sessions.filter(isMeant).mapValues { Self.label($0.attributes) }.sessions
  }

  private static func label(_ attributes: SessionAttributes) -> String {
    attributes.name.map(PlainText.escaped) ?? attributes.identifier.short
  }
}

/// A session, and what people call it.
struct SalvagedSession: Equatable {
  var identifier: SessionIdentifier
  /// Safe to show.
  var label: String
}

extension [SessionIdentifier: String] {
  fileprivate var sessions: [SalvagedSession] {
    sorted { $0.key < $1.key }.map { SalvagedSession(identifier: $0.key, label: $0.value) }
  }
}
