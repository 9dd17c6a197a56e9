import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneWire
import Testing

/// A broker that was stopped for a while, as by a debugger or a laptop's lid, and goes on.
struct StoppedBrokerTests {
  @Test("what waited in the sockets counts, though every time limit has passed")
  func waited() throws {
    let daemon = try Daemon(
      Workplace(), ["--limit", "handshakeSeconds=1", "--limit", "frameSeconds=1"])
    let silent = try daemon.connect()
    // It is answered, so the broker has taken it and its time runs.
    #expect(throws: BrokerError.self) { try silent.request(Ping()) }
    let halfway = try daemon.connect()
    try halfway.initialize()
    var writer = FrameWriter()
    writer.request(.number(99), Ping())
    let frame = writer.take()
    try halfway.send(bytes: frame[..<5])
    // What came before it has been read when it is answered.
    #expect(throws: BrokerError.self) { try silent.request(Ping()) }

    try daemon.program.send(.stop)
    let greeting = try silent.send(
      Initialize(client: ClientName(name: "silent", version: ""), as: .scene))
    try halfway.send(bytes: frame[5...])
    // Only time makes a limit pass.
    rest(until: SystemClock.monotonic() + 1_100_000_000)
    try daemon.program.send(.continue)
    _ = try silent.reply(to: greeting, of: Initialize.self)
    _ = try halfway.reply(to: .number(99), of: Ping.self)
  }
}
