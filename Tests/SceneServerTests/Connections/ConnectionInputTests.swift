import SceneBroker
import SceneModel
import ScenePlatform
import Testing

@testable import SceneServer

@Suite("The input of a connection")
struct ConnectionInputTests {
  @Test("held bytes count, and come out once")
  func held() {
    var input = ConnectionInput(frameLimit: 100)
    for count in [2, 3] { input.hold(ContiguousArray(repeating: 7, count: count).span) }
    #expect(input.byteCount == 5)
    #expect(input.takeHeld() == ContiguousArray(repeating: 7, count: 5))
    #expect(input.byteCount == 0 && input.takeHeld().isEmpty)
  }

  @Test("after a read that fills its room, the socket may have more input in this iteration")
  func fullRead() throws {
    var sockets = try UnixSocket.pair()
    let peer = sockets.takeSecond()
    let connection = Connection(
      ConnectionIdentifier(1), process: ClientProcess(pid: 1, startTime: 7),
      descriptor: sockets.takeFirst(), frameLimit: 100)
    let bytes = ContiguousArray<UInt8>(repeating: 7, count: 6)
    let sent = peer.send(bytes.span.bytes)
    try #require(sent == .bytes(6))
    let buffer = InputBuffer(byteCount: 4)
    for (iteration, expected) in [(UInt64(1), 4), (2, 2)] {
      #expect(connection.receive(into: buffer.bytes, in: iteration) == .bytes(expected))
      #expect(connection.input.mayBeUnread(in: iteration) == (expected == 4))
    }
  }

  @Test("much input makes a connection busy until its next input")
  func busy() {
    var input = ConnectionInput(frameLimit: 100)
    for (count, isBusy) in [(Share.busyInput, true), (Share.busyInput - 1, false)] {
      input.begin(byteCount: count)
      #expect(input.isBusy == isBusy)
    }
  }
}
