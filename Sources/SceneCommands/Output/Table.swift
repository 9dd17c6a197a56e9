import SceneCommandLine

/// Rows under headings. Each column is as wide as its widest cell.
struct Table {
  private var rows: [[Cell]]

  struct Cell: Equatable {
    /// Escaped.
    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
      self.text = PlainText.escaped(text)
      self.style = style
    }
  }

  /// The maximum width of all columns but the last.
  private static let widestColumn = 40

  init(_ headings: [String]) {
    rows = [headings.map { Cell($0, .heading) }]
  }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  var isEmpty: Bool { rows.count == 1 }

  /// A line for each row, without trailing spaces.
  func text(colored: Bool) -> String {
    var widths = [Int](repeating: 0, count: rows[0].count)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(
          widths[column], min(PlainText.width(cell.text), Self.widestColumn))
      }
    }
    var text = ""
    for row in rows {
      var gap = 0
      for (column, cell) in row.enumerated() where !cell.text.isEmpty {
        let isLast = column == row.count - 1
        let shown = isLast ? cell.text : PlainText.cut(cell.text, to: Self.widestColumn)
        let before = widths[..<column].reduce(0) { $0 + $1 + 2 }
        text += String(repeating: " ", count: before - gap)
        text += colored ? cell.style.applied(to: shown) : shown
        gap = before + PlainText.width(shown)
      }
      text += "\n"
    }
    return text
  }
}
