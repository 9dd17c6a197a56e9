/// Finds the batches of a file that check, whatever lies between them.
struct BatchSearch {
  /// A batch that checks.
  struct Found {
    var header: BatchHeader
    var offset: Int
  }

  let file: SalvageFile
  /// A batch can begin at a multiple of this only.
  let stride: Int
  var window: FileWindow
  /// Where the next batch begins if nothing is damaged.
  private(set) var position: Int

  init(
    _ file: SalvageFile, in storage: any Storage, windowByteCount: Int
  ) throws(JournalError) {
    self.file = file
    switch file.header {
    case .base:
      stride = 1
      position = JournalFormat.baseHeaderByteCount
    case .log:
      stride = JournalFormat.pageByteCount
      position = JournalFormat.pageByteCount
    }
    window = FileWindow(
      try JournalDisk(storage).open(file.name, for: .reading), end: file.readableEnd,
      byteLimit: windowByteCount)
  }

  /// The next batch; nil if there is none up to the end of the file.
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

  /// The first place from `offset` on where a batch can begin.
  func boundary(from offset: Int) -> Int {
    stride == 1 ? offset : JournalFormat.pageBoundary(from: offset)
  }

  /// What reads like the header of a batch, if anything does.
  mutating func doubtfulHeader(at offset: Int) throws(JournalError) -> BatchHeader? {
    guard let bytes = try window.load(offset, count: JournalFormat.batchHeaderByteCount),
      let header = BatchHeader(decoding: window.bytes.span.extracting(bytes)),
      header.recordCount <= header.payloadByteCount / RecordReader.headerByteCount
    else { return nil }
    return header
  }

  /// Where what was written ends: a base with the file, a log behind the last byte from `start` on
  /// that is not zero.
  mutating func usedEnd(from start: Int) throws(JournalError) -> Int {
    if case .base = file.header { return window.end }
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

  /// Where a base says that it ends, if it does so at `offset`.
  mutating func trailerEnd(at offset: Int) throws(JournalError) -> Int? {
    let length = JournalFormat.trailerByteCount
    guard case .base = file.header, let bytes = try window.load(offset, count: length),
      let trailer = BaseTrailer(
        decoding: window.bytes.span.extracting(bytes), salt: file.salt),
      trailer.byteCount == UInt64(offset + length)
    else { return nil }
    return offset + length
  }
}
