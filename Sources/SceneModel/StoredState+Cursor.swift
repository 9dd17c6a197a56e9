extension StoredState {
  /// How far writing a state out has come, which may pause between a session and the next, and
  /// between an event and the next.
  package struct Cursor: Sendable {
    private var tellsOfDelegate: Bool
    private var discarded: Range<Int>
    /// What was not written out yet, the next one last.
    private var sessions: [SessionIdentifier]
    private var topics: [String]
    /// The last event of the next topic that was written out; nil before it was begun.
    private var event: Int64?

    package init(_ state: StoredState) {
      tellsOfDelegate = state.hasHadDelegate
      discarded = state.discarded.indices
      sessions = state.sessions.keys.sorted(by: >)
      topics = state.topics.keys.sorted(by: >)
    }

    package var isAtEnd: Bool {
      !tellsOfDelegate && discarded.isEmpty && sessions.isEmpty && topics.isEmpty
    }

    /// Hands over the next records that belong together: all of a session, or one of a topic, whose
    /// events may be more than is written at once.
    package mutating func takeNext(of state: StoredState, _ body: (Record) -> Void) {
      if tellsOfDelegate {
        tellsOfDelegate = false
        body(.delegateKnown)
      } else if let next = discarded.popFirst() {
        // Before the sessions: one of them may have its name by now.
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
