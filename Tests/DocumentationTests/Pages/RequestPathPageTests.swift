import SceneServer
import SceneTestSupport
import Testing

/// The page has the number of bytes that the server reads at once.
struct RequestPathPageTests {
  @Test("the page has the number of bytes that an iteration reads from one connection")
  func bytesPerIteration() throws {
    let text = try Page.manual("Request-path").text
    let count = "at most \(Server.bytesPerIteration >> 10) KiB from each other connection"
    #expect(text.contains(count))
  }
}
