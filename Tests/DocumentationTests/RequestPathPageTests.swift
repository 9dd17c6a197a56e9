import SceneServer
import SceneTestSupport
import Testing

/// The page states the number of bytes that the server reads.
struct RequestPathPageTests {
  @Test("the bytes that an iteration reads from one connection are those of the server")
  func bytesPerIteration() throws {
    let text = try Page.manual("Request-path").text
    let count = "at most \(Server.bytesPerIteration >> 10) KiB from each other connection"
    #expect(text.contains(count))
  }
}
