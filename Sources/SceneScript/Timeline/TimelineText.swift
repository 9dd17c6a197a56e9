import CommandLine

/// A timeline as text: lanes on the left, words on the right, a line or more for each row.
package struct TimelineText {
  package struct Look: Equatable, Sendable {
    package var isASCII: Bool
    package var isColoured: Bool
    /// How wide lines may be; nil if they may be as wide as they are.
    package var columns: Int?

    package init(isASCII: Bool = false, isColoured: Bool = false, columns: Int? = nil) {
      self.isASCII = isASCII
      self.isColoured = isColoured
      self.columns = columns
    }
  }

  private let timeline: Timeline
  private let look: Look
  private let columns: TextColumns
  private let sessions: [String]

  package init(_ timeline: Timeline, look: Look = Look()) {
    self.timeline = timeline
    self.look = look
    sessions = timeline.sessions.map { session in
      let label = look.isASCII ? session.label.spelledInASCII : session.label
      return PlainText.escaped(label)
    }
    columns = TextColumns(timeline, sessions: sessions, width: look.columns)
  }

  /// Whose story it is, and then the story.
  package func text(title: String) -> String {
    var text = ""
    let facts = timeline.facts.joined(separator: ", ")
    for line in shown(PlainText.escaped("\(title): \(facts)"), in: look.columns) {
      text += Style.heading.applied(to: line, if: look.isColoured) + "\n"
    }
    for index in timeline.rows.indices { write(index, to: &text) }
    for sentence in timeline.unansweredWords {
      for line in shown(sentence, in: look.columns) {
        text += Style.waiting.applied(to: line, if: look.isColoured) + "\n"
      }
    }
    return text
  }

  // MARK: - A row

  private func write(_ index: Int, to text: inout String) {
    let row = timeline.rows[index]
    let isShared = timeline.lane(of: row) >= columns.lanes - 1 && columns.sharesLastLane
    let words = timeline.words(for: row, at: index, naming: isShared)
    for (number, line) in shown(words, in: columns.words).enumerated() {
      var pieces = lanes(of: row, withMark: number == 0)
      pieces.add(margin(of: row, isFirst: number == 0), number == 0 ? .plain : .faint)
      pieces.add(line, row.wordsStyle)
      text += pieces.text(coloured: look.isColoured) + "\n"
    }
  }

  private func lanes(of row: Timeline.Row, withMark: Bool) -> StyledText {
    let mark = withMark ? TimelineMark(row.happening) : nil
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
        pieces.add(String(look.isASCII ? mark.asciiGlyph : mark.glyph), row.style)
      } else {
        pieces.add(String(look.isASCII ? stroke.asciiGlyph : stroke.glyph), stroke.style)
      }
    }
    return pieces
  }

  /// The time and the session, which only the first line of a row has.
  private func margin(of row: Timeline.Row, isFirst: Bool) -> String {
    var time = ""
    var session = ""
    if isFirst {
      let isPause = TimelineMark(row.happening) == nil
      time = isPause ? (look.isASCII ? ":" : "⋮") : WrittenTime.seconds(row.time)
      session = row.session.map { sessions[$0] } ?? ""
    }
    if columns.session == 0 { return "  " + time.padded(before: columns.time) + "  " }
    return "  " + time.padded(before: columns.time) + "  "
      + cut(session, in: columns.session).padded(after: columns.session) + "  "
  }

  // MARK: - Characters

  private func shown(_ text: String, in columns: Int?) -> [String] {
    let text = look.isASCII ? text.spelledInASCII : text
    return columns.map { PlainText.wrapped(text, to: $0) } ?? [text]
  }

  private func cut(_ text: String, in columns: Int) -> String {
    let shown = PlainText.cut(text, to: columns)
    return look.isASCII && shown.hasSuffix("…") ? String(shown.dropLast()) + "~" : shown
  }
}

extension Timeline.Row {
  fileprivate var wordsStyle: Style {
    switch style {
    case .bad, .faint, .heading: style
    case .plain, .good, .waiting: .plain
    }
  }
}

extension Style {
  fileprivate func applied(to text: String, if isColoured: Bool) -> String {
    isColoured ? applied(to: text) : text
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
