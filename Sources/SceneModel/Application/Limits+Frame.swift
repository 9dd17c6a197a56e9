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
