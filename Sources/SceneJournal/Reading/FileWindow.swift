/// A sliding window over a file.
struct FileWindow: Sendable {
  private let file: any StorageFile
  private let byteLimit: Int
  /// Receives the end of each read.
  private let didRead: (@Sendable (Int) -> Void)?
  /// The length of the next read. It grows, because most files are short.
  private var nextByteCount = 1 << 16
  /// The end of the readable part, ≤ the length of the file.
  let end: Int
  /// The loaded bytes. ``load(_:count:)`` returns ranges of them.
  private(set) var bytes = ContiguousArray<UInt8>()
  /// The range of the file at the start of `bytes`.
  private var loaded = 0..<0

  init(
    _ file: any StorageFile, end: Int, byteLimit: Int, didRead: (@Sendable (Int) -> Void)? = nil
  ) {
    self.file = file
    self.end = end
    self.byteLimit = byteLimit
    self.didRead = didRead
  }

  /// Loads a part of the file and returns its range in ``bytes``; nil if the part exceeds the end.
  mutating func load(_ offset: Int, count: Int) throws(JournalError) -> Range<Int>? {
    guard offset <= end, count <= end - offset else { return nil }
    if offset < loaded.lowerBound || offset + count > loaded.upperBound {
      let wanted = min(nextByteCount, byteLimit)
      nextByteCount = 2 * wanted
      try fill(from: offset, count: min(max(count, wanted), end - offset))
      guard offset + count <= loaded.upperBound else { return nil }
    }
    let start = offset - loaded.lowerBound
    return start..<start + count
  }

  /// An offset ≥ `offset`. All unloaded bytes between both were never written, and so are zero.
  func nextWritten(from offset: Int) throws(JournalError) -> Int {
    if loaded.contains(offset) { return offset }
    return try file.nextWritten(from: offset)
  }

  private mutating func fill(from offset: Int, count: Int) throws(JournalError) {
    loaded = 0..<0
    if bytes.count < count {
      bytes = ContiguousArray(repeating: 0, count: count)
    }
    let readable = try file.read(at: offset, count: count, into: &bytes)
    loaded = offset..<offset + readable
    didRead?(loaded.upperBound)
  }
}

extension FileWindow {
  /// The range in ``bytes`` of a valid batch at `offset`; nil if there is none.
  mutating func batch(
    at offset: Int, salt: UInt64
  ) throws(JournalError) -> (header: BatchHeader, bytes: Range<Int>)? {
    guard let start = try load(offset, count: JournalFormat.batchHeaderByteCount),
      let header = BatchHeader(decoding: bytes.span.extracting(start)),
      let batch = try load(offset, count: header.byteCount),
      header.checks(bytes.span.extracting(batch), salt: salt)
    else { return nil }
    return (header, batch)
  }
}
