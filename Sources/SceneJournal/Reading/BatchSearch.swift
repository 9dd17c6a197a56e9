/// Finds the valid batches of a file, and skips other bytes.
struct BatchSearch {
  /// A valid batch.
  struct Found {
    var header: BatchHeader
    var offset: Int
  }

  let file: SalvageFile
  /// Batches begin at multiples of this offset.
  let stride: Int
  var window: FileWindow
  /// The expected offset of the next batch.
  private(set) var position: Int

  init(_ file: SalvageFile, in source: JournalSource) throws(JournalError) {
    self.file = file
    switch file.header {
    case .checkpoint:
      stride = 1
      position = JournalFormat.checkpointHeaderByteCount
    case .log:
      stride = JournalFormat.pageByteCount
      position = JournalFormat.pageByteCount
    }
    window = try source.window(of: file.name, end: file.readableEnd)
  }

  /// The next valid batch; nil if there is none.
  mutating func next() throws(JournalError) -> Found? {
    var offset = position
    while offset < window.end {
      if let batch = try window.batch(at: offset, salt: file.salt) {
        position = boundary(from: offset + batch.header.byteCount)
        return Found(header: batch.header, offset: offset)
      }
      offset += stride
    }
    return nil
  }

  /// The first possible start of a batch ≥ `offset`.
  func boundary(from offset: Int) -> Int {
    stride == 1 ? offset : JournalFormat.pageBoundary(from: offset)
  }

  /// The header of a batch at `offset` without a valid checksum; nil if there is none.
  mutating func doubtfulHeader(at offset: Int) throws(JournalError) -> BatchHeader? {
    guard let bytes = try window.load(offset, count: JournalFormat.batchHeaderByteCount),
      let header = BatchHeader(decoding: window.bytes.span.extracting(bytes)),
      header.recordCount <= header.payloadByteCount / RecordReader.headerByteCount
    else { return nil }
    return header
  }

  /// The end of the written bytes: the length of a checkpoint; in a log, the offset after the last
  /// nonzero byte ≥ `start`.
  mutating func usedEnd(from start: Int) throws(JournalError) -> Int {
    if case .checkpoint = file.header { return window.end }
    var end = start
    var offset = start
    while offset < window.end {
      let count = min(JournalFormat.pageByteCount, window.end - offset)
      guard let page = try window.load(offset, count: count) else { break }
      if let last = window.bytes.span.extracting(page).lastNonzero { end = offset + last + 1 }
      offset += count
    }
    return end
  }

  /// The end of a checkpoint if its trailer is at `offset`.
  mutating func trailerEnd(at offset: Int) throws(JournalError) -> Int? {
    let length = JournalFormat.trailerByteCount
    guard case .checkpoint = file.header, let bytes = try window.load(offset, count: length),
      let trailer = CheckpointTrailer(
        decoding: window.bytes.span.extracting(bytes), salt: file.salt),
      trailer.byteCount == UInt64(offset + length)
    else { return nil }
    return offset + length
  }
}
