import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("The recording proxy")
struct RecordingProxyTests {
  @Test("an invalid frame of the broker closes the connection of the client")
  func badFrame() throws {
    let workplace = try Workplace()
    let broker = SharedDescriptor(try UnixSocket.listen(at: workplace.file("broker")))
    let proxy = RecordingProxy(
      at: workplace.file("relay"), to: workplace.file("broker"), .unchanged)
    try proxy.listen()
    defer { proxy.stopListening() }
    let client = SharedDescriptor(try UnixSocket.connect(to: workplace.file("relay")))
    let connection = try #require(broker.nextClient())
    let good = FrameSplitter.frame(ContiguousArray(#"{"jsonrpc":"2.0","method":"a"}"#.utf8))
    connection.send(good + [9] + good)
    // The proxy closes the connection, although the broker has not.
    var frames: [ContiguousArray<UInt8>] = []
    #expect(client.forEachFrame { frame, _ in frames.append(frame) } == nil)
    #expect(frames == [good])
    client.endSending()
  }
}
