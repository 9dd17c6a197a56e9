import SceneCommandLine

/// A column of `scenectl top`.
enum TopColumn: CaseIterable {
  case name, state, title, generation, wait, memory, cpu, last, command

  /// The smallest width, and the rank among the columns that a narrow window omits. Numbers have a
  /// fixed width, so that the columns keep their place.
  private var look: (heading: String, least: Int, isNumber: Bool, omission: Int?) {
    switch self {
    case .name: ("NAME", 8, false, nil)
    case .state: ("STATE", 10, false, 1)
    case .title: ("TITLE", 8, false, 3)
    case .generation: ("GEN", 5, true, 7)
    case .wait: ("WAIT", 6, false, 4)
    case .memory: ("MEM", 5, true, 5)
    case .cpu: ("CPU", 5, true, 6)
    case .last: ("LAST", 4, true, 8)
    case .command: ("COMMAND", 8, false, 2)
    }
  }

  var heading: String { look.heading }
  var isNumber: Bool { look.isNumber }

  /// The columns for these rows and their widths. A space separates two columns. The last one takes
  /// the rest of the window.
  static func layout(_ rows: some Collection<TopRow>, in width: Int) -> [(TopColumn, Int)] {
    var widths = ColumnLayout.widths(
      allCases.map { column in
        let least = column.look.least
        let desired =
          column.isNumber ? least : rows.reduce(least) { max($0, PlainText.width($1[column])) }
        return ColumnLayout.Column(
          least: least, desired: desired, omission: column.look.omission)
      }, gap: 1, in: width)
    if let last = widths.indices.last, let least = widths[last] {
      let used = widths.compactMap(\.self).reduce(-1) { $0 + $1 + 1 }
      widths[last] = least + max(0, width - used)
    }
    return zip(allCases, widths).compactMap { column, width in width.map { (column, $0) } }
  }

  /// The text in the column, of exactly this width.
  func fitted(_ text: String, to width: Int) -> String {
    let text = PlainText.cut(text, to: width)
    let space = String(repeating: " ", count: max(0, width - PlainText.width(text)))
    return isNumber ? space + text : text + space
  }
}
