/// The status of a ``JournalQueue``.
package struct JournalStatus: Equatable, Sendable {
  /// All records up to this number, which a submission gave, are durable.
  package var durable: UInt64 = 0
  package var storage = DiskRoom.ok
  /// The missing space while ``storage`` is not `ok`.
  package var spaceShortage: SpaceShortage?
  /// The error that ended the journal. No later record is acknowledged.
  package var failure: JournalError?
  /// Whether the thread has ended: it failed, or it has written all that fits on the disk.
  /// Records after ``durable`` are not stored.
  package var hasEnded = false
  /// The error that ended compaction. The journal continues.
  package var compactionFailure: JournalError?
  package var counts = JournalCounts()

  package init() {}

  /// Whether more than the counts differ.
  func differs(from other: JournalStatus) -> Bool {
    var other = other
    other.counts = counts
    return self != other
  }
}
