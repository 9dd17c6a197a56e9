/// The sizes and limits of a journal.
package struct JournalOptions: Sendable {
  package var durability = Durability.disk
  /// The length of a log, in bytes.
  package var logByteCount = 16 << 20
  /// The minimum length of a log that a start accepts if there are sessions to serve.
  package var smallestLogByteCount = 1 << 20
  /// The length of the ballast file, which reserves space for a log at a start on a full disk; 0
  /// for none.
  package var ballastByteCount = 1 << 20
  /// The length of the zeros after the last batch of a log. With them, the sync of a batch changes
  /// no metadata.
  package var zeroAheadByteCount = 1 << 20
  /// The maximum bytes of records in one batch. A submission up to this length is atomic.
  package var batchByteLimit = 8 << 20
  /// The maximum bytes of records that wait for a sync, which may still arrive after the disk is
  /// full.
  package var waitingByteCount = 4 << 20
  /// The approximate bytes that one compaction step reads or writes.
  package var stepByteCount = 1 << 20
  /// The approximate bytes of records in one batch of a checkpoint. A damaged bit destroys one
  /// batch.
  package var checkpointBatchByteCount = 4 << 10
  /// Sealed files up to this total size are not compacted because of their size.
  package var compactionByteCount = 64 << 20
  /// The ratio of the sealed files to their live content that starts a compaction. On a full disk,
  /// any length qualifies.
  package var compactionFactor = 2
  /// The number of logs that starts a compaction.
  package var logLimit = 8
  /// Receives how much has been read, while a journal is opened, read or salvaged.
  package var onRead: (@Sendable (JournalProgress) -> Void)?
  /// Injected faults of a test.
  package var faults: (any JournalFaults)?
  /// Makes the random salt of a new file, which tells its batches from those of other files.
  package var makeSalt: @Sendable () -> UInt64 = { .random(in: 1 ... .max) }

  package init() {}
}
