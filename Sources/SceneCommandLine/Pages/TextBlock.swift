/// Lines of at most 80 columns, or of the width of the terminal.
struct TextBlock {
  private let width: Int
  private(set) var text = ""

  static let widest = 80
  /// In a narrower window the terminal breaks the lines.
  static let narrowest = 20
  /// The minimum width for a table of two columns.
  private static let leastForTwo = 60

  init(columns: Int? = nil) {
    width = min(max(columns ?? Self.widest, Self.narrowest), Self.widest)
  }

  mutating func line(_ line: String = "") {
    text += line
    text += "\n"
  }

  /// Writes paragraphs, separated by empty lines. Keeps spaces at the start of a line.
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

  /// Writes unbroken pieces with spaces between them, and indents the lines after the first.
  mutating func parts(_ parts: [String], indent: Int) {
    let lines = wrap(parts.map { $0[...] }, width: width - indent, first: width)
    for (index, piece) in lines.enumerated() {
      line((index == 0 ? "" : String(repeating: " ", count: indent)) + piece)
    }
  }

  /// Writes a table of two columns. A label that is wider than its column gets its own line. In a
  /// narrow block all labels do.
  mutating func rows(_ rows: [(label: String, text: String)], indent: Int = 2) {
    let isNarrow = width < Self.leastForTwo
    let widest = isNarrow ? 2 : rows.map { $0.label.count }.filter { $0 <= 24 }.max() ?? 24
    let start = indent + widest + 2
    let margin = String(repeating: " ", count: start)
    for row in rows {
      // In two columns, options without a letter are aligned with those that have one.
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

/// Fills lines with words; never breaks a word. The first line may have another width.
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
