package import SceneModel

/// What the rules want done, grouped by when it may be done. Values only: a test compares them, a
/// simulation prints them.
package struct Effects: Equatable, Sendable {
  /// In order; durable BEFORE any message is sent whose `after` reaches them.
  package var records: [Record] = []
  /// In order for each connection; each leaves once everything up to its `after` is durable.
  package var messages: [Outbound] = []
  package var timers: [TimerChange] = []
  /// Programs to be started; each is answered by `launched` or `notLaunched`, and `exited` in the
  /// end.
  package var launches: [LaunchRequest] = []
  /// Programs that are to end, with whatever they have started; behind the starts.
  package var dismissals: [LaunchIdentifier] = []
  /// Signals to be sent to the processes of clients; each is answered by `signalled`, in order.
  package var signals: [SignalRequest] = []
  /// By how much a virtual clock is to go on, one after the other; each is answered by
  /// `clockAdvanced`.
  package var advances: [Interval] = []
  /// Whether the manifest is to be read again; answered by `manifestRead`.
  package var readsManifest = false
  /// What is to be done with the directories of sessions, in order.
  package var dataDirectories: [DataDirectoryChange] = []
  /// What is to go wrong from now on, for a test.
  package var faults: [Fault] = []
  /// To be answered by `inquired` in the same round.
  package var inquiries: [Inquiry] = []
  /// To be told of by `drained` when they have taken all that was sent to them.
  package var drains: [ConnectionIdentifier] = []
  /// To be carried out once the messages before them are written, with little patience.
  package var closes: [ConnectionIdentifier] = []
  /// What happened, for the log. Observers are sent it as messages.
  package var story: [TraceEntry] = []
  /// Nothing is left to do: the broker ends once all this is done.
  package var isStopping = false

  package init() {}

  package var isEmpty: Bool {
    records.isEmpty && messages.isEmpty && timers.isEmpty && inquiries.isEmpty && closes.isEmpty
      && launches.isEmpty && dismissals.isEmpty && advances.isEmpty && drains.isEmpty
      && signals.isEmpty && faults.isEmpty && story.isEmpty && dataDirectories.isEmpty
      && !readsManifest
      && !isStopping
  }

  /// Empties it for the next round; the memory stays.
  package mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    messages.removeAll(keepingCapacity: true)
    timers.removeAll(keepingCapacity: true)
    launches.removeAll()
    dismissals.removeAll()
    signals.removeAll()
    advances.removeAll(keepingCapacity: true)
    readsManifest = false
    dataDirectories.removeAll()
    faults.removeAll()
    inquiries.removeAll(keepingCapacity: true)
    drains.removeAll(keepingCapacity: true)
    closes.removeAll(keepingCapacity: true)
    story.removeAll(keepingCapacity: true)
    isStopping = false
  }
}

package struct Outbound: Equatable, Sendable {
  package var connection: ConnectionIdentifier
  package var message: OutboundMessage
  /// The number of the newest record of anything it speaks of; 0 for none.
  package var after: UInt64

  package init(connection: ConnectionIdentifier, message: OutboundMessage, after: UInt64) {
    self.connection = connection
    self.message = message
    self.after = after
  }
}

/// A reply is handed on a few times before it is written; what is large is kept elsewhere, so that
/// this is a matter of some words.
package enum OutboundMessage: Equatable, Sendable {
  case reply(RequestIdentifier, BrokerReply)
  /// Without an identifier: about something that had none that could be read.
  indirect case error(RequestIdentifier?, BrokerError)
  /// Its budget starts when it is first offered to the socket.
  indirect case callback(Int64, Callback, budget: Interval)
  /// The same to the application delegate.
  indirect case delegateCallback(Int64, DelegateCallback, budget: Interval)
  indirect case notification(BrokerNotification)
}

package enum TimerChange: Equatable, Sendable {
  case set(BrokerTimer, Interval)
  /// More time from now on, never less than is left.
  case extend(BrokerTimer, Interval)
  case cancel(BrokerTimer)
}

/// A signal for a process, by name or by number.
package struct SignalRequest: Equatable, Sendable {
  package var process: ClientProcess
  package var signal: String
}

/// A question about processes that only the edge can answer: is one of them coming to its end?
package struct Inquiry: Equatable, Sendable {
  package var identifier: InquiryIdentifier
  package var processes: [ClientProcess]
}
