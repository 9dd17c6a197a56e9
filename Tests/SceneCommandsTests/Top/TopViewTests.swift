import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import SceneScript
import Testing

@testable import SceneCommands

@Suite("The view of scenectl top")
struct TopViewTests {
  private static let size = Terminal.Size(columns: 80, rows: 24)

  private static func row(
    _ number: Int, _ name: String, state: ActivationState = .background, title: String? = nil,
    wait: (what: String, seconds: Int64)? = nil
  ) -> TopRow {
    let now: Int64 = 100_000
    var summary = summary(number, name: name, state: state, pid: 4711, title: title)
    summary.lastUsed = now - 5000
    return TopRow(
      summary: summary,
      wait: wait.map { TopModel.Wait(what: $0.what, since: now - 1000 * $0.seconds) },
      usage: TopUsage.Value(residentBytes: 12 << 20, percent: 0.3), now: now)
  }

  private static func content(_ rows: [TopRow]) -> TopContent {
    TopContent(heading: "application default: active", isConnected: true, rows: rows)
  }

  /// The sessions 1 to `count`.
  private static func content(_ count: Int) -> TopContent {
    content((1...count).map { row($0, "session \($0)") })
  }

  private static func text(_ view: inout TopView, _ content: TopContent) -> [String] {
    view.lines(of: content).map { $0.text(colored: false) }
  }

  /// The view after these keys, and the commands.
  private static func view(
    _ keys: [TopKey], _ content: TopContent, size: Terminal.Size = size
  ) -> (TopView, [TopCommand]) {
    var view = TopView(size: size)
    let commands = keys.compactMap { view.press($0, in: content) }
    return (view, commands)
  }

  // MARK: - Lines

  @Test("a window of 80×24 has all columns, the details of the selected session, and the keys")
  func lines() {
    let content = Self.content([
      Self.row(1, "packing", state: .foregroundActive, title: "Packing list"),
      Self.row(2, "itinerary", wait: ("didEnterBackground", 3)),
    ])
    var view = TopView(size: Self.size)
    let lines = Self.text(&view, content)
    #expect(lines.count == 24)
    #expect(
      Array(lines[..<4]) == [
        "application default: active",
        " NAME      STATE      TITLE          GEN WAIT            MEM   CPU LAST COMMAND",
        ">packing   active     Packing list     0 -               12M  0.3%   5s scene",
        " itinerary background -                0 3s didEnterB…   12M  0.3%   5s scene",
      ])
    #expect(lines[4..<22].allSatisfy { $0.isEmpty })
    #expect(lines[22] == "packing, \(identifier(1)), scene 4711")
    #expect(
      lines[23]
        == "q quit ? help a activate b background r reclaim c close o reopen d discard w why")
  }

  @Test(
    "no line is wider than the window, and there is one line for each row",
    arguments: [
      (80, 24), (132, 50), (60, 10), (40, 8), (20, 5), (10, 4), (5, 3), (1, 1),
    ])
  func narrow(columns: Int, rows: Int) {
    let long = String(repeating: "旅行 plan ", count: 20)
    let content = Self.content(
      (1...60).map { Self.row($0, "session \($0)", title: long, wait: ("willConnect", 9)) })
    for keys: [TopKey] in [[], [.character("?")], [.character("d")], [.character("/")]] {
      var (view, _) = Self.view(keys, content, size: Terminal.Size(columns: columns, rows: rows))
      let lines = Self.text(&view, content)
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { PlainText.width($0) <= columns }, "\(lines)")
    }
  }

  @Test("a narrow window omits columns, but never the name")
  func omitted() {
    func headings(_ columns: Int) -> [String] {
      TopColumn.layout([], in: columns).map { $0.0.heading }
    }
    #expect(headings(60) == ["NAME", "STATE", "TITLE", "WAIT", "MEM", "CPU", "COMMAND"])
    #expect(headings(40) == ["NAME", "STATE", "TITLE", "COMMAND"])
    #expect(headings(20) == ["NAME", "STATE"])
    #expect(headings(3) == ["NAME"])
  }

  @Test("a title cannot control the terminal, and a wide character takes two columns")
  func foreignText() {
    let title = "\u{1B}[31m旅\u{1B}]0;x\u{07}\u{202E}\n"
    let content = Self.content([Self.row(1, "\u{9B}2J", title: title), Self.row(2, "b")])
    var view = TopView(size: Terminal.Size(columns: 120, rows: 10))
    let lines = view.lines(of: content).map { $0.text(colored: true) }
    let shown = lines.joined().replacing(/\u{1B}\[\d+m/, with: "")
    #expect(!shown.unicodeScalars.contains(where: PlainText.isUnsafe))
    #expect(shown.contains(#"\u001b[31m旅\u001b]0;x\u0007\u202e\n"#))
    let plain = Self.text(&view, content)
    #expect(PlainText.width(plain[2]) == PlainText.width(plain[3]))
  }

  @Test("a switcher shows cards, keeps the selected one whole, and Enter ends it")
  func cards() {
    var rows = (1...6).map { Self.row($0, "session \($0)") }
    for index in rows.indices { rows[index].snapshot = "a\nb\nc" }
    let content = Self.content(rows)
    var view = TopView(.cards, size: Terminal.Size(columns: 40, rows: 14))
    #expect(
      Self.text(&view, content) == [
        "application default: active", "", ">session 1, background, 5s ago", ">  a", ">  b", ">  c",
        "", " session 2, background, 5s ago", "   a", "   b", "   c", "",
        "session 1, \("\(identifier(1))".prefix(28))…", "Enter activate q quit ? help / filter",
      ])
    for _ in 0..<3 { #expect(view.press(.down, in: content) == nil) }
    #expect(Self.text(&view, content)[7] == ">session 4, background, 5s ago")
    #expect(view.press(.enter, in: content) == .switchTo(identifier(4), label: "session 4"))
  }

  // MARK: - Selection

  @Test(
    "keys select a session and scroll",
    arguments: [
      ([TopKey.down], 1), ([.character("j"), .character("j"), .character("k")], 1), ([.up], 0),
      ([.end], 49), ([.character("G"), .down], 49), ([.pageDown], 20), ([.pageDown, .pageUp], 0),
      ([.end, .home], 0), ([.end, .pageUp], 29),
    ])
  func selection(keys: [TopKey], place: Int) {
    let content = Self.content(50)
    var (view, commands) = Self.view(keys, content)
    #expect(commands.isEmpty)
    #expect(view.selected == content.rows[place].session)
    let lines = Self.text(&view, content)
    #expect(lines.contains { $0.hasPrefix(">session \(place + 1) ") })
  }

  @Test("the selection stays on its session when the order changes")
  func order() {
    let content = Self.content(5)
    var (view, _) = Self.view([.down], content)
    let moved = Self.content([content.rows[3], content.rows[0], content.rows[2], content.rows[1]])
    _ = view.lines(of: moved)
    #expect(view.selected == identifier(2))
    let gone = Self.content([content.rows[3], content.rows[0], content.rows[2]])
    _ = view.lines(of: gone)
    #expect(view.selected == identifier(3))
  }

  @Test("an empty list has no selection, and keys do nothing")
  func empty() {
    var (view, commands) = Self.view(
      [.down, .end, .character("a"), .character("d"), .character("w")], Self.content([]))
    #expect(commands.isEmpty)
    #expect(view.mode == .list)
    #expect(Self.text(&view, Self.content([]))[22] == "no sessions")
  }

  // MARK: - Commands

  @Test(
    "a key acts on the selected session, and o opens it again",
    arguments: [
      (TopKey.character("a"), TopAction.activate), (.enter, .activate),
      (.character("b"), .background), (.character("r"), .reclaim), (.character("c"), .close),
      (.character("o"), nil),
    ] as [(TopKey, TopAction?)])
  func action(key: TopKey, action: TopAction?) {
    let (_, commands) = Self.view([.down, key], Self.content(3))
    let (session, label) = (identifier(2), "session 2")
    #expect(
      commands
        == [action.map { .act($0, session, label: label) } ?? .reopen(session, label: label)])
  }

  @Test("only visible sessions have texts, so a hidden one widens no column")
  func visibleRows() {
    let hidden = Self.row(31, String(repeating: "long ", count: 8))
    var (view, _) = Self.view([], Self.content(30))
    let before = Self.text(&view, Self.content(30))
    #expect(
      Self.text(&view, Self.content((1...30).map { Self.row($0, "session \($0)") } + [hidden]))
        == before)
  }

  @Test("the command is the stored one without the program's directory, or else the client")
  func command() {
    var stored = summary(1, pid: 4711)
    func command() -> String {
      TopRow(summary: stored, wait: nil, usage: nil, now: 0)[.command]
    }
    #expect(command() == "scene")
    let words = ["/usr/bin/curl", "https://a.example/b", "src/notes.txt"]
    stored.program = SessionProgram(arguments: words, directory: "/")
    #expect(command() == "curl https://a.example/b src/notes.txt")
    stored.client = nil
    #expect(command() == "curl https://a.example/b src/notes.txt")
  }

  @Test("a session is discarded only after y")
  func discard() {
    let content = Self.content(3)
    var (view, none) = Self.view([.down, .character("d")], content)
    #expect(none.isEmpty)
    #expect(
      Self.text(&view, content)[22] == "Discard session 2 and everything saved for it? [y/N]")
    for key in [TopKey.enter, .escape, .character("n"), .character("q"), .character("d")] {
      var other = view
      #expect(other.press(key, in: content) == nil)
      #expect(other.mode == .list)
    }
    // The question stays about its session, even if another one is selected by then.
    for rows in [content.rows, [content.rows[0], content.rows[2]]] {
      var other = view
      let discard = other.press(.character("y"), in: Self.content(rows))
      #expect(discard == .act(.discard, identifier(2), label: "session 2"))
    }
  }

  @Test("a page scrolls, and any other key returns to the list")
  func page() {
    let content = Self.content(3)
    var (view, commands) = Self.view([.character("w")], content)
    #expect(commands == [.explain(identifier(1), label: "session 1")])
    view.show(page: (1...30).map { "reason \($0)" }, title: "Why")
    _ = view.press(.pageDown, in: content)
    let lines = Self.text(&view, content)
    #expect(lines[0] == "Why")
    #expect(lines[1] == "reason 9")
    #expect(lines[22] == "reason 30")
    _ = view.press(.character("q"), in: content)
    #expect(view.mode == .list)
    #expect(view.press(.character("q"), in: content) == .quit)
  }

  // MARK: - Filter

  @Test("the filter finds names, programs and titles in any letter case")
  func filter() {
    let content = Self.content([
      Self.row(1, "packing", title: "Lists"), Self.row(2, "itinerary", title: "List of places"),
      Self.row(3, "inbox"),
    ])
    let typed = "/lIST".map { TopKey.character($0) }
    var (view, _) = Self.view(typed, content)
    #expect(Self.text(&view, content)[22] == "Filter: lIST_")
    _ = view.press(.enter, in: content)
    #expect(view.visible(content).map(\.session) == [identifier(1), identifier(2)])
    #expect(Self.text(&view, content)[0] == "application default: active; filter: lIST")
    // In the list, the keys act again.
    #expect(
      view.press(.character("b"), in: content)
        == .act(.background, identifier(1), label: "packing"))
    _ = view.press(.escape, in: content)
    #expect(view.visible(content).count == 3)
  }

  // MARK: - Keys

  @Test(
    "bytes are decoded into keys",
    arguments: [
      ("\u{1B}[A\u{1B}OB", [TopKey.up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
      ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
      ("j\rk\n", [.character("j"), .enter, .character("k"), .enter]),
      ("\u{1B}[1;5Cq", [.character("q")]),
      (
        "旅\u{7F}\u{0C}",
        [
          .character("旅"), .backspace, .control("l"),
        ]
      ),
      ("\u{1B}q", [.escape, .character("q")]),
    ])
  func decoding(text: String, keys: [TopKey]) {
    var decoder = TopKeyDecoder()
    #expect(decoder.keys(in: text.utf8) == keys)
    #expect(!decoder.isIncomplete)
    // The same, byte by byte.
    #expect(text.utf8.flatMap { decoder.keys(in: [$0]) } == keys)
  }

  @Test("a lone escape is a key only after a pause")
  func escape() {
    var decoder = TopKeyDecoder()
    #expect(decoder.keys(in: [0x1B]) == [])
    #expect(decoder.isIncomplete)
    #expect(decoder.finish() == .escape)
    #expect(decoder.finish() == nil)
  }
}
