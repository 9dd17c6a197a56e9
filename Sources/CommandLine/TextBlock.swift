/// Lines of at most 80 columns, or fewer where there are fewer.
struct TextBlock {
  private let width: Int
  private(set) var text = ""

  static let widest = 80
  /// A window with fewer columns gets lines that it breaks itself.
  static let narrowest = 20
  /// With fewer columns two of them beside each other would not leave room for words.
  private static let leastForTwo = 60

  init(columns: Int? = nil) {
    width = min(max(columns ?? Self.widest, Self.narrowest), Self.widest)
  }

  mutating func line(_ line: String = "") {
    text += line
    text += "\n"
  }

  /// A paragraph, or several with empty lines between. Spaces at the beginning of a line stay.
  mutating func paragraphs(_ paragraphs: String, indent: Int = 0) {
    let margin = String(repeating: " ", count: indent)
    for line in paragraphs.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        self.line()
        continue
      }
      let start = margin + line.prefix { $0 == " " }
      for piece in wrap(line.split(separator: " "), width: width - start.count) {
        self.line(start + piece)
      }
    }
  }

  /// Pieces that each stay whole, with spaces between; lines after the first are indented.
  mutating func parts(_ parts: [String], indent: Int) {
    let lines = wrap(parts.map { $0[...] }, width: width - indent, first: width)
    for (index, piece) in lines.enumerated() {
      line((index == 0 ? "" : String(repeating: " ", count: indent)) + piece)
    }
  }

  /// A table of two columns; a label that is too wide for its column gets a line of its own, and
  /// where there is little room all of them do.
  mutating func rows(_ rows: [(label: String, text: String)], indent: Int = 2) {
    let isNarrow = width < Self.leastForTwo
    let widest = isNarrow ? 2 : rows.map { $0.label.count }.filter { $0 <= 24 }.max() ?? 24
    let start = indent + widest + 2
    let margin = String(repeating: " ", count: start)
    for row in rows {
      // Beside each other, options without a letter stand below those with one.
      let text = isNarrow ? row.label.drop { $0 == " " } : row.label[...]
      let label = String(repeating: " ", count: indent) + text
      let pieces = wrap(row.text.split(separator: " "), width: width - start)
      guard let first = pieces.first else {
        line(label)
        continue
      }
      if label.count + 2 <= start {
        line(label + String(repeating: " ", count: start - label.count) + first)
      } else {
        line(label)
        line(margin + first)
      }
      for piece in pieces.dropFirst() { line(margin + piece) }
    }
  }
}

/// Puts words together to lines; one that is longer than a line stays whole. The first line may
/// have another width.
private func wrap(_ words: [Substring], width: Int, first: Int? = nil) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in words {
    if line.isEmpty {
      line = String(word)
    } else if line.count + 1 + word.count <= (lines.isEmpty ? first ?? width : width) {
      line += " " + word
    } else {
      lines.append(line)
      line = String(word)
    }
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}
