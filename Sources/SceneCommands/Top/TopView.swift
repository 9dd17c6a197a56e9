import SceneCommandLine
import SceneModel
import ScenePlatform

/// What `scenectl top` shows, apart from its source.
struct TopContent {
  /// The application, or the reason why no broker is connected. Escaped.
  var heading: String
  var isConnected: Bool
  var rows: [TopRow]
}

/// The request of the user behind a key.
enum TopCommand: Equatable {
  case act(TopAction, SessionIdentifier, label: String)
  /// Activates the session, or opens a window for it, and ends the view.
  case switchTo(SessionIdentifier, label: String)
  case explain(SessionIdentifier, label: String)
  case reopen(SessionIdentifier, label: String)
  case redraw
  case quit
}

enum TopAction: Equatable {
  case activate, background, reclaim, close, discard
}

/// The view of `scenectl top`: keys change it, and it makes lines for a terminal. It has no clock,
/// no terminal and no broker.
struct TopView {
  enum Mode: Equatable {
    case list
    /// The user types the filter.
    case filter
    /// The view asks before it discards a session.
    case confirm(SessionIdentifier, label: String)
    /// A text in place of the list, and the number of its first visible line.
    case page(title: String, [String], first: Int)
  }

  /// How the view shows a session.
  enum Layout {
    /// As a row of a table.
    case table
    /// As a card with its snapshot.
    case cards
  }

  struct Message: Equatable {
    /// Escaped.
    var text: String
    var isError: Bool
  }

  let layout: Layout
  var size: Terminal.Size
  var message: Message?
  private(set) var mode = Mode.list
  private(set) var filter = ""
  private(set) var selected: SessionIdentifier?
  /// The place of the selected session in the list when it was drawn last.
  private(set) var place = 0
  /// The place of the first visible session.
  var first = 0

  init(_ layout: Layout = .table, size: Terminal.Size) {
    self.layout = layout
    self.size = size
  }

  /// The number of lines for sessions. The heading, the columns, the message and the keys have a
  /// line each.
  var listHeight: Int { max(1, size.rows - 4) }
  /// The number of visible lines of a page.
  var pageHeight: Int { max(1, size.rows - 2) }

  func visible(_ content: TopContent) -> [TopRow] {
    content.rows.filter { $0.matches(filter) }
  }

  /// The sessions on the screen, and perhaps some below it.
  func onScreen(_ content: TopContent) -> [SessionIdentifier] {
    visible(content).dropFirst(first).prefix(listHeight).map(\.session)
  }

  /// Selects the same session in the current rows. If it is gone, selects the one at its place.
  mutating func follow(_ rows: [TopRow]) {
    if let place = rows.firstIndex(where: { $0.session == selected }) {
      self.place = place
    } else {
      place = max(0, min(place, rows.count - 1))
    }
    selected = rows.dropFirst(place).first?.session
    first = min(max(first, firstRow(of: rows.prefix(place + 1))), place, firstRow(of: rows[...]))
  }

  /// The first of the last rows that fit into the list together.
  private func firstRow(of rows: ArraySlice<TopRow>) -> Int {
    var left = listHeight
    return rows.lastIndex { row in
      left -= layout == .table ? 1 : row.card.count
      return left < 0
    }.map { min($0 + 1, rows.endIndex - 1) } ?? 0
  }

  mutating func show(page lines: [String], title: String) {
    mode = .page(title: title, lines, first: 0)
  }

  // MARK: - Keys

  mutating func press(_ key: TopKey, in content: TopContent) -> TopCommand? {
    let rows = visible(content)
    follow(rows)
    if key == .control("l") { return .redraw }
    switch mode {
    case .list: return pressInList(key, rows)
    case .filter:
      type(key, rows)
      follow(visible(content))
      return nil
    case .confirm(let session, let label):
      mode = .list
      message = nil
      return key == .character("y") || key == .character("Y")
        ? .act(.discard, session, label: label) : nil
    case .page(let title, let lines, let first):
      let last = max(0, lines.count - pageHeight)
      guard let line = Self.moved(first, by: key, page: pageHeight, last: last) else {
        mode = .list
        return nil
      }
      mode = .page(title: title, lines, first: line)
      return nil
    }
  }

  private mutating func pressInList(_ key: TopKey, _ rows: [TopRow]) -> TopCommand? {
    message = nil
    if let new = Self.moved(place, by: key, page: listHeight, last: max(0, rows.count - 1)) {
      (place, selected) = (new, rows.dropFirst(new).first?.session)
      follow(rows)
      return nil
    }
    switch key {
    case .character("q"): return .quit
    case .character("?"), .character("h"): show(page: help, title: "Keys")
    case .character("/"): mode = .filter
    case .escape: filter = ""
    default: return pressOnSession(key, rows)
    }
    return nil
  }

  private mutating func pressOnSession(_ key: TopKey, _ rows: [TopRow]) -> TopCommand? {
    guard let row = rows.dropFirst(place).first else { return nil }
    let (session, label) = (row.session, row[.name])
    switch key {
    case .enter where layout == .cards: return .switchTo(session, label: label)
    case .character("a"), .enter: return .act(.activate, session, label: label)
    case .character("b"): return .act(.background, session, label: label)
    case .character("r"): return .act(.reclaim, session, label: label)
    case .character("c"): return .act(.close, session, label: label)
    case .character("o"): return .reopen(session, label: label)
    case .character("d"): mode = .confirm(session, label: label)
    case .character("w"): return .explain(session, label: label)
    default: break
    }
    return nil
  }

  private mutating func type(_ key: TopKey, _ rows: [TopRow]) {
    switch key {
    case .character(let character): filter.append(character)
    case .backspace: if filter.popLast() == nil { mode = .list }
    case .control("u"): filter = ""
    case .enter: mode = .list
    case .escape: (filter, mode) = ("", .list)
    case .up, .down, .pageUp, .pageDown, .home, .end:
      mode = .list
      _ = pressInList(key, rows)
    case .control: break
    }
  }

  /// The new place after a key that moves; nil for another key.
  private static func moved(_ place: Int, by key: TopKey, page: Int, last: Int) -> Int? {
    let new: Int? =
      switch key {
      case .up, .character("k"), .control("p"): place - 1
      case .down, .character("j"), .control("n"): place + 1
      case .pageUp, .control("b"): place - page
      case .pageDown, .control("f"), .character(" "): place + page
      case .home, .character("g"): 0
      case .end, .character("G"): last
      case .enter, .escape, .backspace, .character, .control: nil
      }
    guard let new else { return nil }
    return max(0, min(new, last))
  }
}
