import SceneJSON
import SceneModel

/// The events of one script, for the invariants, the reports and the timeline.
struct RunHistory: Equatable, Sendable {
  /// The events of one broker.
  struct BrokerRun: Equatable, Sendable {
    var entries: [TraceEntry]
    /// The acknowledged generations at the start of the broker.
    var acknowledged: [SessionIdentifier: Int64] = [:]
    /// The state directory; nil for a broker that stores nothing.
    var state: String? = "state"
    /// The manifest at the start of the broker.
    var declared = DeclaredManifest()
    /// In order.
    var settlePoints: [SettlePoint] = []
  }

  /// A moment when nothing was in progress.
  struct SettlePoint: Equatable, Sendable {
    /// The number of entries up to this moment.
    var entryCount: Int
    /// Processes that need not receive events: they are frozen, or not part of the trace.
    var silent: Set<Int64> = []
  }

  var runs: [BrokerRun] = []
  /// The number of entries at the end of the script, before the final check; nil before.
  var end: Int?
  /// The newest generation of each session that a client knows is saved.
  var acknowledged: [SessionIdentifier: Int64] = [:]
  /// Sessions whose discard may have happened without a trace entry.
  var unconfirmedDiscards: Set<SessionIdentifier> = []
  /// The sessions of the last broker without clients; nil without a broker.
  var sessions: [SessionSummary]?

  var contents = Contents()

  /// The content of messages, as clients saw it.
  struct Contents: Equatable, Sendable {
    /// The acknowledged saves, by generation.
    var saved: [SessionIdentifier: [Int64: RawJSON]] = [:]
    var restored: [SessionHold: RestoredState] = [:]
    /// In the order in which the delegates started.
    var delegates: [Delegate] = []
    /// The events that clients received, for topics with one `observe` each.
    var receivedEvents: [TopicObserver: Set<EventPosition>] = [:]
    /// The activities that the last broker stores.
    var kept: [SessionIdentifier: RawJSON] = [:]
  }

  /// A process that is or was the application delegate.
  struct Delegate: Equatable, Sendable {
    var process: Int64
    var delegateCalls: [DelegateCall] = []
  }

  /// A client that observes a topic, and resumes at its last event.
  struct TopicObserver: Hashable, Sendable {
    var process: Int64
    var topic: String
  }

  /// One connection of a session to a client.
  struct SessionHold: Hashable, Sendable {
    var session: SessionIdentifier
    var hold: Int64
  }

  /// The state with which a scene connected.
  struct RestoredState: Equatable, Sendable {
    var activity: RawJSON
    /// The generation that the client was told is withheld.
    var withheld: Int64?
    /// Whether the session's configuration restores nothing.
    var startsEmpty = false
  }
}
