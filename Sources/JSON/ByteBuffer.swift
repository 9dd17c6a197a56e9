/// Bytes that grow at their end, in memory that is used again.
///
/// The memory is an array that is full from the start, with zeros. So whole words may be stored at
/// the end, of which only a part counts; that takes a fraction of the time of appending to an array
/// bit by bit.
package struct ByteBuffer {
  private var memory: ContiguousArray<UInt8> = []
  /// How many bytes of the memory count.
  package private(set) var count = 0

  package init() {}

  private static let smallest = 256

  /// Bytes that could be kept without asking for more memory.
  package var capacity: Int { memory.count }
  package var isEmpty: Bool { count == 0 }

  /// A copy of the bytes.
  package var bytes: ContiguousArray<UInt8> { ContiguousArray(memory[..<count]) }

  /// Takes the bytes, memory and all.
  package mutating func take() -> ContiguousArray<UInt8> {
    memory.removeLast(memory.count - count)
    count = 0
    var taken: ContiguousArray<UInt8> = []
    swap(&taken, &memory)
    return taken
  }

  /// Lends the bytes from an offset on.
  package func withBytes<Result>(from offset: Int = 0, _ body: (Span<UInt8>) -> Result) -> Result {
    body(memory.span.extracting(offset..<count))
  }

  /// Drops the bytes from an offset on; the memory stays.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "more than there is")
    self.count = count
  }

  /// Drops the first bytes.
  package mutating func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "more than there is")
    let rest = self.count - count
    unsafe memory.withUnsafeMutableBytes { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[count..<count + rest]))
    }
    self.count = rest
  }

  /// Changes four bytes, the highest first.
  package mutating func set(_ number: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset + 4 <= count, "no such bytes")
    unsafe memory.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  package mutating func append(_ byte: UInt8) {
    unsafe append(upTo: 1) { room in
      unsafe room[0] = byte
      return 1
    }
  }

  /// Appends four bytes, the highest first.
  package mutating func append(_ number: UInt32) {
    unsafe append(upTo: 4) { room in
      unsafe UnsafeMutableRawPointer(room).storeBytes(of: number.bigEndian, as: UInt32.self)
      return 4
    }
  }

  package mutating func append(contentsOf bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  @unsafe
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    unsafe append(upTo: bytes.count) { room in
      // In bounds: there is room for so many.
      unsafe room.update(from: start, count: bytes.count)
      return bytes.count
    }
  }

  /// Lets `body` write at the end, where it has room for `length` bytes; it answers how many of
  /// them count.
  @unsafe @inline(__always)
  mutating func append(upTo length: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if memory.count - count < length { grow(by: length) }
    let start = count
    let added = unsafe memory.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe body($0 + start) } ?? 0
    }
    count = start + added
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    let size = max(2 * memory.count, count + length, Self.smallest)
    memory.append(contentsOf: repeatElement(0, count: size - memory.count))
  }
}
