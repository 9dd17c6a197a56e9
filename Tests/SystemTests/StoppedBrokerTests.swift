import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneWire
import Testing

/// A broker that was stopped for a while, as by a debugger or a laptop's lid, and goes on.
struct StoppedBrokerTests {
  /// Returns when it has stopped: until then it may still be told of what comes.
  private func stop(_ daemon: Daemon) throws {
    try daemon.program.send(.stop)
    try eventually("the broker has stopped") {
      ProcessActivity(of: daemon.pid)?.state == .stopped
    }
  }

  private static let limit: Int64 = 1_000_000_000

  @Test("what waited in the sockets counts, though every time limit has passed")
  func waited() throws {
    // On a machine that is very busy the limits may be over before the broker is stopped.
    while try !isHeardAfterAStop() {}
  }

  /// Stops a broker that waits for a client's first request and for the rest of another's frame.
  /// False if it did not come to that in time.
  private func isHeardAfterAStop() throws -> Bool {
    let daemon = try Daemon(
      Workplace(), ["--limit", "handshakeSeconds=1", "--limit", "frameSeconds=1"])
    let halfway = try daemon.connect()
    guard (try? halfway.initialize()) != nil else { return false }
    let begin = SystemClock.monotonic()
    let silent = try daemon.connect()
    var writer = FrameWriter()
    writer.request(.number(99), Ping())
    let frame = writer.take()
    try halfway.send(bytes: frame[..<5])
    // It is answered, so the broker has taken it, and read what came before.
    #expect(throws: (any Error).self) { try silent.request(Ping()) }
    try stop(daemon)
    guard SystemClock.monotonic() - begin < Self.limit else { return false }

    let greeting = try silent.send(
      Initialize(client: ClientName(name: "silent", version: ""), as: .scene))
    try halfway.send(bytes: frame[5...])
    // Only time makes a limit pass.
    rest(until: SystemClock.monotonic() + Self.limit)
    try daemon.program.send(.continue)
    _ = try silent.reply(to: greeting, of: Initialize.self)
    _ = try halfway.reply(to: .number(99), of: Ping.self)
    return true
  }

  @Test("a storm of new clients does not keep those waiting who are there")
  func storm() throws {
    let daemon = try Daemon(Workplace())
    let client = try daemon.connect()
    try client.initialize(as: .control)
    // Once another was heard, the first is no longer ahead of whoever comes next.
    let another = try daemon.connect()
    try another.initialize(as: .control)
    try stop(daemon)
    let storm = try (0..<200).map { _ in try daemon.connect() }
    let asked = try client.send(ApplicationStatus())
    try daemon.program.send(.continue)
    // It is answered in the round in which the first of the storm are taken, whom it counts.
    #expect(try client.reply(to: asked, of: ApplicationStatus.self).connections <= 2 + 64)
    for other in storm { try other.initialize(as: .control) }
    #expect(try client.request(ApplicationStatus()).connections == 202)
  }
}
