/// How values lie in each other in a property list. What reads property lists follows them without
/// looking how far that goes, or whether it comes round again; so it is looked at first.
enum PropertyListShape {
  /// Values within values; what is deeper is no manifest.
  static let maximumDepth = 64
  /// Values in all, each counted wherever it stands.
  private static let maximumCount = 100_000

  /// What is wrong with it; nil if it can be read.
  static func problem(of bytes: ContiguousArray<UInt8>, isBinary: Bool) -> String? {
    if isBinary { return BinaryValues(bytes)?.problem() ?? nil }
    return depth(ofXML: bytes) > maximumDepth
      ? "values lie more than \(maximumDepth) deep in each other" : nil
  }

  /// How deep elements lie in each other.
  private static func depth(ofXML text: ContiguousArray<UInt8>) -> Int {
    var depth = 0
    var greatest = 0
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        rest = rest.behind("-->")
      } else if rest.starts(with: "![CDATA[".utf8) {
        rest = rest.behind("]]>")
      } else if let end = rest.firstIndex(of: UInt8(ascii: ">")) {
        let tag = rest[..<end]
        rest = rest[end...]
        switch tag.first {
        case UInt8(ascii: "/"): depth -= 1
        case UInt8(ascii: "!"), UInt8(ascii: "?"): break
        case _ where tag.last == UInt8(ascii: "/"): break
        default:
          depth += 1
          greatest = max(greatest, depth)
        }
      }
    }
    return greatest
  }

  /// The values of a binary property list: which of them hold others, by their numbers.
  private struct BinaryValues {
    private let bytes: ContiguousArray<UInt8>
    private let offsetSize: Int
    private let numberSize: Int
    private let count: Int
    private let top: Int
    private let table: Int

    /// Nil if it has no trailer that could be one: then its reader says so.
    init?(_ bytes: ContiguousArray<UInt8>) {
      self.bytes = bytes
      let trailer = bytes.count - 32
      guard trailer >= 8 else { return nil }
      offsetSize = Int(bytes[trailer + 6])
      numberSize = Int(bytes[trailer + 7])
      guard (1...8).contains(offsetSize), (1...8).contains(numberSize),
        let count = Self.number(bytes, trailer + 8, 8),
        let top = Self.number(bytes, trailer + 16, 8),
        let table = Self.number(bytes, trailer + 24, 8)
      else { return nil }
      (self.count, self.top, self.table) = (count, top, table)
    }

    /// Goes through all values as a reader would.
    func problem() -> String? {
      var visits = 0
      var open = [(value: top, depth: 1)]
      while let (value, depth) = open.popLast() {
        visits += 1
        if depth > maximumDepth {
          return "values lie more than \(maximumDepth) deep in each other, or in themselves"
        }
        if visits > maximumCount { return "it has more than \(maximumCount) values" }
        guard let held = values(in: value), held.count <= maximumCount else {
          return "value \(value) is not whole"
        }
        open += held.map { ($0, depth + 1) }
      }
      return nil
    }

    /// The values that one holds; nil where the file does not have them.
    private func values(in value: Int) -> [Int]? {
      guard (0..<count).contains(value), value <= bytes.count,
        let place = Self.number(bytes, table + value * offsetSize, offsetSize),
        place < bytes.count
      else { return nil }
      let perEntry: Int
      switch bytes[place] >> 4 {
      case 0xA, 0xB, 0xC: perEntry = 1
      case 0xD: perEntry = 2
      default: return []
      }
      var length = Int(bytes[place] & 0xF)
      var start = place + 1
      if length == 0xF {
        guard start < bytes.count, bytes[start] >> 4 == 1 else { return nil }
        let size = 1 << Int(bytes[start] & 0xF)
        guard size <= 8, let long = Self.number(bytes, start + 1, size) else { return nil }
        length = long
        start += 1 + size
      }
      guard length <= bytes.count, start + perEntry * length * numberSize <= bytes.count else {
        return nil
      }
      return (0..<perEntry * length).compactMap {
        Self.number(bytes, start + $0 * numberSize, numberSize)
      }
    }

    /// A big-endian number; nil where there is none that could count anything here.
    private static func number(
      _ bytes: ContiguousArray<UInt8>, _ start: Int, _ size: Int
    ) -> Int? {
      guard start >= 0, start <= bytes.count - size else { return nil }
      var number: UInt64 = 0
      for byte in bytes[start..<start + size] { number = number << 8 | UInt64(byte) }
      return number <= UInt64(Int32.max) ? Int(number) : nil
    }
  }
}

extension ContiguousArray<UInt8>.SubSequence {
  /// What follows a text; nothing where it does not stand.
  fileprivate func behind(_ end: StaticString) -> ContiguousArray<UInt8>.SubSequence {
    let end = Array(end.description.utf8)
    var rest = self
    while let next = rest.firstIndex(of: end[0]) {
      rest = rest[next...]
      if rest.starts(with: end) { return rest.dropFirst(end.count) }
      rest = rest.dropFirst()
    }
    return self[endIndex...]
  }
}
