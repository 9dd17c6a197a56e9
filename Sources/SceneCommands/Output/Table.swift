import SceneCommandLine

/// Rows under headings. In a window each row fits; elsewhere nothing is cut.
struct Table {
  struct Column {
    var heading: String
    /// A narrow window cuts the column to this width.
    var least = 8
    /// A window that is too narrow omits the column with the highest rank first; nil for never.
    var omission: Int?
    /// Whether a long text loses its beginning, as a path does.
    var keepsEnd = false
  }

  struct Cell: Equatable {
    /// Escaped.
    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
      self.text = PlainText.escaped(text)
      self.style = style
    }
  }

  private let columns: [Column]
  /// Whether the table prints whole values instead of fitting them to the window.
  private let isWhole: Bool
  private var rows: [[Cell]]

  /// The space between two columns.
  private static let gap = 2

  init(_ columns: [Column], isWhole: Bool = false) {
    self.columns = columns
    self.isWhole = isWhole
    rows = [columns.map { Cell($0.heading, .heading) }]
  }

  init(_ headings: [String]) { self.init(headings.map { Column(heading: $0) }) }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  var isEmpty: Bool { rows.count == 1 }

  /// A line for each row, without trailing spaces. `width` is that of the window, if there is one.
  func text(colored: Bool, in width: Int? = nil) -> String {
    let widths = widths(in: width)
    var text = ""
    for row in rows {
      var missing = 0
      for (index, cell) in row.enumerated() {
        guard let width = widths[index] else { continue }
        let shown = PlainText.cut(cell.text, to: width, keepsEnd: columns[index].keepsEnd)
        if !shown.isEmpty {
          text += String(repeating: " ", count: missing)
          text += colored ? cell.style.applied(to: shown) : shown
          missing = 0
        }
        missing += width - PlainText.width(shown) + Self.gap
      }
      text += "\n"
    }
    return text
  }

  /// The width of each column; nil for an omitted one.
  private func widths(in width: Int?) -> [Int?] {
    let widest = columns.indices.map { column in
      rows.reduce(0) { max($0, PlainText.width($1[column].text)) }
    }
    guard let width, !isWhole else { return widest }
    return ColumnLayout.widths(
      zip(columns, widest).map { column, widest in
        ColumnLayout.Column(
          least: min(column.least, widest), desired: widest, omission: column.omission)
      }, gap: Self.gap, in: width)
  }
}

/// Shares the width of a window among columns.
enum ColumnLayout {
  struct Column {
    var least: Int
    var desired: Int
    /// A window that is too narrow omits the column with the highest rank first; nil for never.
    var omission: Int?
  }

  /// The width of each column; nil for an omitted one. Each column grows in turn until its content
  /// fits.
  static func widths(_ columns: [Column], gap: Int, in width: Int) -> [Int?] {
    var widths: [Int?] = columns.map(\.least)
    var rest: Int { width + gap - widths.reduce(0) { $0 + ($1.map { $0 + gap } ?? 0) } }
    let omissions = columns.indices.filter { columns[$0].omission != nil }
      .sorted { columns[$0].omission ?? 0 > columns[$1].omission ?? 0 }
    for index in omissions where rest < 0 { widths[index] = nil }
    while rest < 0, let index = widths.indices.max(by: { widths[$0] ?? 0 < widths[$1] ?? 0 }),
      let least = widths[index], least > 1
    {
      widths[index] = least - 1
    }
    var left = rest
    var grows = true
    while grows {
      grows = false
      for index in columns.indices {
        guard left > 0, let width = widths[index], width < columns[index].desired else { continue }
        widths[index] = width + 1
        left -= 1
        grows = true
      }
    }
    return widths
  }
}
