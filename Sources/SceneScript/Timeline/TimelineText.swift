import SceneCommandLine

/// A timeline as text: lanes on the left, words on the right.
package struct TimelineText {
  package struct Format: Equatable, Sendable {
    package var isASCII: Bool
    package var isColored: Bool
    /// The width of a line; nil for no limit.
    package var columns: Int?

    package init(isASCII: Bool = false, isColored: Bool = false, columns: Int? = nil) {
      self.isASCII = isASCII
      self.isColored = isColored
      self.columns = columns
    }
  }

  private let timeline: Timeline
  private let format: Format
  private let columns: TextColumns
  private let sessions: [String]

  package init(_ timeline: Timeline, format: Format = Format()) {
    self.timeline = timeline
    self.format = format
    sessions = timeline.sessions.map { session in
      let label = format.isASCII ? session.label.spelledInASCII : session.label
      return PlainText.escaped(label)
    }
    columns = TextColumns(timeline, sessions: sessions, width: format.columns)
  }

  /// The columns that the drawing needs; nil if it fits the window.
  package var neededColumns: Int? { columns.needed }

  /// The title and all rows.
  package func text(title: String) -> String {
    var text = ""
    let facts = timeline.facts.joined(separator: ", ")
    for line in shown(PlainText.escaped("\(title): \(facts)"), in: format.columns) {
      text += Style.heading.applied(to: line, if: format.isColored) + "\n"
    }
    for index in timeline.rows.indices { write(index, to: &text) }
    for sentence in timeline.unansweredCallbacks {
      for line in shown(sentence, in: format.columns) {
        text += Style.waiting.applied(to: line, if: format.isColored) + "\n"
      }
    }
    return text
  }

  // MARK: - Rows

  private func write(_ index: Int, to text: inout String) {
    let row = timeline.rows[index]
    let isShared = timeline.lane(of: row) >= columns.lanes - 1 && columns.sharesLastLane
    var words = timeline.words(for: row, at: index, naming: isShared)
    if columns.session == 0, let session = row.session { words = "\(sessions[session]): \(words)" }
    for (number, line) in shown(words, in: columns.words).enumerated() {
      var pieces = lanes(of: row, withMark: number == 0)
      pieces.add(margin(of: row, isFirst: number == 0), number == 0 ? .plain : .faint)
      pieces.add(line, row.wordsStyle)
      text += pieces.text(colored: format.isColored) + "\n"
    }
  }

  private func lanes(of row: Timeline.Row, withMark: Bool) -> StyledText {
    let mark = withMark ? TimelineMark(row.content) : nil
    let marked = columns.column(ofLane: timeline.lane(of: row))
    var strokes = [Timeline.Stroke](repeating: .none, count: columns.lanes)
    for (lane, stroke) in row.strokes.enumerated() {
      let column = columns.column(ofLane: lane)
      if stroke.rawValue > strokes[column].rawValue { strokes[column] = stroke }
    }
    var pieces = StyledText()
    for (column, stroke) in strokes.enumerated() {
      if column > 0 { pieces.add(columns.gap, .plain) }
      if let mark, column == marked {
        pieces.add(String(format.isASCII ? mark.asciiGlyph : mark.glyph), row.style)
      } else {
        pieces.add(String(format.isASCII ? stroke.asciiGlyph : stroke.glyph), stroke.style)
      }
    }
    return pieces
  }

  /// The time and the session, on the first line of a row only.
  private func margin(of row: Timeline.Row, isFirst: Bool) -> String {
    var time = ""
    var session = ""
    if isFirst {
      let isPause = TimelineMark(row.content) == nil
      time = isPause ? (format.isASCII ? ":" : "⋮") : TimeFormat.seconds(row.time)
      session = row.session.map { sessions[$0] } ?? ""
    }
    if columns.session == 0 { return "  " + time.padded(before: columns.time) + "  " }
    return "  " + time.padded(before: columns.time) + "  "
      + cut(session, in: columns.session).padded(after: columns.session) + "  "
  }

  // MARK: - Characters

  private func shown(_ text: String, in columns: Int?) -> [String] {
    let text = format.isASCII ? text.spelledInASCII : text
    return columns.map { PlainText.wrapped(text, to: $0) } ?? [text]
  }

  private func cut(_ text: String, in columns: Int) -> String {
    let shown = PlainText.cut(text, to: columns)
    return format.isASCII && shown.hasSuffix("…") ? String(shown.dropLast()) + "~" : shown
  }
}

extension Timeline.Row {
  fileprivate var wordsStyle: Style {
    switch style {
    case .bad, .faint, .heading: style
    case .plain, .good, .waiting, .selected: .plain
    }
  }
}

extension Style {
  fileprivate func applied(to text: String, if isColored: Bool) -> String {
    isColored ? applied(to: text) : text
  }
}

extension String {
  fileprivate func padded(before columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - PlainText.width(self))) + self
  }

  fileprivate func padded(after columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - PlainText.width(self)))
  }
}
