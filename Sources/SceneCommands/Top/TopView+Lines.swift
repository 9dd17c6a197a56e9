import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneScript

/// The lines of the view.
extension TopView {
  /// The lines from the top to the bottom of the window. None is wider than the window.
  mutating func lines(of content: TopContent) -> [StyledText] {
    let rows = visible(content)
    follow(rows)
    var lines = [line(headed(content), content.isConnected ? .plain : .bad)]
    if case .page(let title, let page, let first) = mode {
      lines[0] = line(title, .heading)
      lines += padded(page.dropFirst(first).prefix(pageHeight).map { line($0) }, to: pageHeight)
      lines.append(keys(["j/k": "scroll", "any other key": "back"]))
    } else {
      switch layout {
      case .table: lines += table(rows.dropFirst(first), isCurrent: content.isConnected)
      case .cards: lines += cards(rows.dropFirst(first))
      }
      lines += [statusLine(rows), keyLine]
    }
    return Array(lines.prefix(size.rows))
  }

  private func table(_ rows: ArraySlice<TopRow>, isCurrent: Bool) -> [StyledText] {
    let shown = rows.prefix(listHeight)
    let columns = TopColumn.layout(shown, in: size.columns - Self.marker.count)
    let heading = line(Self.space + text(columns) { $0.heading }, .heading)
    return [heading]
      + padded(shown.map { styled($0, columns, isCurrent: isCurrent) }, to: listHeight)
  }

  /// The selected card is marked at all its lines.
  private func cards(_ rows: ArraySlice<TopRow>) -> [StyledText] {
    var lines = [StyledText()]
    for row in rows where lines.count <= listHeight {
      let isSelected = row.session == selected
      for (index, text) in row.card.enumerated() {
        let mark = isSelected && !text.isEmpty ? Self.marker : Self.space
        let style: Style = isSelected && index == 0 ? .selected : index == 0 ? .heading : .plain
        lines.append(line(mark + text, style))
      }
    }
    return padded(Array(lines.prefix(listHeight + 1)), to: listHeight + 1)
  }

  private static let marker = ">"
  private static let space = " "

  private func headed(_ content: TopContent) -> String {
    filter.isEmpty || mode == .filter
      ? content.heading : content.heading + "; filter: " + PlainText.escaped(filter)
  }

  private func styled(
    _ row: TopRow, _ columns: [(TopColumn, Int)], isCurrent: Bool
  ) -> StyledText {
    guard row.session != selected else {
      // The mark shows the selection without colors.
      return line(Self.marker + text(columns) { row[$0] }, .selected)
    }
    guard isCurrent, row.state != .unattached else {
      return line(Self.space + text(columns) { row[$0] }, .faint)
    }
    var styled = StyledText()
    for (index, (column, width)) in columns.enumerated() {
      if index == 0 { styled.add(Self.space, .plain) }
      styled.add(column.fitted(row[column], to: width), style(of: column, row))
      if index < columns.count - 1 { styled.add(" ", .plain) }
    }
    return styled
  }

  private func style(of column: TopColumn, _ row: TopRow) -> Style {
    switch column {
    case .state: row.isMoving ? .waiting : row.state == .foregroundActive ? .good : .plain
    case .wait: row[.wait] == "-" ? .plain : .waiting
    case .name, .title, .generation, .memory, .cpu, .last, .command: .plain
    }
  }

  private func text(_ columns: [(TopColumn, Int)], _ cell: (TopColumn) -> String) -> String {
    columns.map { column, width in column.fitted(cell(column), to: width) }.joined(separator: " ")
  }

  /// The question, the typed filter, the last message, or the details of the selected session.
  private func statusLine(_ rows: [TopRow]) -> StyledText {
    switch mode {
    case .confirm(_, let label):
      return line("Discard \(label) and everything saved for it? [y/N]", .waiting)
    case .filter:
      return line("Filter: \(PlainText.escaped(filter))_")
    case .list, .page:
      if let message { return line(message.text, message.isError ? .bad : .plain) }
      guard let row = rows.dropFirst(place).first else {
        return line(filter.isEmpty ? "no sessions" : "no session matches the filter", .faint)
      }
      return line(row.detail, .faint)
    }
  }

  private var keyLine: StyledText {
    switch mode {
    case .confirm: keys(["y": "discard", "any other key": "keep"])
    case .filter: keys(["Enter": "keep the filter", "Esc": "remove it"])
    case .list where layout == .cards, .page where layout == .cards:
      keys(["Enter": "activate", "q": "quit", "?": "help", "/": "filter"])
    case .list, .page:
      keys([
        "q": "quit", "?": "help", "a": "activate", "b": "background", "r": "reclaim",
        "c": "close", "o": "reopen", "d": "discard", "w": "why", "/": "filter",
      ])
    }
  }

  var help: [String] {
    let isTable = layout == .table
    return Self.moves
      + [
        isTable
          ? "a, Enter      activate: bring the session to the foreground"
          : "Enter         show the session, in a new window if needed, and quit"
      ] + (isTable ? [] : ["a             activate: bring the session to the foreground"])
      + Self.actions + (isTable ? Self.notes : [])
  }

  private static let moves = [
    "Up, k         select the session above",
    "Down, j       select the session below",
    "PgUp, PgDn    move by a page",
    "Home, End     select the first or the last session (also g, G)",
    "",
  ]

  private static let actions = [
    "b             send the scene to the background",
    "r             reclaim: disconnect a scene in the background to free memory",
    "c             close: disconnect the scene; the session stays",
    "o             reopen: run the stored command in a new terminal",
    "d             discard the session and everything saved for it, after a question",
    "w             show why the session is in its state",
    "",
    "/             show only sessions whose name, command or title contains a text",
    "Esc           show all sessions again",
    "Ctrl-L        draw the screen again",
    "q, Ctrl-C     quit",
  ]

  private static let notes = [
    "",
    "WAIT shows the callback that the scene has not answered for a second or more.",
    "MEM and CPU are those of the client and the processes that it started.",
  ]

  private func keys(_ keys: KeyValuePairs<String, String>) -> StyledText {
    var styled = StyledText()
    var rest = size.columns
    for (index, (key, action)) in keys.enumerated() {
      let (gap, action) = (index == 0 ? "" : " ", " " + action)
      rest -= PlainText.width(gap + key + action)
      guard rest >= 0 else { break }
      if !gap.isEmpty { styled.add(gap, .plain) }
      styled.add(key, .heading)
      styled.add(action, .plain)
    }
    return styled
  }

  private func line(_ text: String, _ style: Style = .plain) -> StyledText {
    var styled = StyledText()
    styled.add(PlainText.cut(text, to: size.columns), style)
    return styled
  }

  private func padded(_ lines: [StyledText], to height: Int) -> [StyledText] {
    lines + Array(repeating: StyledText(), count: max(0, height - lines.count))
  }
}
