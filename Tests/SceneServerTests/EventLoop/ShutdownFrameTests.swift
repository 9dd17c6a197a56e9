import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

@Suite("The message of a shutdown")
struct ShutdownFrameTests {
  private let fixture = EventLoopFixture()
  private let buffer = InputBuffer()

  private func connect(pid: Int64, by socket: consuming FileDescriptor) -> Connection {
    let client = fixture.eventLoop.accept(
      process: ClientProcess(pid: pid, startTime: 7), descriptor: socket)
    fixture.send(
      Initialize(client: ClientName(name: "test", version: ""), as: .scene), id: 0, from: client)
    return client
  }

  @Test("the message does not go into the middle of a frame")
  func partOfFrame() throws {
    var sockets = try UnixSocket.pair()
    var otherSockets = try UnixSocket.pair()
    let client = connect(pid: 1, by: sockets.takeFirst())
    _ = connect(pid: 2, by: otherSockets.takeFirst())
    fixture.room[client.identifier] = 5
    fixture.send(Ping(), id: 1, from: client)
    fixture.eventLoop.broadcastShutdown("the disk has failed")
    let peer = sockets.takeSecond()
    let other = otherSockets.takeSecond()
    let outcome = peer.receive(into: buffer.bytes, waits: false)
    #expect(outcome == .wouldBlock)
    let otherOutcome = other.receive(into: buffer.bytes, waits: false)
    let frame = ShutdownFrame.frame(BrokerError(.shuttingDown, "the disk has failed"))
    #expect(otherOutcome == .bytes(frame.count))
  }
}
