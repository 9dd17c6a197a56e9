import SceneCommandLine

/// A column of `scenectl top`.
enum TopColumn: CaseIterable {
  case name, state, program, title, generation, wait, memory, cpu, last

  /// The smallest width. Numbers have a fixed width, so that the columns keep their place.
  private var look: (heading: String, least: Int, isNumber: Bool) {
    switch self {
    case .name: ("NAME", 8, false)
    case .state: ("STATE", 10, false)
    case .program: ("PROGRAM", 8, false)
    case .title: ("TITLE", 8, false)
    case .generation: ("GEN", 5, true)
    case .wait: ("WAIT", 6, false)
    case .memory: ("MEM", 5, true)
    case .cpu: ("CPU", 5, true)
    case .last: ("LAST", 4, true)
    }
  }

  var heading: String { look.heading }
  var isNumber: Bool { look.isNumber }
  private var least: Int { look.least }

  /// The columns that a narrow window omits, the first one first.
  private static let omitted: [TopColumn] = [
    .last, .generation, .cpu, .memory, .wait, .program, .title, .state,
  ]

  /// The columns for these rows and their widths. A space separates two columns.
  static func layout(_ rows: some Collection<TopRow>, in width: Int) -> [(TopColumn, Int)] {
    var columns = allCases
    for column in omitted
    where columns.reduce(-1, { $0 + $1.least + 1 }) > width {
      columns.removeAll { $0 == column }
    }
    var widths = columns.map { $0.least }
    let desired = columns.map { column in
      column.isNumber
        ? column.least : rows.reduce(0) { max($0, PlainText.width($1[column])) }
    }
    var rest = width - widths.reduce(-1) { $0 + $1 + 1 }
    if rest < 0 { widths[0] = max(1, width) }
    // Each column grows in turn until its content fits. The title takes the rest.
    while rest > 0, let _ = widths.indices.first(where: { widths[$0] < desired[$0] }) {
      for index in widths.indices where rest > 0 && widths[index] < desired[index] {
        widths[index] += 1
        rest -= 1
      }
    }
    if rest > 0, let title = columns.firstIndex(of: .title) { widths[title] += rest }
    return Array(zip(columns, widths))
  }

  /// The text in the column, of exactly this width.
  func fitted(_ text: String, to width: Int) -> String {
    let text = PlainText.cut(text, to: width)
    let space = String(repeating: " ", count: max(0, width - PlainText.width(text)))
    return isNumber ? space + text : text + space
  }
}
