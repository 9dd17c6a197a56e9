import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// A broker that was itself stopped or late holds nobody to a time in which it did not listen: what
/// waits in a socket is read, and what waits to leave is offered, before anybody is left.
struct LateBrokerTests {
  private static let initialize = Stage.frame(
    Initialize(client: ClientName(name: "late", version: ""), as: .scene), id: 1)

  @Test("a first request that waited in the socket is heard")
  func greeting() {
    let stage = Stage()
    let client = stage.connect()
    stage.pass(.seconds(3600))
    // The timer is due, and what waits is reported in the next round.
    stage.round()
    stage.send(Self.initialize, from: client)
    stage.round()
    #expect(stage.take(client).first?.contains(#""result""#) == true)
    #expect(stage.switchboard.connectionCount == 1)
  }

  @Test("the rest of a frame that waited in the socket is heard")
  func frame() {
    let stage = Stage()
    let client = stage.client()
    let frame = Stage.frame(Ping(), id: 1)
    stage.send(ContiguousArray(frame[..<5]), from: client)
    stage.pass(.seconds(3600))
    stage.round()
    stage.send(ContiguousArray(frame[5...]), from: client)
    stage.round()
    #expect(stage.take(client).first?.contains(#""result""#) == true)
    #expect(stage.switchboard.connectionCount == 1)
  }

  @Test("another frame that was begun has its own time")
  func nextFrame() {
    let stage = Stage()
    let client = stage.client()
    let frame = Stage.frame(Ping(), id: 1)
    stage.send(ContiguousArray(frame[..<5]), from: client)
    stage.pass(.seconds(3600))
    stage.round()
    stage.send(ContiguousArray(frame[5...]) + frame[..<5], from: client)
    stage.round()
    stage.round()
    #expect(stage.switchboard.connectionCount == 1)
    stage.pass(.seconds(Int64(Limits().frameSeconds)))
    stage.round()
    stage.round()
    #expect(stage.switchboard.connectionCount == 0)
  }

  @Test("whoever never stops talking is left when the time has passed once more")
  func flooder() {
    let stage = Stage()
    let client = stage.connect()
    stage.pass(.seconds(Int64(Limits().handshakeSeconds)))
    client.hasUnreadInput = true
    stage.round()
    stage.round()
    #expect(stage.switchboard.connectionCount == 1)
    stage.pass(.seconds(Int64(Limits().handshakeSeconds)))
    stage.round()
    #expect(stage.switchboard.connectionCount == 0)
  }

  /// A client for which more waits than may, and that does not read.
  private func slowReader(_ stage: Stage) -> Connection {
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.send(Describe(), id: 1, from: client)
    return client
  }

  private func stage() -> Stage {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    return Stage(limits: limits)
  }

  private let slowReaderTime = Interval.seconds(Int64(Limits().slowReaderSeconds))

  @Test("a reader that has room by now is offered what waits for it")
  func reader() {
    let stage = stage()
    let client = slowReader(stage)
    stage.pass(.seconds(3600))
    stage.room[client.identifier] = nil
    stage.round()
    #expect(stage.switchboard.connectionCount == 1)
    #expect(stage.take(client).count == 1)
    stage.pass(.seconds(3600))
    stage.round()
    #expect(stage.switchboard.connectionCount == 1)
  }

  @Test("a reader that takes some of it has its time once more, and then no more")
  func readerOfSome() {
    let stage = stage()
    let client = slowReader(stage)
    stage.pass(.seconds(3600))
    stage.room[client.identifier] = 10
    stage.round()
    #expect(stage.switchboard.connectionCount == 1)
    stage.pass(slowReaderTime)
    stage.room[client.identifier] = 10
    stage.round()
    #expect(stage.switchboard.connectionCount == 0)
  }

  @Test("last words are offered once more")
  func lastWords() {
    let stage = Stage()
    let client = stage.client()
    stage.room[client.identifier] = 0
    stage.round {
      stage.switchboard.receive(Stage.frame(Ping(), id: 1).span, from: client)
      stage.switchboard.finish(client)
    }
    stage.pass(.seconds(3600))
    stage.room[client.identifier] = nil
    stage.round()
    #expect(stage.take(client).first?.contains(#""id":1"#) == true)
    #expect(stage.switchboard.connectionCount == 0)
  }

  @Test("nobody's answer to a farewell is waited for")
  func farewell() {
    let stage = Stage()
    let holder = stage.client(pid: 10)
    stage.send(SceneConnect(name: "packing"), id: 1, from: holder)
    stage.keeper.sync()
    stage.round { stage.switchboard.learn() }
    let next = stage.client(pid: 11)
    stage.send(SceneConnect(name: "packing", takeOver: true), id: 1, from: next)
    stage.keeper.sync()
    stage.round { stage.switchboard.learn() }
    #expect(stage.take(holder).last?.contains(#""reason":"replaced""#) == true)
    let timers = stage.switchboard.applicationTimers
    #expect(timers.due(.callback(next.identifier, 1)) != nil)
    #expect(timers.due(.callback(holder.identifier, 2)) == nil)
  }
}
