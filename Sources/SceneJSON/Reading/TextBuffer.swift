/// A copy of a text with trailing zeros, in a reusable buffer.
///
/// No JSON token contains a zero byte. So a scanner that reads bytes or words stops at the end of
/// the text without a bounds check in each step.
@safe
@usableFromInline
package struct TextBuffer: ~Copyable {
  /// The number of zeros after the text, so that a word at its end is in bounds.
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

  /// Replaces the content with a copy of `bytes`.
  package mutating func assign(_ bytes: Span<UInt8>) {
    reserve(bytes.count)
    count = bytes.count
    unsafe bytes.withUnsafeBufferPointer { source in
      // In bounds: `reserve` allocated the text and its padding.
      if let start = source.baseAddress {
        unsafe base.update(from: start, count: source.count)
      }
      unsafe (base + source.count).update(repeating: 0, count: Self.padding)
    }
  }

  /// Replaces the content with `null`.
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
