/// Keys of a terminal become lines: what a person types can be corrected, and is kept apart from
/// what the program shows.
struct LineEditor {
  private(set) var typed: [UInt8] = []
  private var escape = Escape.none

  enum Key: Equatable {
    case line(String)
    /// Ctrl-D with nothing typed.
    case end
  }

  private enum Escape {
    case none, begun, sequence
  }

  /// What has been typed of a line.
  var text: String { String(decoding: typed, as: UTF8.self) }

  /// Takes one byte; nil while the line goes on.
  mutating func take(_ byte: UInt8) -> Key? {
    switch escape {
    case .begun:
      escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
      return nil
    case .sequence:
      // Arrows and the like mean nothing here.
      if (0x40...0x7E).contains(byte) { escape = .none }
      return nil
    case .none: return edit(byte)
    }
  }

  private mutating func edit(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0A, 0x0D:
      let line = text
      typed = []
      return .line(line)
    case 0x04: return typed.isEmpty ? .end : nil
    case 0x08, 0x7F: removeCharacter()
    case 0x15: typed = []
    case 0x17: removeWord()
    case 0x1B: escape = .begun
    case 0x09: typed.append(0x20)
    case 0x00..<0x20: break
    default: typed.append(byte)
    }
    return nil
  }

  private mutating func removeCharacter() {
    typed = Array(text.dropLast().utf8)
  }

  private mutating func removeWord() {
    var text = self.text[...]
    while text.last == " " { text.removeLast() }
    while let last = text.last, last != " " { text.removeLast() }
    typed = Array(text.utf8)
  }
}

/// Bytes of a pipe or a file become lines.
struct LineSplitter {
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// More than any command has.
  static let limit = 1 << 20

  /// The lines that are whole now; nil stands for one that was too long.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [String?] {
    var lines: [String?] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(isTooLong ? nil : String(decoding: rest, as: UTF8.self))
        (rest, isTooLong) = ([], false)
      } else if rest.count < Self.limit {
        rest.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  /// What stands behind the last line's end.
  mutating func takeRest() -> String? {
    guard !rest.isEmpty, !isTooLong else { return nil }
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }
}
