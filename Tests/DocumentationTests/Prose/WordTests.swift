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

  @Test("the scripts and their comments do not use the words that name no actor")
  func scripts() throws {
    let scripts = try SourceTree.files(under: "scripts", suffix: "")
    #expect(scripts.count > 10)
    let found = try scripts.flatMap { path in
      complaints(about: path, try allLines(of: path))
    }
    #expect(found == [])
  }

  @Test(
    "sources and tests do not use the words that name no actor: not in names, texts or comments",
    arguments: ["Sources", "Tests"])
  func code(directory: String) throws {
    let swift = try SourceTree.files(under: directory, suffix: ".swift")
    let others = try [".scene", ".c", ".h"].flatMap { suffix in
      try SourceTree.files(under: directory, suffix: suffix)
    }
    #expect(swift.count > 200)
    // This file has the words as data.
    let files = (swift + others).filter { !$0.hasSuffix("/WordTests.swift") }
    #expect(try files.flatMap { complaints(about: $0, try allLines(of: $0)) } == [])
  }

  @Test("a complaint names the file, the line and the word")
  func complaining() {
    let lines = [(1, "let a = 1"), (2, "let b = \"Nobody's, or somebody\""), (3, "a busybody")]
    #expect(
      complaints(about: "a.swift", lines.map { (number: $0.0, text: $0.1) })
        == ["a.swift:2: nobody", "a.swift:2: somebody"])
  }
}
