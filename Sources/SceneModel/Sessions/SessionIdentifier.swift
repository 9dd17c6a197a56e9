package import SceneJSON

/// The identifier of a session: a UUID, stored as two words.
package struct SessionIdentifier: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The broker generates identifiers at random, so a client cannot choose them to collide. The
  /// broker looks them up several times for each message.
  package func _rawHashValue(seed: Int) -> Int { low.mixed(with: seed) }

  /// The identifier of no session, as a value to read into.
  package static let none = SessionIdentifier(high: 0, low: 0)

  /// A version 4 UUID from 128 random bits.
  package init(random high: UInt64, _ low: UInt64) {
    self.high = (high & ~0xF000) | 0x4000
    self.low = (low & ~(0b11 << 62)) | (0b10 << 62)
  }
}

extension UInt64 {
  /// The hash of a number that no client has chosen.
  package func mixed(with seed: Int) -> Int {
    let number = self ^ UInt64(bitPattern: Int64(seed))
    let product = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}

extension SessionIdentifier: Comparable {
  package static func < (one: Self, other: Self) -> Bool {
    one.high == other.high ? one.low < other.low : one.high < other.high
  }
}

extension SessionIdentifier: LosslessStringConvertible {
  /// The five groups of hexadecimal digits, in either case; nil for anything else.
  package init?(_ text: String) {
    self.init(ContiguousArray(text.utf8).span)
  }

  package var description: String {
    unsafe String(unsafeUninitializedCapacity: Self.textLength) { room in
      unsafe write(to: UnsafeMutableRawBufferPointer(room))
      return Self.textLength
    }
  }

  /// The first group in lower case, for people.
  package var short: String { String(description.prefix(8)).lowercased() }
}

// Most messages have identifiers, and their digits are unpredictable for branches. So the code
// reads and writes eight digits in one word.
extension SessionIdentifier {
  private static let textLength = 36

  private init?(_ text: Span<UInt8>) {
    guard text.count == Self.textLength else { return nil }
    let dash = UInt8(ascii: "-")
    guard text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else { return nil }
    // In bounds: text.count == textLength.
    let bytes = unsafe text.bytes
    func digits(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func digits(_ offset: Int, _ next: Int) -> UInt64 {
      let first = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let second = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: next, as: UInt32.self)
      return UInt64(UInt32(bigEndian: first)) << 32 | UInt64(UInt32(bigEndian: second))
    }
    guard let first = Hexadecimal.number(digits(0)), let second = Hexadecimal.number(digits(9, 14)),
      let third = Hexadecimal.number(digits(19, 24)), let fourth = Hexadecimal.number(digits(28))
    else { return nil }
    self.init(
      high: UInt64(first) << 32 | UInt64(second), low: UInt64(third) << 32 | UInt64(fourth))
  }

  /// Writes the text to `room`, which has `textLength` bytes.
  @unsafe
  private func write(to room: UnsafeMutableRawBufferPointer) {
    precondition(room.count >= Self.textLength, "the text needs more room")
    let second = Hexadecimal.digits(UInt32(truncatingIfNeeded: high))
    let third = Hexadecimal.digits(UInt32(truncatingIfNeeded: low >> 32))
    // In bounds: room.count >= textLength, and each byte is written.
    func put(_ word: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
      unsafe room.storeBytes(of: word.bigEndian, toByteOffset: offset, as: type(of: word))
    }
    let dash = UInt8(ascii: "-")
    put(Hexadecimal.digits(UInt32(truncatingIfNeeded: high >> 32)), at: 0)
    put(dash, at: 8)
    put(UInt32(truncatingIfNeeded: second >> 32), at: 9)
    put(dash, at: 13)
    put(UInt32(truncatingIfNeeded: second), at: 14)
    put(dash, at: 18)
    put(UInt32(truncatingIfNeeded: third >> 32), at: 19)
    put(dash, at: 23)
    put(UInt32(truncatingIfNeeded: third), at: 24)
    put(Hexadecimal.digits(UInt32(truncatingIfNeeded: low)), at: 28)
  }
}

/// Eight hexadecimal digits in a word. The first digit is the highest byte.
private enum Hexadecimal {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The digits of a number, in capitals.
  static func digits(_ number: UInt32) -> UInt64 {
    var nibbles = UInt64(number)
    nibbles = (nibbles << 16 | nibbles) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles << 8 | nibbles) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles << 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (nibbles &+ 6 &* ones) >> 4 & ones
    return nibbles &+ UInt64(UInt8(ascii: "0")) &* ones &+ letters &* 7
  }

  /// The number, if all bytes are digits in either case.
  static func number(_ digits: UInt64) -> UInt32? {
    let letters = digits >> 6 & ones
    var nibbles = (digits & 0x0F0F_0F0F_0F0F_0F0F) &+ letters &* 9
    nibbles = (nibbles | nibbles >> 4) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles >> 8) & 0x0000_FFFF_0000_FFFF
    let number = UInt32(truncatingIfNeeded: nibbles | nibbles >> 16)
    // A byte that is no digit does not come back.
    return self.digits(number) == digits & ~(letters << 5) ? number : nil
  }
}

extension SessionIdentifier: JSONCodable {
  package static var expectation: String { "a session identifier (a UUID)" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .string else { throw .expected(Self.self, found: value) }
    guard let read = value.withUTF8({ SessionIdentifier($0) }) ?? nil else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = read
  }

  package func write(to writer: inout JSONWriter) {
    unsafe writer.string(plainByteCount: Self.textLength) { unsafe write(to: $0) }
  }
}

/// The prefix of a session's identifier that a person typed.
package struct IdentifierPrefix: Equatable, Sendable {
  /// The identifiers with this prefix.
  package let range: ClosedRange<SessionIdentifier>

  /// A shorter prefix would too easily be a mistyped name.
  package static let shortest = 4

  /// Nil if no identifier can have this prefix, or if it is shorter than ``shortest``.
  package init?(_ text: String) {
    guard text.utf8.count >= Self.shortest,
      let first = SessionIdentifier(text, filledWith: "0"),
      let last = SessionIdentifier(text, filledWith: "F")
    else { return nil }
    range = first...last
  }

  package func matches(_ identifier: SessionIdentifier) -> Bool { range.contains(identifier) }
}

extension SessionIdentifier {
  /// The identifier that begins with the text, and then has only this digit.
  fileprivate init?(_ text: String, filledWith digit: Character) {
    let rest = Self.none.description.map { $0 == "-" ? $0 : digit }.dropFirst(text.utf8.count)
    self.init(text + String(rest))
  }
}
