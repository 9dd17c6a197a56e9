import SceneTestSupport
import Testing

struct PageTests {
  @Test("the scene on the library's page is the one that the tests build and run")
  func example() throws {
    let page = try Repository.text("Sources/SceneClient/SceneClient.docc/SceneClient.md")
    #expect(page.contains(try Repository.text("Tests/NoteScene/NoteScene.swift")))
  }
}
