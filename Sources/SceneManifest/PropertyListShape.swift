/// Checks the nesting of a property list. Foundation's reader recurses without a limit and without
/// a check for cycles.
enum PropertyListShape {
  /// The maximum nesting depth.
  static let maximumDepth = 64
  /// The maximum number of values; a shared value counts for each reference.
  private static let maximumCount = 100_000

  /// The problem of a binary property list; nil if the file can be read.
  static func problem(ofBinary bytes: ContiguousArray<UInt8>) -> String? {
    BinaryValues(bytes)?.problem() ?? nil
  }

  /// The references between the values of a binary property list.
  private struct BinaryValues {
    private let bytes: ContiguousArray<UInt8>
    private let offsetSize: Int
    private let numberSize: Int
    private let count: Int
    private let top: Int
    private let table: Int

    /// Nil without a plausible trailer; Foundation's reader reports that.
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

    /// Visits all values as a reader does.
    func problem() -> String? {
      var visits = 0
      var open = [(value: top, depth: 1)]
      while let (value, depth) = open.popLast() {
        visits += 1
        if depth > maximumDepth {
          return "values are nested more than \(maximumDepth) levels deep, or contain themselves"
        }
        if visits > maximumCount { return "more than \(maximumCount) values" }
        guard let held = values(in: value), held.count <= maximumCount else {
          return "value \(value) is incomplete"
        }
        open += held.map { ($0, depth + 1) }
      }
      return nil
    }

    /// The values in a container; nil if they are outside the file.
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

    /// A big-endian number; nil if it is outside the file or too large.
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
