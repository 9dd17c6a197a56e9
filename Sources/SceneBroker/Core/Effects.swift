package import SceneModel

/// The actions that the broker requests, grouped by the order in which the event loop performs
/// them. They are values, so that a simulation prints them.
///
/// The event loop reads them in place. If the structure were copyable, each read from another
/// module would copy all of it.
package struct Effects: ~Copyable, Sendable {
  /// In order. A message leaves after the disk has all records up to its `after`.
  package var records: [Record] = []
  /// In order for each connection.
  package var messages: [Outbound] = []
  /// Events for their observers. Each one leaves between two messages, as it states.
  package private(set) var deliveries: [EventDelivery] = []
  package var timers: [TimerChange] = []
  /// Programs to start. The event loop answers each with `launched` or `notLaunched`, and later
  /// with `exited`.
  package var launches: [LaunchRequest] = []
  /// Programs to terminate, with their child processes, after the starts.
  package var terminations: [LaunchIdentifier] = []
  /// Signals for the processes of clients. The event loop answers each with `signalled`, in order.
  package var signals: [SignalRequest] = []
  /// Advances of the virtual clock, in order. The event loop answers each with `clockAdvanced`.
  package var advances: [Interval] = []
  /// Whether to read the manifest again. The event loop answers with `manifestRead`.
  package var readsManifest = false
  /// Whether a request was refused because the disk is full. The event loop looks for space.
  package var hasRefusedForSpace = false
  /// Changes of the directories of sessions, in order.
  package var dataDirectories: [DataDirectoryChange] = []
  /// Faults that a test injects.
  package var faults: [Fault] = []
  /// Liveness queries. The event loop answers each with `livenessQueried` in the same iteration.
  package var livenessQueries: [LivenessQuery] = []
  /// The event loop reports `drained` when these connections have read everything.
  package var drains: [ConnectionIdentifier] = []
  /// Connections to close after their messages are written.
  package var closes: [ConnectionIdentifier] = []
  /// The trace, for the log, as `Broker.logsFrequentEvents` states. Observers get it as messages.
  package var trace: [TraceEntry] = []
  /// The broker ends after these effects.
  package var isStopping = false

  package init() {}

  package var isEmpty: Bool {
    records.isEmpty && messages.isEmpty && deliveries.isEmpty && timers.isEmpty
      && livenessQueries.isEmpty && closes.isEmpty && launches.isEmpty && terminations.isEmpty
      && advances.isEmpty && drains.isEmpty && signals.isEmpty && faults.isEmpty && trace.isEmpty
      && dataDirectories.isEmpty && !readsManifest && !hasRefusedForSpace && !isStopping
  }

  /// Adds a delivery behind the messages up to now.
  package mutating func append(_ delivery: EventDelivery) {
    deliveries.append(delivery)
    deliveries[deliveries.count - 1].precedingMessageCount = messages.count
  }

  /// Removes the messages and the deliveries, and keeps the memory.
  package mutating func removeMessages() {
    messages.empty()
    deliveries.empty()
  }

  /// Removes all effects, and keeps the memory for the next iteration.
  package mutating func removeAll() {
    records.empty()
    removeMessages()
    timers.empty()
    launches.empty()
    terminations.empty()
    signals.empty()
    advances.empty()
    readsManifest = false
    hasRefusedForSpace = false
    dataDirectories.empty()
    faults.empty()
    livenessQueries.empty()
    drains.empty()
    closes.empty()
    trace.empty()
    isStopping = false
  }
}

extension Array {
  /// Removes all elements, and keeps the memory. Most arrays have at most one element, for which
  /// `removeAll(keepingCapacity:)` takes ten times as long.
  fileprivate mutating func empty() {
    while popLast() != nil {}
  }
}

package struct Outbound: Equatable, Sendable {
  package var connection: ConnectionIdentifier
  package var message: OutboundMessage
  /// The number of the newest record that the message describes; 0 for none.
  package var after: UInt64

  package init(connection: ConnectionIdentifier, message: OutboundMessage, after: UInt64) {
    self.connection = connection
    self.message = message
    self.after = after
  }
}

/// Large cases are indirect, because a message is moved a few times before it is written.
package enum OutboundMessage: Equatable, Sendable {
  case reply(RequestIdentifier, BrokerReply)
  /// Without an identifier if the identifier of the request could not be read.
  indirect case error(RequestIdentifier?, BrokerError)
  /// The budget starts when the message is first offered to the socket.
  case callback(Int64, Callback, budget: Interval)
  indirect case notification(BrokerNotification)
}

package enum TimerChange: Equatable, Sendable {
  case set(BrokerTimer, Interval)
  /// Sets the time from now on, but never shortens it.
  case extend(BrokerTimer, Interval)
  case cancel(BrokerTimer)
}

/// A signal for a process, by name or by number.
package struct SignalRequest: Equatable, Sendable {
  package var process: ClientProcess
  package var signal: String
}

/// A query of the event loop: which of these processes are about to end?
package struct LivenessQuery: Equatable, Sendable {
  package var identifier: LivenessQueryIdentifier
  package var processes: [ClientProcess]
}
