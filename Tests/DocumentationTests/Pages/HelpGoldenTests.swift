import SceneTestSupport
import Testing

@testable import SceneCommandLine
@testable import SceneCommands
@testable import SceneTool
@testable import scened
@testable import scenehandoff

/// Every help page of the programs.
struct HelpGoldenTests {
  @Test("the help of a program and of its verbs equals its golden file")
  func pages() throws {
    for program in [scenedCommand, sceneCommand, Scenectl.command, scenehandoffCommand] {
      try GoldenFile.expect(
        pages(of: [program]).joined(separator: "\n"), equals: "help/\(program.name).txt")
    }
  }

  /// The page of the last command of the chain, and those of its verbs.
  private func pages(of chain: [Command]) -> [String] {
    let line = chain.map { $0.name }.joined(separator: " ")
    let page = "$ \(line) --help\n\(HelpPage(chain: chain, columns: 80).text)"
    let verbs = chain[chain.count - 1].verbs
    return [page] + verbs.flatMap { pages(of: chain + [$0]) }
  }
}
