extension StoredState {
  /// The position of a writer that writes the state in steps, with pauses between two sessions or
  /// two events.
  package struct Cursor: Sendable {
    private var includesDelegate: Bool
    private var discarded: Range<Int>
    /// The sessions and topics that are not written, the next one last.
    private var sessions: [SessionIdentifier]
    private var topics: [String]
    /// The last written event of the next topic; nil before the first one.
    private var event: Int64?

    package init(_ state: StoredState) {
      includesDelegate = state.hasHadDelegate
      discarded = state.discarded.indices
      sessions = state.sessions.keys.sorted(by: >)
      topics = state.topics.keys.sorted(by: >)
    }

    package var isAtEnd: Bool {
      !includesDelegate && discarded.isEmpty && sessions.isEmpty && topics.isEmpty
    }

    /// Visits the next records: all of one session, or some of one topic, whose events can be more
    /// than one step takes.
    package mutating func takeNext(of state: StoredState, _ body: (Record) -> Void) {
      if includesDelegate {
        includesDelegate = false
        body(.delegateKnown)
      } else if let next = discarded.popFirst() {
        // Before the sessions: a session can have the name of a discarded one.
        state.forEachRecord(ofDiscarded: next, body)
      } else if let session = sessions.popLast() {
        state.forEachRecord(of: session, body)
      } else if let topic = topics.last.flatMap({ state.topics[$0] }) {
        takeNext(of: topic, body)
      }
    }

    private mutating func takeNext(of topic: Topic, _ body: (Record) -> Void) {
      if let event {
        topic.event(event + 1).map { body(.event($0)) }
      } else {
        body(.topic(topic.attributes))
      }
      let written = event.map { $0 + 1 } ?? topic.attributes.after
      event = written < topic.last ? written : nil
      if event == nil { topics.removeLast() }
    }
  }
}
