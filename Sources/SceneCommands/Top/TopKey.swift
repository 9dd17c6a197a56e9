/// A key of the view of `scenectl top`.
enum TopKey: Equatable {
  case up, down, pageUp, pageDown, home, end, enter, escape, backspace
  case character(Character)
  /// A character that no keyboard types, from Ctrl and a letter.
  case control(Character)
}

/// Decodes the bytes of a terminal into keys.
struct TopKeyDecoder {
  private var pending: [UInt8] = []

  /// Whether an escape sequence or a character is incomplete. If no byte follows soon, the user has
  /// pressed Escape.
  var isIncomplete: Bool { !pending.isEmpty }

  mutating func keys(in bytes: some Sequence<UInt8>) -> [TopKey] {
    var keys: [TopKey] = []
    for byte in bytes {
      pending.append(byte)
      if let outcome = Self.decode(pending) {
        pending = []
        if let key = outcome.key { keys.append(key) }
        if outcome.isUnused { keys += self.keys(in: [byte]) }
      }
    }
    return keys
  }

  /// The key after a pause.
  mutating func finish() -> TopKey? {
    defer { pending = [] }
    return pending == [Self.escape] ? .escape : nil
  }

  private static let escape: UInt8 = 0x1B
  private static let longestSequence = 16

  private struct DecodedKey {
    /// Nil for a sequence without a meaning.
    var key: TopKey?
    /// Whether the last byte begins another key.
    var isUnused = false
  }

  /// Nil if the bytes are incomplete.
  private static func decode(_ bytes: [UInt8]) -> DecodedKey? {
    guard bytes[0] == escape else { return decodeCharacter(bytes) }
    guard bytes.count > 1 else { return nil }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
      return DecodedKey(key: .escape, isUnused: true)
    }
    guard let last = bytes.dropFirst(2).last, 0x40...0x7E ~= last else {
      return bytes.count < longestSequence ? nil : DecodedKey()
    }
    let sequence = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    return DecodedKey(key: sequences[sequence])
  }

  private static let sequences: [String: TopKey] = [
    "A": .up, "B": .down, "H": .home, "F": .end, "M": .enter, "5~": .pageUp, "6~": .pageDown,
    "1~": .home, "7~": .home, "4~": .end, "8~": .end,
  ]

  private static func decodeCharacter(_ bytes: [UInt8]) -> DecodedKey? {
    switch bytes[0] {
    case 0x0A, 0x0D: return DecodedKey(key: .enter)
    case 0x08, 0x7F: return DecodedKey(key: .backspace)
    case 0x00..<0x20:
      return DecodedKey(key: .control(Character(Unicode.Scalar(bytes[0] + 0x60))))
    case 0x20..<0x7F: return DecodedKey(key: .character(Character(Unicode.Scalar(bytes[0]))))
    default:
      let text = String(validating: bytes, as: UTF8.self)
      if let character = text?.first { return DecodedKey(key: .character(character)) }
      return bytes.count < 4 ? nil : DecodedKey()
    }
  }
}
