/// Writes a base under its temporary name, a batch at a time.
struct BaseWriting: Sendable {
  let header: BaseHeader
  private let file: any StorageFile
  private var position: Int
  private var trailer = BaseTrailer(batchCount: 0, recordCount: 0, byteCount: 0)
  private var bytes: ContiguousArray<UInt8>

  init(_ header: BaseHeader, on disk: inout JournalDisk) throws(JournalError) {
    self.header = header
    file = try disk.create(Self.temporaryName(header.number), reserving: 0)
    bytes = header.encoded()
    position = bytes.count
    try disk.write(bytes, to: file, named: Self.temporaryName(header.number), at: 0)
  }

  private var name: String { Self.temporaryName(header.number) }

  static func temporaryName(_ number: UInt64) -> String {
    JournalFileName.base(number).temporary
  }

  mutating func append(
    _ records: JournalRecords, on disk: inout JournalDisk
  ) throws(JournalError) {
    trailer.batchCount += 1
    trailer.recordCount += UInt64(records.count)
    bytes.removeAll(keepingCapacity: true)
    BatchHeader.encode(records, sequence: trailer.batchCount, salt: header.salt, to: &bytes)
    try disk.write(bytes, to: file, named: name, at: position)
    position += bytes.count
  }

  /// Syncs what was written so far, so that no batch ever waits for a sync of the whole base.
  func sync(on disk: inout JournalDisk) throws(JournalError) {
    try disk.sync(file, named: name)
  }

  /// Completes it and gives it its name, durably: from then on it replaces what it contains.
  mutating func finish(on disk: inout JournalDisk) throws(JournalError) -> JournalFiles.Base {
    trailer.byteCount = UInt64(position + JournalFormat.trailerByteCount)
    try disk.write(
      trailer.encoded(salt: header.salt), to: file, named: name, at: position)
    try disk.sync(file, named: name)
    let base = JournalFiles.Base(header: header, byteCount: Int(trailer.byteCount))
    try disk.publish(name, as: base.name)
    return base
  }
}
