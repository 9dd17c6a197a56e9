/// Every limit, in one place: what it is for, and where it starts out. All can be set when the
/// broker is started.
package struct Limits: Equatable, Sendable {
  /// Bytes of one frame. What one session may hold must fit, so that every reply does.
  package var frameBytes = 1 << 20
  /// Bytes of an activity: what brings a scene back, not its whole content.
  package var activityBytes = 256 << 10
  /// Bytes of an activity from which the log warns, once it grows to it.
  package var largeActivityBytes = 50 << 10
  /// Bytes of the options that come with a connect or an activation.
  package var optionsBytes = 256 << 10
  /// Bytes of a session's userInfo.
  package var userInfoBytes = 64 << 10
  /// Bytes of a snapshot's text.
  package var snapshotBytes = 64 << 10
  /// Bytes of a title, a subtitle or a name: they stand in every list.
  package var titleBytes = 1 << 10
  /// Bytes of one activation condition: sessions are many, and all are asked.
  package var predicateBytes = 4 << 10
  /// Bytes of an event's payload.
  package var eventBytes = 256 << 10
  /// Topics that are known at a time. Of those that are only in memory, one that nobody observes
  /// gives way to another.
  package var topics = 256
  /// Bytes of the events that one topic keeps: with `topics`, what all of them may have.
  package var topicBytes = 4 << 20
  /// Observations of one connection: each event is held against them.
  package var observations = 256
  /// Scenes that one connection may hold.
  package var scenesPerConnection = 256
  /// Sessions in all.
  package var sessions = 100_000
  /// Bytes that all sessions together may have stored.
  package var storedBytes = 1 << 30
  /// Bytes of the discarded sessions that wait for an optional application delegate while none is
  /// connected.
  package var discardBytes = 16 << 20
  /// Sessions on one page of a list.
  package var pageSessions = 1000
  /// Holders that are asked about before a client gets another session than the one it had: each
  /// costs a look at the process.
  package var holdersAskedAbout = 64
  /// Requests of one connection that wait for their reply.
  package var requestsInFlight = 256
  /// Things that wait to be delivered to one scene.
  package var deliveries = 64
  /// Bytes free to leave for one connection, after which it has `slowReaderSeconds` to take some.
  package var slowReaderBytes = 1 << 20
  package var slowReaderSeconds = 10
  /// Bytes free to leave for one connection at which it is closed at once; and of those that wait
  /// for the disk, at which its requests are refused.
  package var outboxBytes = 8 << 20
  /// Seconds for the first request to arrive.
  package var handshakeSeconds = 5
  /// Seconds for a frame that was begun to arrive whole.
  package var frameSeconds = 30
  /// Entries of the trace that are kept.
  package var traceEntries = 10_000
  /// Connections; 0 stands for three quarters of the descriptor limit, less the broker's own.
  package var connections = 0
  /// Bytes of records that may wait for the disk; beyond that, whatever needs one is put off.
  package var unsyncedBytes = 4 << 20

  /// Bytes of everything that the broker keeps: sessions, the events of topics, and what waits in
  /// connections.
  package var totalBytes = 5 << 28

  package init() {}

  /// Bytes that may wait in all connections together, input and output: beyond, the one with the most
  /// is closed.
  package var waitingBytes: Int { totalBytes / 16 }

  /// Bytes that all sessions and events together may have: beyond, nothing grows.
  package var keptBytes: Int { totalBytes - waitingBytes }

  /// Bytes in all that may wait for one connection: beyond, it is closed at once. What waits for the
  /// disk is not its fault, and it is told so; but memory ends somewhere.
  package var backlogBytes: Int { 2 * outboxBytes }
}

extension Limits: JSONStructure {
  /// Calls `body` for each limit with the values that it can have, in the order of the protocol. The
  /// upper bounds are far above any useful value, and below what clocks, memory or disks allow.
  private mutating func forEach<Failure: Error>(
    _ body: (_ name: StaticString, _ value: inout Int, _ bounds: ClosedRange<Int>) throws(Failure)
      -> Void
  ) throws(Failure) {
    try body("frameBytes", &frameBytes, 1024...Self.largestFrame)
    try body("activityBytes", &activityBytes, 0...Self.largestFrame)
    try body("largeActivityBytes", &largeActivityBytes, 0...Self.largestFrame)
    try body("optionsBytes", &optionsBytes, 0...Self.largestFrame)
    try body("userInfoBytes", &userInfoBytes, 0...Self.largestFrame)
    try body("snapshotBytes", &snapshotBytes, 0...Self.largestFrame)
    try body("titleBytes", &titleBytes, 16...Self.largestFrame)
    try body("predicateBytes", &predicateBytes, 0...Self.largestFrame)
    try body("eventBytes", &eventBytes, 0...Self.largestFrame)
    try body("topics", &topics, 0...Self.million)
    try body("topicBytes", &topicBytes, 0...1 << 30)
    try body("observations", &observations, 0...Self.million)
    try body("scenesPerConnection", &scenesPerConnection, 1...Self.million)
    try body("sessions", &sessions, 1...10 * Self.million)
    try body("storedBytes", &storedBytes, 0...1 << 40)
    try body("discardBytes", &discardBytes, 0...1 << 40)
    try body("pageSessions", &pageSessions, 1...Self.million)
    try body("holdersAskedAbout", &holdersAskedAbout, 0...Self.million)
    try body("requestsInFlight", &requestsInFlight, 1...Self.million)
    try body("deliveries", &deliveries, 1...Self.million)
    try body("slowReaderBytes", &slowReaderBytes, 0...1 << 30)
    try body("slowReaderSeconds", &slowReaderSeconds, 1...Self.year)
    try body("outboxBytes", &outboxBytes, 0...1 << 30)
    try body("handshakeSeconds", &handshakeSeconds, 1...Self.year)
    try body("frameSeconds", &frameSeconds, 1...Self.year)
    try body("traceEntries", &traceEntries, 1...10 * Self.million)
    try body("connections", &connections, 0...Self.million)
    try body("unsyncedBytes", &unsyncedBytes, 0...64 << 20)
    try body("totalBytes", &totalBytes, 16 << 20...1 << 40)
  }

  /// A frame's length has three bytes.
  private static let largestFrame = (1 << 24) - 1
  private static let million = 1_000_000
  private static let year = Int(Interval.year.seconds)

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try forEach { (name, value, _) throws(Visitor.Failure) in
      try visitor.required(name, &value)
    }
  }

  /// All limits, in the order of the protocol.
  package var named: [(name: String, value: Int, bounds: ClosedRange<Int>)] {
    var copy = self
    var named: [(name: String, value: Int, bounds: ClosedRange<Int>)] = []
    copy.forEach { name, value, bounds in named.append((name.description, value, bounds)) }
    return named
  }

  /// Sets the limit with this name; false if there is none.
  package mutating func set(_ wanted: String, to newValue: Int) -> Bool {
    var isSet = false
    forEach { name, value, _ in
      guard name.description == wanted else { return }
      value = newValue
      isSet = true
    }
    return isSet
  }
}
