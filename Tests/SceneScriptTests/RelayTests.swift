import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("What stands between a client and its broker")
struct RelayTests {
  @Test("a broker that sends no frames ends there, for the client, too")
  func badFrame() throws {
    let workplace = try Workplace()
    let broker = Listener(try UnixSocket.listen(at: workplace.file("broker")))
    let relay = Relay(at: workplace.file("relay"), to: workplace.file("broker"), .asItComes)
    try relay.listen()
    defer { relay.stopListening() }
    let client = RelayedConnection.End(try UnixSocket.connect(to: workplace.file("relay")))
    let connection = try #require(broker.next())
    let good = FrameCutter.frame(ContiguousArray(#"{"jsonrpc":"2.0","method":"a"}"#.utf8))
    connection.send(good + [9] + good)
    var cutter = FrameCutter()
    // It hangs up, though its broker has not.
    while client.receive(into: &cutter) {}
    #expect(cutter.next() == .frame(good))
    #expect(cutter.next() == .more)
    #expect(cutter.rest.isEmpty)
    client.endSending()
  }
}
