import SceneJSON
import SceneModel
import SceneTestSupport
import Testing

/// Invalid command lines and standard input of the programs.
struct InputValidationTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// Runs a line of bash; `$0` is the program.
  private func bash(_ line: String, _ program: String, _ daemon: Daemon? = nil) throws -> Outcome {
    try RunningProgram.run(
      "/bin/bash", ["-c", line, try Programs.path(program)],
      environment: ["SCENE_SOCKET": daemon?.socket ?? "/nowhere"])
  }

  @Test(
    "bytes that are not UTF-8 are refused, with their position",
    arguments: ["scened", "scene", "scenectl"])
  func illFormed(program: String) throws {
    let outcome = try bash(#"exec "$0" -a $'pac\xffking'"#, program)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix(
        "\(program): argument 2 (\"pac\\xffking\") is not text: "
          + "the byte 0xff at offset 3 is not UTF-8\n"))
  }

  @Test("a line that is not UTF-8 is refused by its number, and the next line is read")
  func illFormedLines() throws {
    let text = try bash(
      #"printf 'title a\ntitle \xc3\nstatus\nclose\n' | "$0" packing"#, "scene", daemon)
    #expect(text.output.contains("error: line 2: the byte 0xc3 at offset 6 is not UTF-8\n"))
    #expect(text.output.contains(#", "a", generation 0"#))
    #expect(text.code == 0)
    let json = try bash(
      #"printf '{"do":"title","title":"\xff"}\n{"do":"close"}\n' | "$0" --json packing"#, "scene",
      daemon)
    #expect(json.output.contains(#""message":"line 1: the byte 0xff at offset 23 is not UTF-8""#))
    #expect(json.code == 0)
  }

  @Test("the error for an unknown command has its line and a suggestion")
  func mistyped() throws {
    let json = try bash(
      #"printf '\n{"do":"titel","id":7}\n{"do":"status"\n{"do":"close"}\n' | "$0" --json"#, "scene",
      daemon)
    #expect(json.output.contains(#""message":"line 2: there is no command titel; did you mean"#))
    #expect(json.output.contains(#"title?","retry":"never"},"id":7}"#))
    #expect(json.output.contains(#""message":"line 3: not JSON"#))
    #expect(json.code == 0)
    let text = try bash(#"printf 'titel x\nclose\n' | "$0""#, "scene", daemon)
    #expect(
      text.output.contains("error: line 1: there is no command titel; did you mean title?\n"))
  }

  @Test("a condition with a mistyped word is an error, not a false condition")
  func mistypedCondition() throws {
    let scene = try daemon.start("scene", ["my notes", "--title", "Notes"])
    try scene.line(containing: "didBecomeActive")
    for verb in ["is", "wait"] {
      #expect(try daemon.run("scenectl", [verb, "my notes", "foregroundActive"]).code == 0)
      #expect(try daemon.run("scenectl", [verb, "my notes title=Notes"]).code == 0)
      for (words, complaint) in [
        (
          ["my notes", "foregroundActve"],
          "no session is called foregroundActve; did you mean foregroundActive?"
        ),
        (
          ["my notes", "tile!=x"],
          "condition 'my notes tile!=x': unknown member tile; did you mean title?"
        ),
      ] {
        let outcome = try daemon.run("scenectl", [verb] + words)
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("scenectl \(verb): \(complaint)\n"), "\(outcome.errors)")
      }
      let outcome = try daemon.run("scenectl", [verb, "my notes sleeping"])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("\"sleeping\" is neither a state nor PATH=VALUE"))
    }
    #expect(try daemon.run("scenectl", ["is", "my note"]).code == 1)
  }

  @Test("the help for scripts shows every command in its JSON form, and each is valid")
  func helpForScripts() throws {
    let scene = try daemon.start("scene", ["--json", "packing"])
    try scene.type(#"{"do":"help"}"#)
    let line = try scene.line(containing: #""do":"help""#)
    let document = JSONDocument()
    try document.read(line.utf8)
    let commands = try #require(document.root["reply"]?["commands"]?.elements.map(\.raw))
    #expect(commands.count == 22)
    for command in commands {
      let text = command.description
      let ends = ["close", "discard", "crash", "hang"].contains { text.contains(#""do":"\#($0)""#) }
      if ends { continue }
      try scene.type(text)
      try scene.line(where: { $0.hasPrefix(#"{"reply":"#) }, what: "the reply to \(text)")
    }
    let page = try daemon.run("scene", ["--help"]).output
    #expect(page.contains(#"{"do":"activity","activityType":"#))
  }

  @Test("the error for an empty word shows the empty word")
  func emptyWord() throws {
    let given: [(String, [String], Int32, String)] = [
      ("scenectl", ["show", ""], 66, "scenectl: no session is called \"\"\n"),
      ("scenectl", ["show", " "], 66, "scenectl: no session is called \" \"\n"),
      ("scenectl", ["new", "--role", ""], 2, "option --role: the name is empty\n"),
      (
        "scene", ["--url", ""], 2,
        "scene: --url: must not be empty; a URL begins with a scheme and a colon, such as note:"
      ),
      ("scene", ["--role", ""], 2, "scene: option --role: the name is empty\n"),
      ("scene", ["--configuration", ""], 2, "scene: option --configuration: the name is empty\n"),
    ]
    for (program, arguments, code, message) in given {
      let outcome = try daemon.run(program, arguments)
      #expect(outcome.code == code)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  @Test(
    "an invalid activity type is refused everywhere",
    arguments: [
      ("", "must not be empty; use a name such as com.example.note"),
      (" ", "must not be blank; use a name such as com.example.note"),
      ("a\tb", "must not contain a control character"),
      ("a\u{1B}[2J", "must not contain a control character"),
    ])
  func activityType(type: String, problem: String) throws {
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(containing: "didBecomeActive")
    let saved = try daemon.run("scenectl", ["save", "packing", type, "{}"])
    #expect(saved.code == 65)
    #expect(saved.errors == "scenectl: activityType: \(problem)\n")
    let given = try daemon.run("scene", ["other", "--activity", "\(type)={}"])
    #expect(given.code == 2)
    #expect(given.errors.hasPrefix("scene: --activity: activityType: \(problem)\n"))
  }

  @Test("the error for a text that is too long names the text", arguments: ["title", "name"])
  func tooLong(member: String) throws {
    let long = String(repeating: "x", count: 2000)
    let outcome = try daemon.run("scene", member == "name" ? [long] : ["--title", long])
    #expect(outcome.code == 65)
    #expect(
      outcome.errors == "scene: \(member) is larger than the limit of 1024 bytes\n")
  }

  @Test("a blank name is refused", arguments: ["", " ", "\u{3000}\u{A0}"])
  func blankName(name: String) throws {
    for (program, arguments) in [("scene", [name]), ("scenectl", ["new", name])] {
      let outcome = try daemon.run(program, arguments)
      #expect(outcome.code == 65)
      #expect(
        outcome.errors.contains("the name \"\(name)\" must not be blank"), "\(outcome.errors)")
    }
  }

  @Test(
    "a name that has another meaning in a condition is refused",
    arguments: ["application", "!packing", "packing=1", "topic:packing"])
  func reservedName(name: String) throws {
    for (program, arguments) in [("scene", [name]), ("scenectl", ["new", name])] {
      let outcome = try daemon.run(program, arguments)
      #expect(outcome.code == 65)
      #expect(outcome.errors.contains("choose another name"), "\(outcome.errors)")
    }
  }

  @Test(
    "the error for a variable that is not UTF-8 names it",
    arguments: ["scened", "scene", "scenectl"])
  func illFormedVariable(program: String) throws {
    let line = #"SCENE_SOCKET=$'/tmp/\xff' exec "$0""#
    let outcome = try bash(line, program)
    #expect(outcome.code == 78)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("the variable SCENE_SOCKET is not UTF-8"), "\(outcome.errors)")
    let other = try bash(#"OTHER=$'\xff' "$0" --help"#, program)
    #expect(other.code == 0)
  }

  @Test("errors and replies come in the order of their lines")
  func inOrder() throws {
    let outcome = try bash(
      #"printf '{"do":"status","id":1}\n{"do":"dance","id":2}\n{"do":"title","id":3}\n"#
        + #"{"do":"status","id":4}\n{"do":"close","id":5}\n' | "$0" --json packing"#,
      "scene", daemon)
    let identifiers = outcome.output.split(separator: "\n").compactMap { line in
      line.contains(#""id":"#) ? line.suffix(2).first : nil
    }
    #expect(identifiers == ["1", "2", "3", "4", "5"], "\(outcome.output)")
    #expect(outcome.output.contains("line 3: title: missing; expected a string, or null"))
  }

  @Test("a word that is a name and the beginning of an identifier selects the name, with a note")
  func nameOrIdentifier() throws {
    let client = try daemon.connect()
    try client.initialize()
    let first = try client.request(SceneConnect(name: "packing")).session
    let beginning = String("\(first)".prefix(8)).lowercased()
    let second = try client.request(SceneConnect(name: beginning)).session
    let outcome = try daemon.run(
      "scenectl", ["show", beginning, "--value", "persistentIdentifier"])
    #expect(outcome.output == "\(second)\n")
    #expect(
      outcome.errors == "scenectl: \(beginning) is the name of one session and the start of the "
        + "identifier \(first); the name has precedence\n")
    #expect(try daemon.run("scenectl", ["show", "packing"]).errors == "")
  }

  @Test(
    "help is as narrow as the terminal", arguments: ["scened", "scene", "scenectl"])
  func narrow(program: String) throws {
    let outcome = try RunningProgram.run(program, ["--help"], environment: ["COLUMNS": "40"])
    let lines = outcome.output.split(separator: "\n")
    // Command lines and single words are not wrapped.
    let texts = lines.filter { !$0.hasPrefix("  \(program)") && $0.contains(" ") }
    let long = texts.filter { $0.count > 40 && $0.drop { $0 == " " }.contains(" ") }
    #expect(long == [])
    #expect(lines.count > 30)
  }
}
