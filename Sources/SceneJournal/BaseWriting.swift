/// Writes a base under its temporary name, a batch at a time.
struct BaseWriting: Sendable {
  let header: BaseHeader
  private let file: any StorageFile
  /// What was encoded and not yet written, and where it belongs.
  private var bytes: ContiguousArray<UInt8>
  private var position = 0
  private var trailer = BaseTrailer(batchCount: 0, recordCount: 0, byteCount: 0)

  init(_ header: BaseHeader, on disk: inout JournalDisk) throws(JournalError) {
    self.header = header
    file = try disk.create(Self.temporaryName(header.number), reserving: 0)
    bytes = header.encoded()
  }

  private var name: String { Self.temporaryName(header.number) }

  static func temporaryName(_ number: UInt64) -> String {
    JournalFileName.base(number).temporary
  }

  /// Adds records as one batch, all of which is lost if a bit of it is.
  mutating func append(
    _ records: JournalRecords, on disk: inout JournalDisk
  ) throws(JournalError) {
    trailer.batchCount += 1
    trailer.recordCount += UInt64(records.count)
    BatchHeader.encode(records, sequence: trailer.batchCount, salt: header.salt, to: &bytes)
    if bytes.count >= Self.writeByteCount { try write(on: &disk) }
  }

  /// Batches are small; a write is about this long.
  private static let writeByteCount = 1 << 18

  private mutating func write(on disk: inout JournalDisk) throws(JournalError) {
    try disk.write(bytes, to: file, named: name, at: position)
    position += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes and syncs what was added so far, so that no batch of a log ever waits for a sync of the
  /// whole base.
  mutating func sync(on disk: inout JournalDisk) throws(JournalError) {
    try write(on: &disk)
    try disk.sync(file, named: name)
  }

  /// Completes it and gives it its name, durably: from then on it replaces what it contains.
  mutating func finish(on disk: inout JournalDisk) throws(JournalError) -> JournalFiles.Base {
    trailer.byteCount = UInt64(position + bytes.count + JournalFormat.trailerByteCount)
    bytes.append(contentsOf: trailer.encoded(salt: header.salt))
    try sync(on: &disk)
    let base = JournalFiles.Base(header: header, byteCount: Int(trailer.byteCount))
    try disk.publish(name, as: base.name)
    return base
  }
}
