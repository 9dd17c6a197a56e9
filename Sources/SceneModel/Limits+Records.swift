/// What the limits come to in the journal.
extension Limits {
  /// Bytes of one record: what the journal can take at once.
  package static let recordBytes = 2 << 20

  /// Bytes of records that may be on their way to the disk: the request that goes beyond
  /// `unsyncedBytes` is still carried out. The ends of holds are not counted; they have room of
  /// their own.
  package var waitingRecordBytes: Int { unsyncedBytes + requestRecordBytes }

  /// The records that take the most, each with its bytes at worst.
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
        userInfoBytes + 6 * snapshotBytes + textBytes + conditionBytes + Self.frameOverhead
      ),
    ]
  }

  /// Bytes of the records that one request leads to: a session's own, its activity and two holds,
  /// or that as many sessions are gone as a frame can name. There may be more than `sessions`, if
  /// that was lowered.
  private var requestRecordBytes: Int {
    let holds = 2 * Hold.recordByteCount + SentSignal.recordByteCount
    let ofOne = largestRecords.reduce(holds) { $0 + $1.bytes }
    let discards = min(frameBytes / Discard.requestByteCount, Discard.mostOfOneRequest)
    let drops = Discard.mostDropsOfOne * DiscardReported.recordByteCount
    return max(ofOne, discards * (Discard.reportedByteCount + drops))
  }
}
