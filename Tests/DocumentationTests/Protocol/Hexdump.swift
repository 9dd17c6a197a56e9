import SceneTestSupport

/// A dump on a page: an offset, the bytes, the bytes as text between bars, and their meaning.
struct Hexdump {
  enum Direction: Character {
    case toBroker = "→"
    case toClient = "←"
    case onDisk = " "
  }

  let direction: Direction
  /// The offset of the first byte.
  let start: Int
  let bytes: [UInt8]
  /// The texts between the bars, one after another.
  let text: String
  /// The meaning of each row. A row without a meaning continues the row above.
  let meanings: [String]

  /// Nil if the block is not a dump.
  init?(_ block: Page.Block) throws {
    guard let first = block.lines.first, let arrow = first.first,
      let direction = Direction(rawValue: arrow),
      let match = first.dropFirst(2).prefixMatch(of: #/([0-9a-f]{4})  [0-9a-f]{2} /#),
      let start = Int(match.1, radix: 16)
    else { return nil }
    self.direction = direction
    self.start = start
    var bytes: [UInt8] = []
    var text = ""
    var meanings: [String] = []
    for line in block.lines {
      let parts = line.dropFirst(2).split(separator: "|", maxSplits: 1)
      let numbers = parts[0].split(separator: " ")
      guard parts.count == 2, let end = parts[1].lastIndex(of: "|"), let offset = numbers.first,
        Int(offset, radix: 16) == start + bytes.count
      else { throw Unmet("not the row of a dump at byte \(bytes.count): \(line)") }
      for number in numbers.dropFirst() {
        guard number.count == 2, let byte = UInt8(number, radix: 16) else {
          throw Unmet("not a byte: \(number), in \(line)")
        }
        bytes.append(byte)
      }
      text += parts[1][..<end]
      let meaning = parts[1][parts[1].index(after: end)...].drop { $0 == " " }
      if !meaning.isEmpty { meanings.append(String(meaning)) }
    }
    self.bytes = bytes
    self.text = text
    self.meanings = meanings
  }

  /// The bytes as the right column of a dump shows them.
  static func text(of bytes: [UInt8]) -> String {
    String(bytes.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." })
  }
}
