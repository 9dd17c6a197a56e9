/// What a reply promises about the records behind it.
package enum Durability: String, Sendable, CaseIterable {
  /// They were synced: a power cut does not take them back.
  case disk
  /// They were written: the end of the process does not take them back.
  case os
  /// Nothing; there are no files.
  case none
}

/// The sizes a journal works with.
package struct JournalOptions: Sendable {
  package var durability = Durability.disk
  /// The length of a log, in bytes.
  package var logByteCount = 16 << 20
  /// The length of the log that a start is content with if there is something to serve.
  package var smallestLogByteCount = 1 << 20
  /// The length of the ballast, a file that keeps room for the log of a start on a full disk; 0 for
  /// none.
  package var ballastByteCount = 1 << 20
  /// How far beyond its last batch a log is written with zeros, so that syncing a batch changes
  /// nothing but bytes.
  package var zeroAheadByteCount = 1 << 20
  /// The most bytes of records in one batch; what is handed over together and is no longer than
  /// this is on disk together or not at all.
  package var batchByteLimit = 8 << 20
  /// The most bytes of records that the owner lets wait for a sync, and that may therefore be on
  /// their way when it learns that the disk is full.
  package var waitingByteCount = 4 << 20
  /// About how much a step of compaction reads or writes.
  package var stepByteCount = 1 << 20
  /// About how many bytes of records there are in one batch of a base, which is what a damaged bit
  /// takes with it.
  package var baseBatchByteCount = 4 << 10
  /// Sealed files of no more than this are not compacted on account of their size.
  package var compactionByteCount = 64 << 20
  /// Sealed files are compacted when they are this many times as long as what they add up to; on a
  /// full disk, however short they are.
  package var compactionFactor = 2
  /// The most logs there are before they are compacted.
  package var logLimit = 8
  /// What a test makes go wrong.
  package var faults: (any JournalFaults)?
  /// Gives each new file the number that tells its batches from any other file's.
  package var makeSalt: @Sendable () -> UInt64 = { .random(in: 1 ... .max) }

  package init() {}
}
