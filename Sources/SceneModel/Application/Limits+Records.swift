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
  /// two holds of one session, or discards all sessions that a frame can name. There can be more
  /// sessions than `sessions` if that limit was lowered.
  private var requestRecordBytes: Int {
    let holds = 2 * Hold.recordByteCount + SentSignal.recordByteCount
    let ofOne = largestRecords.reduce(holds + programBytesAtMost + placementBytesAtMost) {
      $0 + $1.bytes
    }
    let discards = min(frameBytes / Discard.requestByteCount, Discard.mostOfOneRequest)
    let drops = Discard.mostDropsOfOne * DiscardReported.recordByteCount
    return max(ofOne, discards * (Discard.reportedByteCount + drops))
  }
}
