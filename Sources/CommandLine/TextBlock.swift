/// Lines of at most 80 columns.
struct TextBlock {
  static let width = 80
  private(set) var text = ""

  mutating func line(_ line: String = "") {
    text += line
    text += "\n"
  }

  /// A paragraph, or several with empty lines between.
  mutating func paragraphs(_ paragraphs: String, indent: Int = 0) {
    let margin = String(repeating: " ", count: indent)
    for line in paragraphs.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        self.line()
        continue
      }
      for piece in wrap(String(line), width: TextBlock.width - indent) { self.line(margin + piece) }
    }
  }

  /// A table of two columns; a label that is too wide for its column gets a line of its own.
  mutating func rows(_ rows: [(label: String, text: String)], indent: Int = 2) {
    let widest = rows.map { $0.label.count }.filter { $0 <= 24 }.max() ?? 24
    let start = indent + widest + 2
    let margin = String(repeating: " ", count: start)
    for row in rows {
      let label = String(repeating: " ", count: indent) + row.label
      let pieces = wrap(row.text, width: TextBlock.width - start)
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

/// Breaks a text at its spaces; a word that is longer than a line stays whole.
func wrap(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if line.isEmpty {
      line = String(word)
    } else if line.count + 1 + word.count <= width {
      line += " " + word
    } else {
      lines.append(line)
      line = String(word)
    }
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}
