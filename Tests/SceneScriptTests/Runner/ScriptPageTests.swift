import SceneTestSupport
import Testing

@testable import SceneCommands
@testable import SceneScript

@Suite("The documentation of scripts")
struct ScriptPageTests {
  private static func page(_ path: String) throws -> [Substring] {
    try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The scripts on a page.
  private static func scripts(_ path: String) throws -> [String] {
    try page(path).split { $0.hasPrefix("```") }
      .filter { $0.contains { $0.hasPrefix("broker start") } }
      .map { $0.joined(separator: "\n") }
  }

  private static let examples = Result {
    try [
      "README.md", "Sources/Manual/Manual.docc/Scripts.md",
      "Sources/Manual/Manual.docc/Testing-life-cycles.md",
      "Sources/Manual/Manual.docc/Restoring-state.md",
    ].flatMap(scripts)
  }

  @Test("an example passes", arguments: try examples.get())
  func example(text: String) throws {
    try ScriptFixture.pass(text)
  }

  @Test("the README has one example, the manual two, and the page of the language three")
  func found() throws {
    #expect(try Self.examples.get().count == 6)
    #expect(try Self.scripts("README.md").first?.split(separator: "\n").count ?? 99 <= 12)
  }

  @Test("the page lists exactly the verbs")
  func verbs() throws {
    let page = try Self.page("Sources/Manual/Manual.docc/Scripts.md")
    let rows = page.filter { $0.hasPrefix("| `") }
    let listed = rows.map { $0.dropFirst(3).prefix { $0 != " " && $0 != "`" } }
    let own = ScriptVerb.table(.scenectl).prefix { $0.name != "status" }
    #expect(Set(listed.map(String.init)) == Set(own.map(\.name)))
  }
}
