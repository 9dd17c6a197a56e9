/// Bytes that grow at their end, in memory of their own that is used again.
///
/// Whole words may be stored at the end, of which only a part counts; that takes a fraction of the
/// time of appending to an array bit by bit.
@safe
@usableFromInline
package struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline package internal(set) var capacity: Int
  /// How many bytes of the memory count.
  @usableFromInline package internal(set) var count = 0

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// A copy of the bytes.
  package var bytes: ContiguousArray<UInt8> {
    unsafe ContiguousArray(UnsafeBufferPointer(start: base, count: count))
  }

  /// Lends the bytes from an offset on.
  package func withBytes<Result>(from offset: Int = 0, _ body: (Span<UInt8>) -> Result) -> Result {
    precondition(offset >= 0 && offset <= count, "more than there is")
    return body(unsafe UnsafeBufferPointer(start: base + offset, count: count - offset).span)
  }

  /// Drops the bytes from an offset on; the memory stays.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "more than there is")
    self.count = count
  }

  /// Drops the first bytes.
  package mutating func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "more than there is")
    self.count -= count
    unsafe base.update(from: base + count, count: self.count)
  }

  /// Changes four bytes, the highest first.
  package mutating func set(_ number: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset + 4 <= count, "no such bytes")
    unsafe UnsafeMutableRawPointer(base).storeBytes(
      of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  package mutating func append(_ byte: UInt8) {
    let room = unsafe reserve(1)
    unsafe room.pointee = byte
    commit(1)
  }

  /// Appends four bytes, the highest first.
  package mutating func append(_ number: UInt32) {
    let room = unsafe reserve(4)
    unsafe UnsafeMutableRawPointer(room).storeBytes(of: number.bigEndian, as: UInt32.self)
    commit(4)
  }

  package mutating func append(contentsOf bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  @unsafe
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    // In bounds: the room is as long.
    unsafe reserve(bytes.count).update(from: start, count: bytes.count)
    commit(bytes.count)
  }

  /// Where to write what comes next, with room for `length` bytes; what of it counts is said to
  /// ``commit(_:)`` before anything else is done.
  @unsafe @inlinable @inline(__always)
  mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < length { grow(by: length) }
    return unsafe base + count
  }

  /// Takes as many bytes of what was reserved.
  @inlinable @inline(__always)
  mutating func commit(_ length: Int) {
    assert(length >= 0 && length <= capacity - count, "more than was reserved")
    count &+= length
  }

  @inline(never) @usableFromInline
  mutating func grow(by length: Int) {
    capacity = max(2 * capacity, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
  }
}

// The memory belongs to the buffer alone.
extension ByteBuffer: @unchecked Sendable {}
