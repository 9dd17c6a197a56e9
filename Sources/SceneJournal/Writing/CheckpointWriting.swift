/// Writes a checkpoint under its temporary name, in batches.
struct CheckpointWriting: Sendable {
  let header: CheckpointHeader
  private let file: any StorageFile
  /// The encoded bytes that are not written, and their offset.
  private var bytes: ContiguousArray<UInt8>
  private var position = 0
  private var trailer = CheckpointTrailer(batchCount: 0, recordCount: 0, byteCount: 0)

  init(_ header: CheckpointHeader, on disk: inout JournalDisk) throws(JournalError) {
    self.header = header
    file = try disk.storage.create(Self.temporaryName(header.number), reserving: 0)
    bytes = header.encoded()
  }

  private var name: String { Self.temporaryName(header.number) }

  static func temporaryName(_ number: UInt64) -> String {
    JournalFileName.checkpoint(number).temporary
  }

  /// Adds records as one batch. One damaged bit destroys the whole batch.
  mutating func append(
    _ records: JournalRecords, on disk: inout JournalDisk
  ) throws(JournalError) {
    trailer.batchCount += 1
    trailer.recordCount += UInt64(records.count)
    BatchHeader.encode(records, sequence: trailer.batchCount, salt: header.salt, to: &bytes)
    if bytes.count >= Self.writeByteCount { try write(on: &disk) }
  }

  /// The approximate length of a write, which combines small batches.
  private static let writeByteCount = 1 << 18

  private mutating func write(on disk: inout JournalDisk) throws(JournalError) {
    try disk.write(bytes.span, to: file, named: name, at: position)
    position += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes and syncs the added batches, so that no batch of a log waits for the sync of a whole
  /// checkpoint.
  mutating func sync(on disk: inout JournalDisk) throws(JournalError) {
    try write(on: &disk)
    try disk.sync(file, named: name)
  }

  /// Completes the checkpoint and gives it its durable name. The checkpoint then replaces the files
  /// that it contains.
  mutating func finish(on disk: inout JournalDisk) throws(JournalError) -> JournalFiles.Checkpoint {
    trailer.byteCount = UInt64(position + bytes.count + JournalFormat.trailerByteCount)
    bytes.append(contentsOf: trailer.encoded(salt: header.salt))
    try sync(on: &disk)
    let checkpoint = JournalFiles.Checkpoint(header: header, byteCount: Int(trailer.byteCount))
    try disk.publish(name, as: checkpoint.name)
    return checkpoint
  }
}
