import SceneTestSupport
import Testing

/// Texts name the actor: a broker, a client, a session, a scene, a user or a process.
struct WordTests {
  private static let forbidden: Set<Substring> = [
    "whoever", "nobody", "somebody", "anybody", "everybody",
  ]

  /// A complaint for each forbidden word: the file, the line and the word.
  private func complaints(
    about path: String, _ lines: [(number: Int, text: String)]
  ) -> [String] {
    lines.flatMap { line in
      line.text.lowercased().split { !$0.isLetter }.filter(Self.forbidden.contains)
        .map { "\(path):\(line.number): \($0)" }
    }
  }

  private func allLines(of path: String) throws -> [(number: Int, text: String)] {
    try Page(path).lines.enumerated().map { ($0.offset + 1, $0.element) }
  }

  @Test("README and manual do not use the words that name no actor")
  func pages() throws {
    let manual = try SourceTree.files(under: "Sources/Manual", suffix: ".md")
    #expect(manual.count > 20)
    let found = try (["README.md"] + manual).flatMap { path in
      complaints(about: path, try allLines(of: path))
    }
    #expect(found == [])
  }

  @Test("the programs do not print the words that name no actor: no string literal has one")
  func literals() throws {
    let sources = try SourceTree.files(under: "Sources", suffix: ".swift")
    #expect(sources.count > 200)
    let found = try sources.flatMap { path in
      complaints(about: path, LiteralReader.lines(of: try SourceTree.text(path)))
    }
    #expect(found == [])
  }

  @Test("the scripts and their comments do not use the words that name no actor")
  func scripts() throws {
    let scripts = try SourceTree.files(under: "scripts", suffix: "")
    #expect(scripts.count > 10)
    let found = try scripts.flatMap { path in
      complaints(about: path, try allLines(of: path))
    }
    #expect(found == [])
  }

  @Test("the tests do not use the words that name no actor: no name, title or comment has one")
  func tests() throws {
    let swift = try SourceTree.files(under: "Tests", suffix: ".swift")
    let scripts = try SourceTree.files(under: "Tests/Scripts", suffix: ".scene")
    #expect(swift.count > 200 && scripts.count > 50)
    // This file has the words as data.
    let files = (swift + scripts).filter { !$0.hasSuffix("/WordTests.swift") }
    #expect(try files.flatMap { complaints(about: $0, try allLines(of: $0)) } == [])
  }

  // MARK: - The reader of literals

  private func words(of source: String) -> [String] {
    LiteralReader.lines(of: source).map { line in
      "\(line.number): " + line.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  @Test(
    "the reader sees the text of a literal",
    arguments: [
      (#"fail("Nobody asked")"#, ["1: Nobody asked"]),
      (#"a = "one", b = "two""#, ["1: one two"]),
      (#""with \" a quote" + nobody"#, ["1: with a quote"]),
      (##"let raw = #"a "quoted" \n word"#"##, [##"1: a "quoted" \n word"##]),
      (##"let raw = #"""# + somebody"##, [##"1: ""##]),
      (##"let raw = #"for \#(name) whoever"#"##, ["1: for whoever"]),
      (
        "x = \"\"\"\n  nobody \"at\" home\n  //\n  \"\"\"\n// nobody",
        ["2: nobody \"at\" home", "3: //"]
      ),
      ("x = #\"\"\"\n  a \"\"\" b\n  \"\"\"#\ny = \"c\"", ["2: a \"\"\" b", "4: c"]),
      (#""a \(f(g("nested", b: "(x"), nobody)) end""#, ["1: a nested (x end"]),
      (#""" + "full""#, ["1: full"]),
    ])
  func reading(source: String, expected: [String]) {
    #expect(words(of: source) == expected)
  }

  @Test(
    "the reader skips code and comments",
    arguments: [
      "nobody()", #"// "nobody""#, #"/// "nobody""#, #"/* "nobody" /* "inner" */ "outer" */"#,
      "#if nobody", "#selector(nobody)",
    ])
  func skipping(source: String) {
    #expect(LiteralReader.lines(of: source).isEmpty)
  }

  @Test("a complaint names the file, the line and the word")
  func complaining() {
    let source = "let a = 1\nlet b = \"Nobody's, or somebody\"  // anybody\n"
    #expect(
      complaints(about: "a.swift", LiteralReader.lines(of: source))
        == ["a.swift:2: nobody", "a.swift:2: somebody"])
    #expect(complaints(about: "a", LiteralReader.lines(of: "\"a busybody\"")) == [])
  }
}
