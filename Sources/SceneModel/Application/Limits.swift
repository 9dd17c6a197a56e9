/// All limits, with their defaults. The broker's command line can set each of them.
package struct Limits: Equatable, Sendable {
  /// Bytes of one frame. All values of one session must fit.
  package var frameBytes = 1 << 20
  /// Bytes of an activity.
  package var activityBytes = 256 << 10
  /// Bytes of an activity above which the log warns.
  package var largeActivityBytes = 50 << 10
  /// Bytes of the options of a connect or an activation.
  package var optionsBytes = 256 << 10
  /// Bytes of a session's userInfo.
  package var userInfoBytes = 64 << 10
  /// Bytes of a snapshot's text.
  package var snapshotBytes = 64 << 10
  /// Bytes of a title, a subtitle or a name. Every list has them.
  package var titleBytes = 1 << 10
  /// Bytes of one activation condition. A route evaluates the conditions of all sessions.
  package var predicateBytes = 4 << 10
  /// Bytes of a session's program as JSON, if they fit a frame. Every list has the programs.
  package var programBytes = 16 << 10
  /// Bytes of an event's payload.
  package var eventBytes = 256 << 10
  /// Topics in all. A new topic replaces one that is only in memory and has no observer.
  package var topics = 256
  /// Bytes of the stored events of one topic.
  package var topicBytes = 4 << 20
  /// Observations of one connection. The broker checks each event against them.
  package var observations = 256
  /// Scenes of one connection.
  package var scenesPerConnection = 256
  /// Sessions in all.
  package var sessions = 100_000
  /// Bytes of all stored sessions.
  package var storedBytes = 1 << 30
  /// Bytes of discarded sessions that wait for an optional application delegate, while none is
  /// connected.
  package var discardBytes = 16 << 20
  /// Sessions on one page of a list.
  package var pageSessions = 1000
  /// Processes that the broker checks before it gives a client another session than its last one.
  package var holdersAskedAbout = 64
  /// Requests of one connection without a reply.
  package var requestsInFlight = 256
  /// Deliveries that wait for one scene.
  package var deliveries = 64
  /// Bytes of unsent output of one connection. Above this, the client has `slowReaderSeconds` to
  /// read some.
  package var slowReaderBytes = 1 << 20
  package var slowReaderSeconds = 10
  /// Bytes of output of one connection. The broker closes a connection with more unsent output, and
  /// refuses requests of a connection with more output that waits for the disk.
  package var outboxBytes = 8 << 20
  /// Seconds until the first request.
  package var handshakeSeconds = 5
  /// Seconds until a begun frame is complete.
  package var frameSeconds = 30
  /// Stored entries of the trace.
  package var traceEntries = 10_000
  /// Connections; 0 for three quarters of the descriptor limit, less the broker's own.
  package var connections = 0
  /// Bytes of records that wait for the disk. Above this, the broker refuses requests that need a
  /// record.
  package var unsyncedBytes = 4 << 20

  /// Bytes of all sessions, of the events of all topics, and of all unprocessed input and unsent
  /// output.
  package var totalBytes = 5 << 28

  package init() {}

  /// Bytes of input and output that wait in all connections. Above this, the broker closes the
  /// connection with the most.
  package var waitingBytes: Int { totalBytes / 16 }

  /// Bytes of all sessions and events. Above this, the broker stores nothing more.
  package var keptBytes: Int { totalBytes - waitingBytes }

  /// Bytes of all output of one connection. Above this, the broker closes the connection, because
  /// memory is limited even if only the disk is behind.
  package var backlogBytes: Int { 2 * outboxBytes }
}

extension Limits: JSONStructure {
  /// Calls `body` for each limit with the values that it can have, in the order of the protocol.
  /// The upper bounds are far above any useful value, and below what clocks, memory or disks allow.
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
    try body("programBytes", &programBytes, 0...Self.largestFrame)
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try forEach { (name, value, _) throws(V.Failure) in
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

/// The limits in the journal.
extension Limits {
  /// The most bytes of one record.
  package static let recordBytes = 2 << 20

  /// The most bytes of records that wait for the disk: a request that begins below `unsyncedBytes`
  /// can exceed it. The ends of holds have space of their own.
  package var waitingRecordBytes: Int { unsyncedBytes + requestRecordBytes }

  /// The attributes of a session without its program and its placement.
  var attributesRecordBytes: Int {
    userInfoBytes + 6 * snapshotBytes + textBytes + conditionBytes + Self.frameOverhead
  }

  /// The largest records, with their bytes in the worst case.
  var largestRecords: [(what: String, bytes: Int)] {
    [
      ("an activity with activityBytes", activityBytes + Self.frameOverhead),
      (
        "an event with eventBytes and titleBytes",
        eventBytes + eventTextBytes + Self.frameOverhead
      ),
      (
        "the attributes of a session with userInfoBytes, snapshotBytes, titleBytes and "
          + "predicateBytes",
        attributesRecordBytes
      ),
    ]
  }

  /// The most bytes of the records of one request. A request writes the attributes, activity and
  /// two holds of one session, or discards all sessions that a frame can name. Each can empty the
  /// trash. There can be more sessions than `sessions` if that limit was lowered.
  private var requestRecordBytes: Int {
    let others = 2 * Self.holdRecordBytes + programBytesAtMost + placementBytesAtMost
    let ofOne = largestRecords.reduce(others) { $0 + $1.bytes }
    // A list of identifiers has 39 bytes for each of them.
    let discards = min(frameBytes / 39, Discard.mostOfOneRequest)
    return max(ofOne, discards * Self.discardRecordBytes)
      + Trash.mostSessions * Self.discardRecordBytes
  }

  /// The most bytes of a hold. The name of the sender of a signal is clipped, and each byte of it
  /// can need six.
  static let holdRecordBytes = 840

  /// The most bytes of a discard, with the reports that it drops.
  static let discardRecordBytes = 320
}

/// All values of one session must fit a frame and a record of the journal.
extension Limits {
  /// Bytes of a frame for the envelope and all values without a limit.
  package static let frameOverhead = 1024

  /// The conflict between these limits; nil without one.
  package var conflict: String? {
    for (what, bytes) in fullest where bytes + Self.frameOverhead > frameBytes {
      return "\(what) can need \(bytes + Self.frameOverhead) bytes, but frameBytes is "
        + "\(frameBytes); raise frameBytes or lower the other limits"
    }
    for (what, bytes) in largestRecords where bytes > Self.recordBytes {
      return "\(what) can need \(bytes) bytes in the journal, but a record has at most "
        + "\(Self.recordBytes); lower these limits"
    }
    return nil
  }

  /// A character can need six bytes in JSON. There are four texts with `titleBytes`, and four texts
  /// of a configuration.
  var textBytes: Int { 4 * 6 * (titleBytes + SceneConfiguration.textByteLimit) }

  /// There are two conditions. A character can need six bytes.
  var conditionBytes: Int { 2 * 6 * predicateBytes }

  /// The topic and the kind. A character can need six bytes.
  var eventTextBytes: Int { 6 * (TopicName.byteLimit + titleBytes) }

  /// A session without its program and its placement.
  private var shownBytes: Int { connectedBytes - optionsBytes + 6 * snapshotBytes }

  /// The options of a connect, and the session without its program and its
  /// placement.
  private var connectedBytes: Int {
    activityBytes + userInfoBytes + optionsBytes + textBytes + conditionBytes
  }

  /// The room of a frame and of a record for the program and the placement of a session, beside all
  /// other values. A frame about a session has both twice.
  private func room(beside bytes: Int) -> Int {
    let frame = frameBytes - Self.frameOverhead
    let rooms = [
      (frame - shownBytes) / 2 - bytes, frame - connectedBytes - bytes,
      Self.recordBytes - attributesRecordBytes - bytes,
    ]
    return max(0, rooms.reduce(.max, min))
  }

  /// The bytes of a placement that fits.
  package var placementBytesAtMost: Int { min(ScenePlacement.byteLimit, room(beside: 0)) }

  /// The bytes of a program that fits beside the placement and the title that it gives.
  package var programBytesAtMost: Int {
    let others = 6 * SessionProgram.titleByteLimit + placementBytesAtMost
    return min(programBytes, room(beside: others))
  }

  /// The largest frames about one session, with their bytes in the worst case.
  private var fullest: [(what: String, bytes: Int)] {
    [
      (
        "a session with activityBytes, userInfoBytes, snapshotBytes, titleBytes and predicateBytes",
        shownBytes
      ),
      (
        "a connect with activityBytes, userInfoBytes, optionsBytes, titleBytes and predicateBytes",
        connectedBytes
      ),
      ("an event with eventBytes and titleBytes", eventBytes + eventTextBytes),
      (
        "a history with \(StoredSession.generationsKept) times activityBytes",
        StoredSession.generationsKept * activityBytes
      ),
    ]
  }
}
