import SceneCommandLine
import Testing

@testable import SceneScript

@Suite("Parsing scripts")
struct ScriptParserTests {
  private func read(_ text: String) throws -> Script {
    let (script, errors) = Script.reading(text, path: "a.scene")
    try #require(errors.isEmpty)
    return script
  }

  private func errors(_ text: String) -> [String] {
    Script.reading(text, path: "a.scene").errors.map(\.description)
  }

  /// A line of the parsed script as text.
  private func shown(_ line: Script.Line) -> String {
    let mark = line.mustFail ? "!" : ""
    switch line.content {
    case .typed(let name, let text):
      return
        "\(line.location.line):\(line.location.column) \(mark)\(name.text)@\(name.column): \(text)"
    case .command(let verb, let words, let block):
      let all = ([verb] + words).map { "\($0.text)@\($0.column)" }.joined(separator: " ")
      let lines = block.map {
        " {\($0.lines.map { "\($0.number)" }.joined(separator: ","))}\($0.end)"
      }
      return "\(line.location.line):\(line.location.column) \(mark)\(all)\(lines ?? "")"
    }
  }

  @Test("sections begin with #, and the first line of a heading is the title")
  func sections() throws {
    let script = try read(
      """
      broker start

      # The first.
      # More of it.
      status
        # The second.
      status
      status

      # Nothing below it.
      """)
    #expect(script.sections.map(\.title) == ["", "The first.", "The second."])
    #expect(script.sections.map(\.line) == [1, 3, 6])
    #expect(script.sections.map(\.lines.count) == [1, 1, 2])
  }

  @Test(
    "a line is a verb with words, or text for a client",
    arguments: [
      ("background packing", "1:1 background@1 packing@12"),
      ("  ! background 'a b'", "1:3 !background@5 a b@16"),
      ("packing: title It's {", "1:1 packing@1: title It's {"),
      ("! packing:   hang", "1:1 !packing@3: hang"),
      (
        #"expect p activity.userInfo={"a": 1} x=2"#,
        #"1:1 expect@1 p@8 activity.userInfo={"a": 1}@10 x=2@37"#
      ),
      (#"exec echo "a:" b:"#, "1:1 exec@1 echo@6 a:@11 b:@16"),
      ("trace packing {}", "1:1 trace@1 packing@7 {}1"),
      ("trace packing {\n  a\n\n  # no\n  b c=1\n}", "1:1 trace@1 packing@7 {2,5}6"),
      ("[linux] [!env:X] status", "1:18 status@18"),
      ("!status", "1:1 !status@1"), (":", "1:1 :@1"),
      ("status\r", "1:1 status@1"),
    ])
  func line(text: String, shown: String) throws {
    let script = try read(text)
    #expect(script.sections.flatMap(\.lines).map { self.shown($0) } == [shown])
  }

  @Test("conditions are parsed and evaluated")
  func conditions() throws {
    let line = try self.read("[linux] [!darwin] [env:X][!env:Y] status").sections[0].lines[0]
    let read = ["linux", "!darwin", "env:X", "!env:Y"].compactMap { LineCondition($0) }
    #expect(line.conditions == read && read.count == 4)
    #expect(read[2].holds(in: ["X": "1"]) && !read[2].holds(in: ["X": ""]))
    #expect(read[3].holds(in: [:]))
    #expect(read[0].holds(in: [:]) == read[1].holds(in: [:]))
  }

  // MARK: - Files

  @Test("files follow the script")
  func files() throws {
    let script = try read("status\n-- a.json --\n{}\n\n-- b/c --\n-- --\n--  --\n# d\n")
    #expect(
      script.files == [
        .init(name: "a.json", line: 2, text: "{}\n\n"),
        .init(name: "b/c", line: 5, text: "-- --\n--  --\n# d\n"),
      ])
    #expect(script.sections.flatMap(\.lines).count == 1)
  }

  @Test("a file can be empty, and so can a script")
  func empty() throws {
    #expect(try read("").sections.isEmpty)
    #expect(try read("-- a --").files == [.init(name: "a", line: 1, text: "")])
  }

  @Test(
    "a file stays below the script's directory",
    arguments: ["/etc/passwd", "a/../../b", "a//b", ".", "a/"])
  func outside(name: String) {
    #expect(errors("-- \(name) --\n").count == 1)
  }
}
