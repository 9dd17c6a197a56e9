import SceneServer
import SceneTestSupport
import Testing

/// What is said to work does.
struct WorkingPageTests {
  private let page: Page
  private let words: DeclaredWords

  init() throws {
    page = try Page("Sources/SceneServer/SceneServer.docc/Working-on-it.md")
    words = try DeclaredWords.shared.get()
  }

  /// Everything on the page that is to be typed.
  private var commands: [String] {
    page.prose.flatMap { codeSpans(in: $0.text) } + page.blocks.flatMap(\.lines)
  }

  @Test("the levels of the log are all there are")
  func levels() throws {
    let rows = try page.table("The log")
    #expect(rows.map(\.[0].name) == Log.Level.allCases.map(\.rawValue))
  }

  @Test("what tests are filtered by is there")
  func filters() throws {
    let filters = commands.flatMap { $0.matches(of: /--filter ([\w.\/]+)/).map { String($0.1) } }
    #expect(filters.count > 3)
    for filter in filters { expectTest(filter) }
  }

  @Test("what brings a remembered bug back is there")
  func bugs() throws {
    let rows = try page.table("How bugs are remembered")
    #expect(rows.count > 3)
    for row in rows {
      let test = try #require(row[2].code.first, "\(row[0].text)")
      expectTest(test)
    }
  }

  private func expectTest(_ name: String) {
    let parts = name.split(whereSeparator: { "./".contains($0) }).map(String.init)
    #expect(SourceTree.exists("Tests/\(parts[0])"), "\(name)")
    let unknown = parts.dropFirst().filter { !words.declared.contains($0) }
    #expect(unknown.isEmpty, "\(name)")
  }

  @Test("the programs, verbs and options that are typed are there")
  func programs() throws {
    for command in commands {
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
