/// A growable array of bytes in a reusable buffer.
///
/// A writer can store whole words at the end and commit only some of their bytes. This is several
/// times faster than appends to an array.
@safe
@usableFromInline
package struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline package internal(set) var capacity: Int
  /// The number of committed bytes.
  @usableFromInline package internal(set) var count = 0

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// A copy of the bytes.
  package var bytes: ContiguousArray<UInt8> {
    unsafe ContiguousArray(UnsafeBufferPointer(start: base, count: count))
  }

  /// Passes the bytes from `offset` on to `body`.
  package func withBytes<Result>(from offset: Int = 0, _ body: (Span<UInt8>) -> Result) -> Result {
    precondition(offset >= 0 && offset <= count, "the offset is beyond the bytes")
    return body(unsafe UnsafeBufferPointer(start: base + offset, count: count - offset).span)
  }

  /// Removes the bytes from offset `count` on; keeps the memory.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "the count exceeds the bytes")
    self.count = count
  }

  /// Removes the first bytes.
  package mutating func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "the count exceeds the bytes")
    self.count -= count
    unsafe base.update(from: base + count, count: self.count)
  }

  /// Overwrites four bytes, big-endian.
  package mutating func set(_ number: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset + 4 <= count, "the offset is beyond the bytes")
    unsafe UnsafeMutableRawPointer(base).storeBytes(
      of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  package mutating func append(_ byte: UInt8) {
    let room = unsafe reserve(1)
    unsafe room.pointee = byte
    commit(1)
  }

  /// Appends four bytes, big-endian.
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
    // In bounds: the reserved space has this length.
    unsafe reserve(bytes.count).update(from: start, count: bytes.count)
    commit(bytes.count)
  }

  /// Returns uncommitted space for `length` bytes after the content. Call ``commit(_:)`` with the
  /// number of used bytes before any other call.
  @unsafe @inlinable @inline(__always)
  mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < length { grow(by: length) }
    return unsafe base + count
  }

  /// Commits the first `length` reserved bytes.
  @inlinable @inline(__always)
  mutating func commit(_ length: Int) {
    assert(length >= 0 && length <= capacity - count, "the length exceeds the reserved bytes")
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

// The buffer owns its memory.
extension ByteBuffer: @unchecked Sendable {}
