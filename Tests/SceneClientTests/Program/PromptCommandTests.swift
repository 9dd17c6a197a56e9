import SceneCommandLine
import SceneJSON
import SceneModel
import Testing

@testable import SceneTool

/// The commands of a scene, typed or as JSON.
struct PromptCommandTests {
  private static func activity(_ text: String) -> Activity {
    Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }

  /// A command and its argument, for comparisons.
  struct Expected: Equatable, Sendable {
    let command: PromptCommand
    let argument: String

    init<Argument>(_ command: PromptCommand, _ argument: Argument?) {
      self.command = command
      self.argument = "\(argument as Any)"
    }

    init(_ command: PromptCommand) {
      self.command = command
      argument = "\(NoArgument())"
    }

    init(_ given: GivenCommand) {
      command = given.command
      argument = "\(given.action.argument)"
    }

    static func empty(_ command: PromptCommand) -> Expected { Expected(command, nil as String?) }
  }

  private static let note = activity(
    #"{"activityType":"com.example.note","userInfo":{"line": 42.10}}"#)

  @Test(
    "a typed line is read as its command",
    arguments: [
      (#"activity com.example.note {"line": 42.10}"#, .init(.activity, note)),
      (#"  activity   com.example.note   {"line": 42.10}  "#, .init(.activity, note)),
      (#"activity com.example.note={"line": 42.10}"#, .init(.activity, note)),
      (
        #"activity {"activityType":"com.example.note","userInfo":{"line": 42.10}}"#,
        .init(.activity, note)
      ),
      ("activity x", .init(.activity, activity(#"{"activityType":"x","userInfo":{}}"#))),
      ("activity null", .empty(.activity)), ("title Going  home ", .init(.title, "Going  home")),
      ("subtitle 3 of 12", .init(.subtitle, "3 of 12")), ("subtitle null", .empty(.subtitle)),
      ("snapshot a  b", .init(.snapshot, "a  b")), ("snapshot null", .empty(.snapshot)),
      ("title null", .empty(.title)), ("title ?", .init(.title, "?")),
      ("background", .init(.background)),
      ("activate", .init(.activate)),
      ("close", .init(.close)), ("discard", .init(.discard)), ("crash", .init(.crash)),
      ("status", .init(.status)),
      ("help", .empty(.help)), ("hang", .empty(.hang)),
      ("hang didEnterBackground", .init(.hang, CallbackKind.didEnterBackground)), ("", nil),
      ("   ", nil),
      ("--help", .empty(.help)), ("?", .empty(.help)),
      ("status --help", .init(.help, PromptCommand.status)),
      ("activity -h", .init(.help, PromptCommand.activity)),
      ("title --help", .init(.help, PromptCommand.title)),
      ("help title", .init(.help, PromptCommand.title)),
      ("conditions null", .empty(.conditions)),
      (
        #"conditions  prefers self == "a b" "#,
        .init(.conditions, ActivationConditionTexts(prefersToActivate: .value(#"self == "a b""#)))
      ),
      ("conditions can null", .init(.conditions, ActivationConditionTexts(canActivate: .null))),
    ] as [(String, Expected?)])
  func typed(line: String, command: Expected?) throws {
    #expect(try GivenCommand.read(line: line).map(Expected.init) == command)
  }

  @Test(
    "an unknown command is refused with a reason",
    arguments: [
      ("dance", "no command dance; type help for a list"),
      ("help dance", "no command dance; type help for a list"),
      ("help titel", "no command titel; did you mean title?"),
      ("titel", "no command titel; did you mean title?"),
      ("connect", "no command connect"),
      ("title", "usage: title TEXT, or title null to remove it"),
      ("subtitle", "usage: subtitle TEXT, or subtitle null to remove it"),
      ("snapshot", "usage: snapshot TEXT, or snapshot null to remove it"),
      ("quit", "no command quit; close ends the scene, and discard ends its session"),
      ("exit", "no command exit; close ends the scene"),
      ("activity", "usage"), ("activity x {", "userInfo: unexpected end of the JSON"),
      ("activity x []", "userInfo"), ("hang up", "unknown callback up"),
      (#"activity {"a":1} x"#, #"expected the activity's type before its JSON, found {"a":1}"#),
      (#"activity {"a":1}"#, "; usage: activity TYPE JSON, as in: activity com.example.note {"),
      (
        "activity note line=42",
        "userInfo: expected a JSON value, found \"line\" at byte 0; usage: activity TYPE JSON"
      ),
      ("conditions", "usage: conditions prefers PREDICATE"),
      ("conditions prefers", "usage: conditions prefers PREDICATE"),
      ("conditions self == 'a'", "usage: conditions prefers PREDICATE"),
      ("save --help", "no command save; to save, type: activity TYPE JSON"),
      ("close now", "takes no argument"), ("\u{1B}[2J", "no command \\u{1b}[2J"),
    ])
  func refused(line: String, reason: String) {
    let error = #expect(throws: CommandError.self) { try GivenCommand.read(line: line) }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(
    "a line of JSON is read as its command",
    arguments: [
      (
        #"{"do":"activity","activityType":"com.example.note","userInfo":{"line": 42.10}}"#,
        .init(.activity, note), nil
      ),
      (
        #"{"do":"activity","id":1.0,"activityType":"x","more":[1e0]}"#,
        .init(.activity, activity(#"{"activityType":"x","more":[1e0],"userInfo":{}}"#)), "1.0"
      ),
      (#"{"typed":"title Going  home","id":3}"#, .init(.title, "Going  home"), "3"),
      (
        #"{"do":"activity","activity":{"activityType":"x","userInfo":{}}}"#,
        .init(.activity, activity(#"{"activityType":"x","userInfo":{}}"#)), nil
      ),
      (#"{"do":"activity","activity":null}"#, .empty(.activity), nil),
      (#"{"do":"title","title":"A","id":"x"}"#, .init(.title, "A"), #""x""#),
      (#"{"do":"title","title":null}"#, .empty(.title), nil),
      (#"{"do":"subtitle","subtitle":"A"}"#, .init(.subtitle, "A"), nil),
      (#"{"do":"snapshot","snapshot":null}"#, .empty(.snapshot), nil),
      (#"{"do":"hang","callback":"willConnect"}"#, .init(.hang, CallbackKind.willConnect), nil),
      (#"{"do":"hang"}"#, .empty(.hang), nil), (#"{"do":"status"}"#, .init(.status), nil),
      (#"{"do":"help"}"#, .empty(.help), nil),
      (#"{"do":"help","about":"post"}"#, .init(.help, PromptCommand.post), nil),
    ] as [(String, Expected, String?)])
  func sent(line: String, command: Expected, identifier: String?) throws {
    let given = try #require(try GivenCommand.read(json: line))
    #expect(Expected(given) == command)
    #expect(given.identifier?.description == identifier)
  }

  @Test(
    "an invalid line of JSON is refused, with its identifier",
    arguments: [
      (#"{"do":"dance","id":7}"#, "no command dance", "7"), ("nonsense", "not JSON", nil),
      (#"{"id":7}"#, "do: missing", "7"), ("[]", "do: missing", nil),
      (#"{"do":"activity","userInfo":{}}"#, "activityType", nil),
      (#"{"do":"title","title":7}"#, "title: expected a string", nil),
      (#"{"do":"title"}"#, "title: missing; expected a string, or null to remove it", nil),
      (#"{"do":"hang","callback":"x"}"#, "unknown callback x", nil),
      (#"{"typed":"  ","id":7}"#, "typed: expected a command", "7"),
      (#"{"typed":"dance","id":7}"#, "no command dance", "7"),
    ] as [(String, String, String?)])
  func wrong(line: String, reason: String, identifier: String?) {
    let error = #expect(throws: CommandError.self) { try GivenCommand.read(json: line) }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    #expect(error?.identifier?.description == identifier)
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

  @Test("an empty line has no effect")
  func empty() throws {
    #expect(try GivenCommand.read(json: "  ") == nil)
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
