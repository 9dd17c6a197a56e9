import SceneModel
import ScenePlatform
import SceneTestSupport
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
