/// A record of a journal, decoded without the state.
package enum DecodedRecord: Sendable {
  /// In a box, so that the elements of an array are short.
  indirect case record(Record)
  /// The record of a session, with the next records of the session in the order of a checkpoint: up
  /// to three activities, and the hold.
  case session(StoredSession)
}

extension StoredSession {
  /// Adds the next record of the session. Returns false for a record that must stay separate.
  package func absorb(_ record: Record) -> Bool {
    switch record {
    case .activity(let next):
      guard next.session == attributes.identifier, hold.number == 0,
        generations.count < Self.generationsKept, next.number > generation
      else { return false }
      add(next)
    case .held(let hold):
      guard hold.session == attributes.identifier, self.hold.number == 0, hold.number > 0 else {
        return false
      }
      self.hold = hold
    case .session, .discard, .topic, .event, .topicEnd, .discardReported, .delegateKnown:
      return false
    }
    return true
  }
}

extension StoredState {
  package mutating func apply(_ decoded: consuming DecodedRecord) throws(MemberError) {
    switch consume decoded {
    case .record(let record): try apply(record)
    case .session(let session): try apply(session)
    }
  }
}
