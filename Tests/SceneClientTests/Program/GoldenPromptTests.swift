import SceneCommandLine
import SceneJSON
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneTool

/// The commands of a scene, typed or as JSON.
struct GoldenPromptTests {
  private static let typed = [
    #"activity com.example.note {"line": 42.10}"#,
    #"  activity   com.example.note   {"line": 1}  "#,
    #"activity com.example.note={"line": 42.10}"#,
    #"activity {"activityType":"com.example.note","userInfo":{"line": 42.10}}"#, "activity x",
    "activity null", "title Going  home ", "title null", "title ?", "subtitle 3 of 12",
    "subtitle null", "snapshot a  b", "snapshot null", "background", "activate", "close", "discard",
    "crash", "status", "help", "hang", "hang didEnterBackground", "", "   ", "--help", "?",
    "status --help", "activity -h", "title --help", "help title", "conditions null",
    #"conditions  prefers self == "a b" "#, "conditions can null", "dance", "help dance",
    "help titel", "titel", "connect", "title", "subtitle", "snapshot", "quit", "exit", "activity",
    "activity x {", "activity x []", "hang up", #"activity {"a":1} x"#, #"activity {"a":1}"#,
    "activity note line=42", "conditions", "conditions prefers", "conditions self == 'a'",
    "save --help", "close now", "\u{1B}[2J",
  ]

  private static let sent = [
    #"{"do":"activity","activityType":"com.example.note","userInfo":{"line": 42.10}}"#,
    #"{"do":"activity","id":1.0,"activityType":"x","more":[1e0]}"#,
    #"{"do":"activity","activity":{"activityType":"x","userInfo":{}}}"#,
    #"{"do":"activity","activity":null}"#, #"{"do":"activity","userInfo":{}}"#,
    #"{"typed":"title Going  home","id":3}"#, #"{"do":"title","title":"A","id":"x"}"#,
    #"{"do":"title","title":null}"#, #"{"do":"title","title":7}"#, #"{"do":"title"}"#,
    #"{"do":"subtitle","subtitle":"A"}"#, #"{"do":"snapshot","snapshot":null}"#,
    #"{"do":"hang","callback":"willConnect"}"#, #"{"do":"hang"}"#, #"{"do":"hang","callback":"x"}"#,
    #"{"do":"status"}"#, #"{"do":"help"}"#, #"{"do":"help","about":"post"}"#,
    #"{"do":"dance","id":7}"#, "nonsense", #"{"id":7}"#, "[]", #"{"typed":"  ","id":7}"#,
    #"{"typed":"dance","id":7}"#, "  ",
  ]

  /// The command of a line, or the reason why there is none.
  private func result(_ read: () throws(CommandError) -> GivenCommand?) -> String {
    do throws(CommandError) {
      guard let given = try read() else { return "nothing" }
      let identifier = given.identifier.map { " id \($0)" } ?? ""
      var argument = "\(given.action.argument)"
      if let command = given.action.argument as? PromptCommand { argument = command.name }
      if let activity = given.action.argument as? Activity { argument = "\(activity.json)" }
      return "\(given.command.name) \(argument)\(identifier)"
    } catch {
      return "error\(error.identifier.map { " id \($0)" } ?? ""): \(error.message)"
    }
  }

  @Test("each line has its command, or the reason why it is refused")
  func lines() throws {
    let typed = Self.typed.map { line in
      "> \(line.printable)\n\(result { () throws(CommandError) in try .read(line: line) })\n"
    }
    let sent = Self.sent.map { line in
      "> \(line)\n\(result { () throws(CommandError) in try .read(json: line) })\n"
    }
    try GoldenFile.expect((typed + sent).joined(), equals: "scene/commands.txt")
  }

  @Test(
    "the help of a command has an example that can be typed", arguments: PromptCommand.all)
  func help(command: PromptCommand) throws {
    #expect(command.usage.firstWord.0 == command.name)
    #expect(try GivenCommand.read(line: command.example)?.command == command)
    #expect(PromptCommand.help(about: nil).contains { $0.hasPrefix("  " + command.usage) })
  }

  @Test("the help of a command has its JSON form", arguments: PromptCommand.all)
  func helpForScripts(command: PromptCommand) throws {
    let forms = PromptCommand.json(about: command)
    let given = try forms.map { try GivenCommand.read(json: $0)?.command }
    #expect(!given.isEmpty)
    #expect(given.allSatisfy { $0 == command })
    #expect(PromptCommand.json(about: nil).filter(Set(forms).contains) == forms)
  }
}

/// Keys and bytes that form lines.
struct LineInputTests {
  private func lines(_ keys: String) -> [LineEditor.Key] {
    var editor = LineEditor()
    return keys.utf8.compactMap { editor.take($0) }
  }

  @Test(
    "editing keys change the typed line",
    arguments: [
      ("close\n", "close"), ("clise\u{7F}\u{7F}\u{7F}ose\n", "close"), ("x\u{15}close\r", "close"),
      ("title a b\u{17}c\n", "title a c"), ("title a  \u{17}b\n", "title b"),
      ("é\u{7F}e\n", "e"), ("clo\u{1B}[A\u{1B}[1;5Cse\n", "close"), ("a\u{1B}OPb\n", "ab"),
      ("a\tb\u{1}\n", "a b"),
    ])
  func editing(keys: String, line: String) {
    #expect(lines(keys) == [.line(line)])
  }

  @Test("the arrow keys bring back earlier lines, and the line that the user began")
  func history() {
    let (up, down) = ("\u{1B}[A", "\u{1B}OB")
    #expect(
      lines("one\none\n\ntwo\nthr\(up)\(up)\(up)\(down)!\n\(up)\n\(down)x\n\(up)\(down)y\n")
        == ["one", "one", "", "two", "two!", "two!", "x", "y"].map { .line($0) })
    #expect(lines("be\(up)gun\(down)\n") == [.line("begun")])
    #expect(lines("a\nb\(up)\(down)c\n") == [.line("a"), .line("bc")])
  }

  @Test(
    "Tab completes a command as far as it is certain, and is a space after it",
    arguments: [
      ("tit\t", "title "), ("act\t", "activ"), ("acti\tity\t", "activity "), ("x\t", "x "),
      ("title\ta\t", "title a "), ("\t", " "),
    ])
  func completion(keys: String, line: String) {
    var editor = LineEditor(completing: ["activity", "title", "activate"])
    let found = (keys + "\n").utf8.compactMap { editor.take($0) }
    #expect(found == [.line(line)])
  }

  @Test("Ctrl-D ends the input only on an empty line")
  func end() {
    #expect(lines("\u{4}") == [.end])
    #expect(lines("a\u{4}\u{7F}\u{4}") == [.end])
  }

  @Test("bytes form the same lines wherever they are cut")
  func splitting() {
    var splitter = LineSplitter()
    var found: [GivenLine] = []
    for byte in "a\n\nbé\nrest".utf8 { found += splitter.take([byte]) }
    let texts = ["a", "", "bé", "rest"].map(GivenLine.Content.text)
    let lines = texts.enumerated().map { GivenLine(number: $0 + 1, content: $1) }
    #expect(found == Array(lines.prefix(3)))
    #expect(splitter.takeRest() == lines[3])
    #expect(splitter.takeRest() == nil)
  }

  @Test("a line of one mebibyte is accepted, and one byte more is not")
  func limit() {
    var splitter = LineSplitter()
    let line = [UInt8](repeating: 0x61, count: 1 << 20)
    guard case .text(let text)? = splitter.take(line + [0x0A]).first?.content else {
      Issue.record("the line was not accepted")
      return
    }
    #expect(text.utf8.count == 1 << 20)
    #expect(splitter.take(line + [0x61, 0x0A]) == [GivenLine(number: 2, content: .tooLong)])
    #expect(splitter.take("b\n".utf8) == [GivenLine(number: 3, content: .text("b"))])
  }

  @Test("a line that is not UTF-8 is not repaired")
  func illFormed() {
    var splitter = LineSplitter()
    let error = IllFormedText(byte: 0xC3, offset: 1)
    #expect(
      splitter.take([0x61, 0xC3, 0x0A]) == [GivenLine(number: 1, content: .unreadable(error))])
    var editor = LineEditor()
    #expect([0x61, 0xC3, 0x0A].compactMap { editor.take($0) } == [.unreadable(error)])
    #expect(lines("a\n") == [.line("a")])
  }
}
