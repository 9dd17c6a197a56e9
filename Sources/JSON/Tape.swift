/// What stands at one place of the tape.
@usableFromInline
package enum TapeTag: UInt8, BitwiseCopyable {
  case null, `false`, `true`, number, string, array, object
}

/// Where one value is in the text, and where the tape goes on after it.
///
/// A container is followed by all that is in it; an object by name, value, name, value.
@usableFromInline
package struct TapeEntry: BitwiseCopyable {
  /// The offset of the value's first byte.
  @usableFromInline package var start: UInt32
  /// The offset after its last byte. While a container is open: the place after its parent's.
  @usableFromInline package var end: UInt32
  /// The place on the tape after this value and everything in it.
  @usableFromInline package var next: UInt32
  @usableFromInline package var tag: TapeTag
  /// Of a string: it has escapes. Of a number: it has a fraction or an exponent.
  @usableFromInline package var isComplex: Bool
  /// Levels of containers, with this one.
  @usableFromInline package var depth: UInt16

  @inlinable
  package init(
    _ tag: TapeTag, start: Int, end: Int, next: Int, isComplex: Bool = false, depth: UInt16 = 0
  ) {
    // A text is at most 2 GiB long and has at most one value for each byte.
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.tag = tag
    self.isComplex = isComplex
    self.depth = depth
  }
}

/// The values of a text in their order, in memory that grows but is used again.
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
    // In bounds: `count` is below `capacity` here.
    unsafe (base + count).initialize(to: entry)
    count += 1
  }

  @inlinable
  package subscript(index: Int) -> TapeEntry {
    @inline(__always) get {
      precondition(index >= 0 && index < count, "a value of an earlier text")
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count, "a value of an earlier text")
      unsafe base[index] = newValue
    }
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity * 2)
    // The new memory is twice as large and cannot overlap.
    unsafe larger.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity *= 2
  }
}
