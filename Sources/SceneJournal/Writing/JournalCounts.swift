/// The number of disk operations, which tests compare.
package struct JournalCounts: Equatable, Sendable {
  package var batches = 0
  package var records = 0
  package var writes = 0
  package var bytesWritten = 0
  /// The syncs of files.
  package var syncs = 0
  package var directorySyncs = 0
  /// The begun logs, including the one at the start.
  package var begunLogs = 0
  package var compactions = 0
}
