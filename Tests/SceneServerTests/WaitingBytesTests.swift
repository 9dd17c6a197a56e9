import JSON
import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("What waits in all connections together")
struct WaitingBytesTests {
  private func stage(waitingBytes: Int) -> Stage {
    var limits = Limits()
    limits.totalBytes = 16 * waitingBytes
    #expect(limits.waitingBytes == waitingBytes)
    return Stage(limits: limits)
  }

  private func describe(_ count: Int, _ stage: Stage, _ client: Connection) {
    stage.room[client.identifier] = 10
    for id in 1...count { stage.send(Describe(), id: Int64(id), from: client) }
  }

  private func replyByteCount() -> Int {
    let stage = Stage()
    let client = stage.client()
    describe(1, stage, client)
    return client.outbox.byteCount
  }

  @Test("the connection with the most output is told why and closed")
  func output() {
    let limit = 7 * replyByteCount() / 2
    let stage = stage(waitingBytes: limit)
    let scene = stage.client(pid: 1)
    stage.send(SceneConnect(name: "packing"), id: 9, from: scene)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    _ = stage.take(scene)
    let other = stage.client(pid: 2)
    describe(2, stage, scene)
    describe(1, stage, other)
    #expect(stage.eventLoop.connectionCount == 2)
    stage.send(Describe(), id: 2, from: other)
    let session = stage.eventLoop.broker.stored.sessions.values.first
    #expect(session?.tenure.end?.reason == .slowReader)
    #expect(stage.eventLoop.waitingByteCount <= limit)
    stage.room = [:]
    stage.round {
      for client in [scene, other] { stage.eventLoop.scheduleOutput(client) }
    }
    // The frame that had begun to leave is whole, and the error follows.
    let told = stage.take(scene)
    #expect(told.count == 2)
    #expect(told.last?.contains(#""id":null,"error":{"code":1013"#) == true)
    #expect(stage.take(other).count == 2)
    #expect(stage.eventLoop.connectionCount == 1)
    #expect(stage.eventLoop.waitingByteCount == 0)
  }

  @Test("input that is not yet a frame counts as well")
  func input() {
    let stage = stage(waitingBytes: 10_000)
    let clients = (1...3).map { stage.client(pid: $0) }
    let frame = Stage.frame(Ping(), id: 1)
    for (index, client) in clients.enumerated() {
      let count = 2500 + 500 * index
      let head: ContiguousArray<UInt8> = [0, 1, 0, 0]
      stage.send(head + ContiguousArray(repeating: 32, count: count), from: client)
    }
    #expect(stage.eventLoop.connectionCount == 3)
    stage.send(ContiguousArray(repeating: 32, count: 2500), from: clients[0])
    #expect(stage.take(clients[0]).first?.contains("tooMany") == true)
    #expect(stage.eventLoop.connectionCount == 2)
    let last = stage.client(pid: 4)
    stage.send(frame, from: last)
    #expect(stage.take(last).count == 1)
  }
}
