package import SceneJSON
package import SceneModel

/// The input of the invariants: the events of one script.
package struct RunHistory: Equatable, Sendable {
  /// The events of one broker.
  package struct BrokerRun: Equatable, Sendable {
    package var entries: [TraceEntry]
    /// The acknowledged generations at the start of the broker.
    package var acknowledged: [SessionIdentifier: Int64]
    /// The state directory; nil for a broker that stores nothing.
    package var state: String?
    /// The manifest at the start of the broker.
    package var declared = DeclaredManifest()
    /// In order.
    package var settlePoints: [SettlePoint] = []

    package init(
      _ entries: [TraceEntry], acknowledged: [SessionIdentifier: Int64] = [:],
      state: String? = "state"
    ) {
      self.entries = entries
      self.acknowledged = acknowledged
      self.state = state
    }
  }

  /// A moment when nothing was in progress.
  package struct SettlePoint: Equatable, Sendable {
    /// The number of entries up to this moment.
    package var entryCount: Int
    /// Processes that need not receive events: they are frozen, or not part of the trace.
    package var silent: Set<Int64>

    package init(after entryCount: Int, silent: Set<Int64> = []) {
      self.entryCount = entryCount
      self.silent = silent
    }
  }

  package var runs: [BrokerRun]
  /// The acknowledged generations at the end.
  package var acknowledged: [SessionIdentifier: Int64] = [:]
  /// Sessions whose discard may have happened without a trace entry.
  package var unconfirmedDiscards: Set<SessionIdentifier> = []
  /// The sessions of the last broker without clients; nil without a broker.
  package var sessions: [SessionSummary]?

  package var contents = Contents()

  /// The content of messages, as clients saw it.
  package struct Contents: Equatable, Sendable {
    /// The acknowledged saves, by generation.
    package var saved: [SessionIdentifier: [Int64: RawJSON]] = [:]
    package var restored: [SessionHold: RestoredState] = [:]
    /// In the order in which the delegates started.
    package var delegates: [Delegate] = []
    /// The events that clients received, for topics with one `observe` each.
    package var receivedEvents: [TopicObserver: Set<EventPosition>] = [:]
    /// The activities that the last broker stores.
    package var kept: [SessionIdentifier: RawJSON] = [:]

    package init() {}
  }

  /// A process that is or was the application delegate.
  package struct Delegate: Equatable, Sendable {
    package var process: Int64
    package var delegateCalls: [DelegateCall]

    package init(_ process: Int64, _ delegateCalls: [DelegateCall] = []) {
      self.process = process
      self.delegateCalls = delegateCalls
    }
  }

  /// A client that observes a topic, and resumes at its last event.
  package struct TopicObserver: Hashable, Sendable {
    package var process: Int64
    package var topic: String

    package init(_ process: Int64, topic: String) {
      self.process = process
      self.topic = topic
    }
  }

  /// One connection of a session to a client.
  package struct SessionHold: Hashable, Sendable {
    package var session: SessionIdentifier
    package var hold: Int64

    package init(_ session: SessionIdentifier, hold: Int64) {
      self.session = session
      self.hold = hold
    }
  }

  /// The state with which a scene connected.
  package struct RestoredState: Equatable, Sendable {
    package var activity: RawJSON
    /// The generation that the client was told is withheld.
    package var withheld: Int64?
    /// Whether the session's configuration restores nothing.
    package var startsEmpty = false

    package init(_ activity: RawJSON) { self.activity = activity }
  }

  package init(_ runs: [BrokerRun]) { self.runs = runs }
}
