/// The submissions of the owner, and the status of the journal's thread.
struct SubmissionQueue: Sendable {
  /// The records of one batch, and the number of its last submission.
  struct Batch: Sendable {
    var records: JournalRecords
    var through: UInt64
  }

  /// The input of one step of the thread.
  struct Input: Sendable {
    let batch: Batch?
    /// Whether batches are left.
    let isMoreWaiting: Bool
    let reservedBatchCount: Int
    let isStopping: Bool
  }

  /// The waiting batches in order.
  private(set) var batches: [Batch] = []
  var reservedBatchCount = 0
  var isStopping = false
  /// Whether the owner requested a check for free space since the last check.
  var isSpaceCheckRequested = false
  var status = JournalStatus()
  /// Whether the thread waits, so that a submission must wake it.
  private var isThreadWaiting = false

  /// The thread waits until a submission wakes it, or until its own time. Returns false if it waits
  /// for a submission that has arrived: it must continue.
  mutating func beginWaiting(forSubmission: Bool) -> Bool {
    isThreadWaiting = !forSubmission || batches.isEmpty
    return isThreadWaiting
  }

  /// Returns whether the thread was waiting.
  mutating func endWaiting() -> Bool {
    defer { isThreadWaiting = false }
    return isThreadWaiting
  }

  /// Adds the records of one submission to the last batch if they fit, else to a new batch. Never
  /// splits a submission.
  mutating func submit(_ records: JournalRecords, through number: UInt64, batchByteLimit: Int) {
    if let last = batches.indices.last,
      batches[last].records.byteCount + records.byteCount <= batchByteLimit
    {
      batches[last].records.append(records)
      batches[last].through = number
    } else {
      batches.append(Batch(records: records, through: number))
    }
  }

  /// Removes the next batch if requested. Later submissions go into another one.
  mutating func take(withBatch: Bool) -> Input {
    let batch = withBatch && !batches.isEmpty ? batches.removeFirst() : nil
    return Input(
      batch: batch, isMoreWaiting: !batches.isEmpty, reservedBatchCount: reservedBatchCount,
      isStopping: isStopping)
  }

  /// Puts back a batch after a failure for lack of space.
  mutating func putBack(_ batch: Batch) {
    batches.insert(batch, at: 0)
  }
}
