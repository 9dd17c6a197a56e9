/// The kind of an entry of the tape.
@usableFromInline
package enum TapeTag: UInt8, BitwiseCopyable {
  case null, `false`, `true`, number, string, array, object
}

/// The range of one value in the text, and the next place on the tape.
///
/// The content of a container follows its entry; for an object: name, value, name, value.
@usableFromInline
package struct TapeEntry: BitwiseCopyable {
  /// The offset of the value's first byte.
  @usableFromInline package var start: UInt32
  /// The offset after the last byte. For an open container: the place of its parent + 1.
  @usableFromInline package var end: UInt32
  /// The place on the tape after this value and its content.
  @usableFromInline package var next: UInt32
  @usableFromInline package var tag: TapeTag
  /// Whether a string has escapes, or a number has a fraction or an exponent.
  @usableFromInline package var isComplex: Bool
  /// The number of nested containers, including this one.
  @usableFromInline package var depth: UInt16

  @inlinable
  package init(
    _ tag: TapeTag, start: Int, end: Int, next: Int, isComplex: Bool = false, depth: UInt16 = 0
  ) {
    // Both fit 32 bits: a text has at most 2 GiB, and at most one value for each byte.
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.tag = tag
    self.isComplex = isComplex
    self.depth = depth
  }
}

/// The values of a text in order, in a reusable buffer.
@safe
@usableFromInline
package struct Tape: ~Copyable {
  @usableFromInline package private(set) var base: UnsafeMutablePointer<TapeEntry>
  package private(set) var capacity: Int
  @usableFromInline package private(set) var count = 0

  package init(capacity: Int) {
    unsafe base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe base.deallocate()
  }

  package mutating func removeAll() {
    count = 0
  }

  @inline(__always)
  package mutating func append(_ entry: TapeEntry) {
    if count == capacity { grow() }
    // In bounds: `count` < `capacity`.
    unsafe (base + count).initialize(to: entry)
    count += 1
  }

  @inlinable
  package subscript(index: Int) -> TapeEntry {
    @inline(__always) get {
      precondition(index >= 0 && index < count, "the value belongs to an earlier text")
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count, "the value belongs to an earlier text")
      unsafe base[index] = newValue
    }
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity * 2)
    // The new buffer is twice as large and does not overlap.
    unsafe larger.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity *= 2
  }
}
