import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// How a daemon starts, and when it does not.
struct StartTests {
  private func start(_ arguments: [String]) throws -> Outcome {
    try RunningProgram.run("scened", arguments)
  }

  @Test("refuses a directory that is open to others, and says how to close it")
  func openDirectory() throws {
    let workplace = try Workplace()
    try Directory.make(workplace.file("open"), mode: 0o755)
    try File.setMode(workplace.file("open"), 0o755)
    let outcome = try start(["-S", workplace.file("open/sock"), "--state", workplace.state])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("chmod 700 \(workplace.file("open"))"))
    #expect(try Directory.list(workplace.file("open")).isEmpty)
  }

  @Test("refuses a directory that is a link")
  func linkedDirectory() throws {
    let workplace = try Workplace()
    try Directory.make(workplace.file("real"))
    try File.link(workplace.file("link"), to: workplace.file("real"))
    let outcome = try start(["-S", workplace.file("link/sock"), "--state", workplace.state])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("symbolic link"))
  }

  @Test("refuses a path that is too long, and names the limit")
  func longPath() throws {
    let workplace = try Workplace()
    let path = workplace.file(String(repeating: "x", count: 200))
    let outcome = try start(["-S", path, "--state", workplace.state])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("\(UnixSocket.maximumPathLength)"))
  }

  @Test("clears away a socket that a killed daemon left, and only such a one")
  func staleSocket() throws {
    let workplace = try Workplace()
    let first = try Daemon(workplace)
    try first.kill()
    #expect(File.exists(workplace.socket))
    let second = try Daemon(workplace)
    #expect(try second.stop().isSuccess)
    #expect(!File.exists(workplace.socket))

    _ = try workplace.write("sock", "not a socket")
    let outcome = try start(["-S", workplace.socket, "--state", workplace.state])
    #expect(outcome.code != 0)
    #expect(try workplace.read("sock") == "not a socket")
  }

  @Test("leaves a socket alone on which another program listens")
  func foreignSocket() throws {
    let workplace = try Workplace()
    let listener = try UnixSocket.listen(at: workplace.socket)
    let outcome = try start(["-S", workplace.socket, "--state", workplace.state])
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("another program"))
    #expect(File.exists(workplace.socket))
    listener.close()
  }

  @Test(
    "of twenty daemons started at once, one serves and the others end with 69", arguments: 1...5)
  func atOnce(round: Int) throws {
    let workplace = try Workplace()
    let contenders = try (0..<20).map { _ in
      try RunningProgram(
        "scened", ["-S", workplace.socket, "--state", workplace.state, "--leash-fd", "0"])
    }
    // The losers end; the winner is the one that says that it is ready.
    var winners: [RunningProgram] = []
    for contender in contenders {
      let said = try? contender.line(containing: "ready")
      if said != nil {
        winners.append(contender)
      } else {
        #expect(try contender.reap() == .exited(69))
      }
    }
    #expect(winners.count == 1)
    let client = try WireClient(socket: workplace.socket)
    try client.initialize(as: .control)
    _ = try client.request(Ping())
    winners[0].closeInput()
    #expect(try winners[0].reap().isSuccess)
    #expect(!File.exists(workplace.socket))
  }

  @Test("ends with its leash")
  func leash() throws {
    let workplace = try Workplace()
    let daemon = try RunningProgram(
      "scened", ["-S", workplace.socket, "--state", workplace.state, "--leash-fd", "0"])
    try daemon.line(containing: "ready")
    daemon.closeInput()
    #expect(try daemon.reap().isSuccess)
  }

  @Test("another daemon on the same state is refused, whatever its socket")
  func sameState() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let outcome = try start(["-S", workplace.file("other"), "--state", workplace.state])
    #expect(outcome.code == 69)
    #expect(try daemon.stop().isSuccess)
  }
}
