import SceneCommandLine
import ScenePlatform
import Testing

@testable import SceneCommands
@testable import SceneTool
@testable import scened

/// The pages of the programs in the manual.
struct ProgramPageTests {
  private static let programs = [
    scenedCommand, sceneCommand, Scenectl.command(of: Verb.all),
  ]

  @Test(
    "a program's page has the text of its help: `scripts/docs --update` writes it",
    arguments: programs.map(\.name))
  func page(_ name: String) throws {
    let program = try #require(Self.programs.first { $0.name == name })
    let path = "Sources/Manual/Manual.docc/\(name).md"
    let text = ProgramPage(program).text
    if Environment.all["UPDATE_PAGES"] != nil {
      try File.write(text.utf8, to: "\(SourceTree.root)/\(path)", mode: 0o644)
    }
    #expect(
      try SourceTree.text(path) == text, "\(path) is out of date; run scripts/docs --update")
  }
}
