/// A copy of a text with zeros behind it, in memory that grows but is used again.
///
/// No JSON token goes on over a zero. So whoever reads forward, a byte or a word at a time, stops
/// at the end of the text without asking at each step where it is.
@safe
@usableFromInline
package struct TextBuffer: ~Copyable {
  /// How many zeros follow the text: a word read at its end is still within.
  package static let padding = 16

  @usableFromInline package private(set) var base: UnsafeMutablePointer<UInt8>
  package private(set) var capacity: Int
  @usableFromInline package private(set) var count = 0

  package init(capacity: Int) {
    let room = max(capacity, Self.padding)
    unsafe base = .allocate(capacity: room)
    unsafe base.initialize(repeating: 0, count: room)
    self.capacity = room
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Takes a copy of `bytes` in place of what was there.
  package mutating func assign(_ bytes: Span<UInt8>) {
    reserve(bytes.count)
    count = bytes.count
    unsafe bytes.withUnsafeBufferPointer { source in
      // In bounds: `reserve` made room for the text and its padding.
      if let start = source.baseAddress {
        unsafe base.update(from: start, count: source.count)
      }
      unsafe (base + source.count).update(repeating: 0, count: Self.padding)
    }
  }

  /// Becomes `null`.
  package mutating func assignNull() {
    count = 4
    unsafe UnsafeMutableRawPointer(base).storeBytes(
      of: UInt64(littleEndian: 0x6C6C_756E), as: UInt64.self)
  }

  private mutating func reserve(_ length: Int) {
    let needed = length + Self.padding
    guard needed > capacity else { return }
    unsafe base.deallocate()
    capacity = max(needed, capacity * 2)
    unsafe base = .allocate(capacity: capacity)
    unsafe base.initialize(repeating: 0, count: capacity)
  }
}
