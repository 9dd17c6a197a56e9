/// What one session may hold must fit one frame, so that every reply about it does, and the records
/// of the journal.
extension Limits {
  /// Bytes of a frame for the envelope, and for what has no limit of its own.
  package static let frameOverhead = 1024

  /// Why these limits do not go together; nil if they do.
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

  /// A character may take six bytes in JSON; there are a name, a title, a subtitle and a client, and
  /// the four texts of a configuration.
  var textBytes: Int { 4 * 6 * (titleBytes + SceneConfiguration.textByteLimit) }

  /// There are two conditions, in which a character may take six bytes as well.
  var conditionBytes: Int { 2 * 6 * predicateBytes }

  /// The topic and the kind; a character may take six bytes here too.
  var eventTextBytes: Int { 6 * (TopicName.byteLimit + titleBytes) }

  /// The frames that take the most of one session, each with its bytes at worst.
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
