import SceneCommandLine

/// A line editor: it turns keys into lines, so that the typed text stays separate from the output.
/// The arrow keys bring back earlier lines, and Tab completes a command.
struct LineEditor {
  private(set) var typed: [UInt8] = []
  private var escape = Escape.none
  /// The commands that Tab completes.
  private let commands: [String]
  /// The earlier lines, and at the end the one that the user began.
  private var lines: [[UInt8]] = [[]]
  /// The index of the shown line.
  private var place = 0

  private static let longestHistory = 1000

  init(completing commands: [String] = []) { self.commands = commands }

  enum Key: Equatable {
    case line(String)
    /// The line is not UTF-8.
    case unreadable(IllFormedText)
    /// Ctrl-D on an empty line.
    case end
  }

  private enum Escape {
    case none, begun, sequence, ignored
  }

  /// The typed part of the line.
  var text: String { String(decoding: typed, as: UTF8.self) }

  /// Processes one byte. Returns nil while the line continues.
  mutating func take(_ byte: UInt8) -> Key? {
    switch escape {
    case .begun:
      escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
      return nil
    case .sequence:
      // Ignores other keys, and those with Ctrl or Shift.
      switch byte {
      case UInt8(ascii: "A"): recall(place - 1)
      case UInt8(ascii: "B"): recall(place + 1)
      case 0x40...0x7E: break
      default:
        escape = .ignored
        return nil
      }
      escape = .none
      return nil
    case .ignored:
      if (0x40...0x7E).contains(byte) { escape = .none }
      return nil
    case .none: return edit(byte)
    }
  }

  private mutating func edit(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0A, 0x0D:
      defer { finish() }
      let line = String(validating: typed, as: UTF8.self)
      return line.map { .line($0) } ?? .unreadable(IllFormedText(in: typed))
    case 0x04: return typed.isEmpty ? .end : nil
    case 0x08, 0x7F: removeCharacter()
    case 0x15: typed = []
    case 0x17: removeWord()
    case 0x1B: escape = .begun
    case 0x09: complete()
    case 0x00..<0x20: break
    default: typed.append(byte)
    }
    return nil
  }

  // MARK: - Earlier lines

  private mutating func finish() {
    lines.removeLast()
    if !typed.isEmpty, typed != lines.last { lines.append(typed) }
    if lines.count > Self.longestHistory { lines.removeFirst() }
    lines.append([])
    place = lines.count - 1
    typed = []
  }

  private mutating func recall(_ new: Int) {
    guard lines.indices.contains(new) else { return }
    if place == lines.count - 1 { lines[place] = typed }
    place = new
    typed = lines[place]
  }

  // MARK: - Editing

  /// Completes the command as far as it is certain. After the command, Tab is a space.
  private mutating func complete() {
    let text = text
    let candidates = commands.filter { $0.hasPrefix(text) }
    guard !text.contains(" "), !text.isEmpty, let first = candidates.first else {
      return typed.append(0x20)
    }
    let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    typed = Array((candidates.count == 1 ? first + " " : common).utf8)
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

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map { $0.0 })
  }
}

/// A line of a pipe or a file.
struct GivenLine: Equatable {
  /// From 1.
  var number: Int
  var content: Content

  enum Content: Equatable {
    case text(String)
    case tooLong
    case unreadable(IllFormedText)
  }
}

/// Splits the bytes of a pipe or a file into lines.
struct LineSplitter {
  private var rest: [UInt8] = []
  private var isTooLong = false
  private var count = 0

  /// The maximum length of a line in bytes.
  static let limit = 1 << 20

  /// Adds bytes and returns the complete lines.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [GivenLine] {
    var lines: [GivenLine] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(finish())
      } else if rest.count < Self.limit {
        rest.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  /// The rest after the last line break.
  mutating func takeRest() -> GivenLine? { rest.isEmpty ? nil : finish() }

  private mutating func finish() -> GivenLine {
    defer { (rest, isTooLong) = ([], false) }
    count += 1
    guard !isTooLong else { return GivenLine(number: count, content: .tooLong) }
    let text = String(validating: rest, as: UTF8.self)
    return GivenLine(
      number: count, content: text.map { .text($0) } ?? .unreadable(IllFormedText(in: rest)))
  }
}
