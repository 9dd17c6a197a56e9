import SceneCommandLine
import SceneServer
import SceneTestSupport
import Testing

/// The commands and tests on the page for contributors exist.
struct DevelopingPageTests {
  private let developing: Page
  private let words: DeclaredWords

  init() throws {
    developing = try Page.manual("Developing")
    words = try DeclaredWords.shared.get()
  }

  /// Each code span, and each line of a block.
  private func commands(on page: Page) -> [String] {
    page.prose.flatMap { codeSpans(in: $0.text) } + page.blocks.flatMap(\.lines)
  }

  @Test("the table of log levels has each level")
  func levels() throws {
    let rows = try Page.manual("Monitoring").table("The log")
    #expect(rows.map(\.[0].name) == Log.Level.allCases.map(\.rawValue))
  }

  @Test("each test filter names existing tests")
  func filters() throws {
    let filters = commands(on: developing).flatMap { command in
      command.matches(of: /--filter ([\w.\/]+)/).map { String($0.1) }
    }
    #expect(filters.count > 8)
    for filter in filters { try expectTest(filter) }
  }

  @Test("each remembered bug names an existing test")
  func bugs() throws {
    let rows = try Page("Tests/Bugs.md").table("Bugs")
    #expect(rows.count > 70)
    for row in rows {
      let test = try #require(row[2].code.first, "\(row[0].text)")
      try expectTest(test)
    }
  }

  @Test("each guarantee names existing tests")
  func guarantees() throws {
    let rows = try Page.manual("Guarantees").table("What is guaranteed")
    let faults = try listFaults()
    #expect(rows.count > 15)
    for row in rows {
      #expect(row.count == 3 && !row[2].code.isEmpty, "\(row[0].text) has no test")
      for test in row[2].code {
        if let fault = test.wholeMatch(of: /Tests\/Faults (.*)/)?.1 {
          #expect(faults.contains(String(fault)), "\(test)")
        } else {
          try expectTest(test)
        }
      }
    }
  }

  /// The names of the checks of `Tests/Faults`.
  private func listFaults() throws -> [String] {
    let list = try RunningProgram.run(
      "/usr/bin/env", ["python3", try Repository.file("Tests/Faults"), "--list"])
    return list.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }

  /// Expects a module, a suite such as `Module.Suite`, or one of its tests, as `Module.Suite/test`.
  private func expectTest(_ name: String) throws {
    let parts = name.split(whereSeparator: { "./".contains($0) }).map(String.init)
    guard parts.count > 1 else { return #expect(SourceTree.exists("Tests/\(name)"), "\(name)") }
    var texts = try SourceTree.files(under: "Tests/\(parts[0])", suffix: ".swift")
      .map { try SourceTree.text($0) }
    let kinds = ["struct", "class", "extension"].map { "\($0) \(parts[1])" }
    texts.removeAll { text in
      !kinds.contains { text.contains($0 + " ") || text.contains($0 + ":") }
    }
    if parts.count > 2 { texts.removeAll { !$0.contains("func \(parts[2])(") } }
    #expect(!texts.isEmpty, "\(name)")
  }

  @Test("each program, verb and option in a command exists")
  func programs() throws {
    for command in commands(on: developing) {
      let unknown = wordsToKnow(in: command).filter { !words.knows($0) }
      #expect(unknown.isEmpty, "\(command)")
    }
  }

  /// Verbs, options, limits, budgets and variables.
  private func wordsToKnow(in command: String) -> [String] {
    let verbs = command.matches(of: /scenectl ([a-z]+)/).map { $0.1 }
    let options = command.matches(of: /(?:scened|scenectl|scene)\b.* --([a-z-]+)/).map { $0.1 }
    let settings = command.matches(of: /--(?:limit|budget) (\w+)=/).map { $0.1 }
    let variables = command.matches(of: /SCENE_\w+/).map { $0.0 }
    return (verbs + options + settings + variables).map(String.init)
  }
}
