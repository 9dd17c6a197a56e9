/// Reads the string literals of Swift source code: on one line, on several lines and raw, also those
/// inside an interpolation. Comments and code are skipped.
struct LiteralReader {
  /// A literal's delimiters: the number of `#`, and whether the literal has several lines.
  private struct Delimiter {
    let hashes: Int
    let isMultiline: Bool

    var opening: [UInt8] { hashMarks + quotes }
    var closing: [UInt8] { quotes + hashMarks }
    var escape: [UInt8] { Array("\\".utf8) + hashMarks }

    private var hashMarks: [UInt8] { Array(repeating: UInt8(ascii: "#"), count: hashes) }
    private var quotes: [UInt8] {
      Array(repeating: UInt8(ascii: "\""), count: isMultiline ? 3 : 1)
    }
  }

  private let source: [UInt8]
  private var position = 0
  private var line = 1
  private var texts: [Int: [UInt8]] = [:]

  private init(_ source: String) { self.source = Array(source.utf8) }

  /// The literal text on each line that has any. A space replaces each escape and interpolation.
  static func lines(of source: String) -> [(number: Int, text: String)] {
    var reader = LiteralReader(source)
    reader.readCode(isInterpolation: false)
    return reader.texts.filter { $0.value.contains { $0 > UInt8(ascii: " ") } }
      .sorted { $0.key < $1.key }
      .map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }
  }

  /// Reads to the end of the source, or to the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while position < source.count {
      if starts(with: Array("//".utf8)) {
        while position < source.count, source[position] != UInt8(ascii: "\n") { advance() }
      } else if starts(with: Array("/*".utf8)) {
        skipComment()
      } else if let delimiter = openingDelimiter() {
        readLiteral(delimiter)
      } else {
        let byte = source[position]
        advance()
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          if isInterpolation, depth == 0 { return }
          depth -= 1
        }
      }
    }
  }

  /// Skips a comment, which may contain other comments.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts(with: Array("/*".utf8)) {
        depth += 1
        advance(by: 2)
      } else if starts(with: Array("*/".utf8)) {
        depth -= 1
        advance(by: 2)
      } else {
        advance()
      }
    } while depth > 0 && position < source.count
  }

  /// The delimiter of the literal that begins here; nil if none begins here.
  private func openingDelimiter() -> Delimiter? {
    guard [UInt8(ascii: "#"), UInt8(ascii: "\"")].contains(source[position]) else { return nil }
    let hashes = source[position...].prefix { $0 == UInt8(ascii: "#") }.count
    let delimiter = Delimiter(hashes: hashes, isMultiline: false)
    guard starts(with: delimiter.opening) else { return nil }
    // A raw literal on one line may begin with quotes. Three quotes before a line break begin a
    // literal of several lines.
    let multiline = Delimiter(hashes: hashes, isMultiline: true)
    let isMultiline = starts(with: multiline.opening + [UInt8(ascii: "\n")])
    return isMultiline ? multiline : delimiter
  }

  private mutating func readLiteral(_ delimiter: Delimiter) {
    let (closing, escape) = (delimiter.closing, delimiter.escape)
    advance(by: delimiter.opening.count)
    while position < source.count, !starts(with: closing) {
      guard starts(with: escape) else {
        append(source[position])
        advance()
        continue
      }
      advance(by: escape.count)
      append(UInt8(ascii: " "))
      let isInterpolation = starts(with: [UInt8(ascii: "(")])
      advance()
      if isInterpolation { readCode(isInterpolation: true) }
    }
    advance(by: closing.count)
    append(UInt8(ascii: " "))
  }

  private mutating func append(_ byte: UInt8) { texts[line, default: []].append(byte) }

  private func starts(with bytes: [UInt8]) -> Bool {
    guard bytes.count <= source.count - position else { return false }
    for index in bytes.indices where source[position + index] != bytes[index] { return false }
    return true
  }

  private mutating func advance(by count: Int = 1) {
    for _ in 0..<min(count, source.count - position) {
      if source[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }
}
