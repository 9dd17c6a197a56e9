/// The stretch of a file that is in memory, moved along while the file is read.
struct FileWindow: Sendable {
  private let file: any StorageFile
  private let byteLimit: Int
  /// How much is read next: more each time, as most files are short.
  private var nextByteCount = 1 << 16
  /// Where reading ends: the length of the file, or less.
  let end: Int
  /// The bytes that ``load(_:count:)`` tells the place of.
  private(set) var bytes = ContiguousArray<UInt8>()
  /// Which part of the file `bytes` begins with.
  private var loaded = 0..<0

  init(_ file: any StorageFile, end: Int, byteLimit: Int) {
    self.file = file
    self.end = end
    self.byteLimit = byteLimit
  }

  /// Where in ``bytes`` the given part of the file is; nil if it is not all before the end.
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

  /// A place from `offset` on, before which all bytes that are not in memory yet are zeros because
  /// nothing was ever written there.
  func nextWritten(from offset: Int) throws(JournalError) -> Int {
    if loaded.contains(offset) { return offset }
    do throws(StorageError) {
      return try file.nextWritten(from: offset)
    } catch {
      throw .storage(error)
    }
  }

  private mutating func fill(from offset: Int, count: Int) throws(JournalError) {
    loaded = 0..<0
    if bytes.count < count {
      bytes = ContiguousArray(repeating: 0, count: count)
    }
    do throws(StorageError) {
      let readable = try file.read(at: offset, count: count, into: &bytes)
      loaded = offset..<offset + readable
    } catch {
      throw .storage(error)
    }
  }
}

extension FileWindow {
  /// Where in ``bytes`` the batch at `offset` is, if one is there and checks.
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
