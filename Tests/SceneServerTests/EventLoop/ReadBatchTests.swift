import SceneBroker
import SceneModel
import ScenePlatform
import Testing

@testable import SceneServer

@Suite("A batch of reads")
struct ReadBatchTests {
  @Test("after a read that fills its room, the socket may have more input in this iteration")
  func fullRead() throws {
    var sockets = try UnixSocket.pair()
    let peer = sockets.takeSecond()
    let connection = Connection(
      ConnectionIdentifier(1), process: ClientProcess(pid: 1, startTime: 7),
      descriptor: sockets.takeFirst(), frameLimit: 100)
    let bytes = ContiguousArray(0..<6 as Range<UInt8>)
    let sent = peer.send(bytes.span.bytes)
    try #require(sent == .bytes(6))
    var batch = ReadBatch()
    for (iteration, expected) in [(UInt64(1), 4), (2, 2)] {
      let count = batch.read(from: connection, upTo: 4, in: iteration)
      #expect(count == expected)
      #expect(connection.input.mayBeUnread(in: iteration) == (expected == 4))
    }
    var received: ContiguousArray<UInt8> = []
    batch.takeAll { _, _, part in
      part.withUnsafeBufferPointer { received.append(contentsOf: $0) }
    }
    #expect(received == bytes)
  }
}
