package import JSON

/// What a session is called for as long as it exists: a UUID, compared as two words and never as
/// text.
package struct SessionIdentifier: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier of no session; a place to read into.
  package static let none = SessionIdentifier(high: 0, low: 0)

  /// A version 4 UUID from 128 random bits.
  package init(random high: UInt64, _ low: UInt64) {
    self.high = (high & ~0xF000) | 0x4000
    self.low = (low & ~(0b11 << 62)) | (0b10 << 62)
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
    var bytes = text.utf8.makeIterator()
    self.init(length: text.utf8.count) { _ in bytes.next() ?? 0 }
  }

  private init?(length: Int, byte: (Int) -> UInt8) {
    guard length == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for position in 0..<36 {
      let byte = byte(position)
      switch position {
      case 8, 13, 18, 23:
        guard byte == UInt8(ascii: "-") else { return nil }
      case 0..<19:
        guard let digit = Self.digit(byte) else { return nil }
        high = high << 4 | digit
      default:
        guard let digit = Self.digit(byte) else { return nil }
        low = low << 4 | digit
      }
    }
    self.init(high: high, low: low)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  package var description: String {
    var text = ""
    text.reserveCapacity(36)
    for position in 0..<36 {
      switch position {
      case 8, 13, 18, 23: text.append("-")
      default: text.unicodeScalars.append(Unicode.Scalar(hexDigit(at: position)))
      }
    }
    return text
  }

  /// The first group in lower case, for people.
  package var short: String { String(description.prefix(8)).lowercased() }

  /// The digit that stands at a position of the text form.
  private func hexDigit(at position: Int) -> UInt8 {
    let dashes = position > 23 ? 4 : position > 18 ? 3 : position > 13 ? 2 : position > 8 ? 1 : 0
    let digit = position - dashes
    let word = digit < 16 ? high : low
    let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit % 16))) & 0xF
    return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

extension SessionIdentifier: JSONCodable {
  package static var expectation: String { "a session identifier (a UUID)" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .string else { throw .expected(Self.self, found: value) }
    var read: SessionIdentifier?
    value.withUTF8 { bytes in
      read = SessionIdentifier(length: bytes.count) { bytes[$0] }
    }
    guard let read else {
      throw MemberError(problem: "expected \(Self.expectation), found another string")
    }
    self = read
  }

  package func write(to writer: inout JSONWriter) {
    writer.asciiString(count: 36) { position in
      switch position {
      case 8, 13, 18, 23: UInt8(ascii: "-")
      default: hexDigit(at: position)
      }
    }
  }
}
