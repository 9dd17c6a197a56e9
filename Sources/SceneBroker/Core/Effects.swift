package import SceneModel

/// The actions that the broker requests, grouped by the order in which the event loop performs
/// them. They are values, so that a simulation prints them.
///
/// The event loop reads them in place. If the structure were copyable, each read from another
/// module would copy all of it.
package struct Effects: ~Copyable, Sendable {
  /// Liveness queries. The event loop answers each with `livenessQueried` before it performs the
  /// other effects.
  package var livenessQueries: [LivenessQuery] = []
  /// In order. A message leaves after the disk has all records up to its `after`.
  package var records = EncodedRecords()
  /// The trace, for the log, as `Broker.logsFrequentEvents` states. Observers get it as messages.
  package var trace: [TraceEntry] = []
  /// In order for each connection.
  package var messages: [Outbound] = []
  /// Events for their observers. Each one leaves between two messages, as it states.
  package private(set) var deliveries: [EventDelivery] = []
  package var timers: [TimerChange] = []
  /// Rare actions, in order.
  package var commands: [BrokerCommand] = []
  /// The broker ends after these effects.
  package var isStopping = false

  package init() {}

  package var isEmpty: Bool {
    records.isEmpty && messages.isEmpty && deliveries.isEmpty && timers.isEmpty
      && commands.isEmpty && livenessQueries.isEmpty && trace.isEmpty && !isStopping
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
    records.removeAll()
    removeMessages()
    timers.empty()
    commands.empty()
    livenessQueries.empty()
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

/// An action that few events cause.
package enum BrokerCommand: Equatable, Sendable {
  /// Start a program. The event loop answers with `launched` or `notLaunched`, and later with
  /// `exited`.
  case launch(LaunchRequest)
  /// Terminate a program and its child processes.
  case terminate(LaunchIdentifier)
  /// Send a signal, by name or by number. The event loop answers with `signalled`, in order.
  case signal(String, ClientProcess)
  /// Advance the virtual clock. The event loop answers with `clockAdvanced`.
  case advance(Interval)
  /// Read the manifest again. The event loop answers with `manifestRead`.
  case readManifest
  /// Check the program that replaces this one, and then replace this one. The event loop answers
  /// with `upgradeChecked`.
  case upgrade(dryRun: Bool)
  /// Begin or end the watch of memory pressure. The event loop answers with `pressureWatched`.
  case watchPressure(Bool)
  /// Measure for one step against a shortage of memory. The event loop answers with
  /// `pressureMeasured`.
  case takePressureStep(isRequested: Bool)
  /// Look for space, because a request was refused on a full disk.
  case checkSpace
  /// Make the directory of a session. The event loop answers with `dataDirectoryMade`.
  case makeDirectory(SessionIdentifier)
  /// The session is discarded, but its scene has not ended: mark its directory when the disk has
  /// all records up to this one.
  case markDirectory(SessionIdentifier, after: UInt64)
  /// The session is discarded: remove its directory when the disk has all records up to this one.
  case removeDirectory(SessionIdentifier, after: UInt64)
  /// A test injects a fault.
  case inject(Fault)
  /// Report `drained` when the connection has read everything.
  case drain(ConnectionIdentifier)
  /// Read the exit of a closed connection's process. The event loop answers with `exitRead`.
  case readExit(ConnectionIdentifier)
  /// The broker no longer needs that exit.
  case forgetExit(ConnectionIdentifier)
  /// Close the connection after its messages are written.
  case close(ConnectionIdentifier)
}

/// A query of the event loop: which of these processes are about to end?
package struct LivenessQuery: Equatable, Sendable {
  package var identifier: LivenessQueryIdentifier
  package var processes: [ClientProcess]
}

/// One start of a program, different from all other starts of this broker.
package struct LaunchIdentifier: Hashable, Sendable {
  package let number: UInt64
}

/// A program that the event loop is to start, so that its process takes a session.
package struct LaunchRequest: Equatable, Sendable {
  package var identifier: LaunchIdentifier
  package var session: SessionIdentifier
  package var command: LaunchCommand
  /// The name of the session, for the title of its window.
  package var title: String?
  /// The variables of the user's login, which replace those of the broker.
  package var environment = LoginEnvironment()
}
