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

  /// The largest frames about one session, with their bytes in the worst case.
  private var fullest: [(what: String, bytes: Int)] {
    let shown = activityBytes + userInfoBytes + 6 * snapshotBytes + textBytes + conditionBytes
    let connected = activityBytes + userInfoBytes + optionsBytes + textBytes + conditionBytes
    return [
      (
        "a session with activityBytes, userInfoBytes, snapshotBytes, titleBytes and predicateBytes",
        shown
      ),
      (
        "a connect with activityBytes, userInfoBytes, optionsBytes, titleBytes and predicateBytes",
        connected
      ),
      ("an event with eventBytes and titleBytes", eventBytes + eventTextBytes),
      (
        "a history with \(StoredSession.generationsKept) times activityBytes",
        StoredSession.generationsKept * activityBytes
      ),
    ]
  }
}
