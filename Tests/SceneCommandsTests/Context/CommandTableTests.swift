import Foundation
import SceneCommandLine
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("The command table")
struct CommandTableTests {
  @Test("has no flaws, and every example parses")
  func flaws() {
    #expect(Scenectl.command.flaws() == [])
  }

  @Test("every verb has an example", arguments: Verb.all.map(\.command))
  func examples(command: Command) {
    #expect(!command.examples.isEmpty || command.verbs.allSatisfy { !$0.examples.isEmpty })
  }

  @Test("the list has each verb once, and every verb of the sources is in the list")
  func list() throws {
    #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SceneCommands")
    let files = FileManager.default.enumerator(atPath: sources.path())?.compactMap { $0 as? String }
    var declared: [String] = []
    for file in files ?? [] where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      declared += text.matches(of: /= (?:Verb|mover|opener)\(\s*"([\w-]+)"/).map { String($0.1) }
    }
    #expect(declared.sorted() == Verb.all.map(\.name).sorted())
  }
}
