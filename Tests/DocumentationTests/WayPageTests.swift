import SceneServer
import SceneTestSupport
import Testing

/// The way of a message as it is told is the way it goes.
struct WayPageTests {
  @Test("how much of a connection is read in a round is what is said")
  func bytesPerRound() throws {
    let page = try Page("Sources/SceneServer/SceneServer.docc/The-way-of-a-message.md")
    let text = page.lines.joined(separator: " ")
    #expect(text.contains("each up to \(Server.bytesPerRound >> 10) KiB,"))
  }
}
