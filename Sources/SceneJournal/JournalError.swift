/// Why a journal cannot be opened, read or written.
package enum JournalError: Error, Equatable, Sendable {
  /// A disk operation failed. If a writer reports it, the journal ends and is not opened again in
  /// this process.
  case storage(StorageFailure)
  /// No space for a log. At the start, no file was changed; later, the batch waits.
  case noRoom(SpaceShortage)
  /// Acknowledged records cannot be read.
  case damaged(JournalDamage)
  /// The journal's files are missing, although the file `witness` proves that there was a journal.
  case gone(witness: String)
  /// A file has the name of a journal file, but is none; it is unchanged.
  case foreign(file: String)
  /// A newer version wrote the file; it is unchanged.
  case newerFormat(file: String, version: UInt32)
}
