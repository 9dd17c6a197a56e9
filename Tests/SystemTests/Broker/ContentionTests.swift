import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Many daemons that start at the same socket.
struct ContentionTests {
  private func contender(_ workplace: Workplace) throws -> RunningProgram {
    try workplace.startScened("--leash-fd", "0")
  }

  /// Starts `count` daemons at once. The winner reports that it is ready, and the others end.
  private func race(_ count: Int, _ workplace: Workplace) throws -> [RunningProgram] {
    let contenders = try (0..<count).map { _ in try contender(workplace) }
    return try contenders.filter { contender throws in
      if (try? contender.line(containing: "ready")) != nil { return true }
      #expect(try contender.everythingOnErrors().contains(" already"))
      #expect(try contender.reap() == .exited(69))
      return false
    }
  }

  private func expectService(_ workplace: Workplace) throws {
    let client = try WireClient(socket: workplace.socket)
    try client.initialize(as: .control)
    _ = try client.request(Ping())
  }

  @Test(
    "of twenty daemons started at once, one serves; the others exit with 69 and change no file",
    arguments: 1...10)
  func atOnce(round: Int) throws {
    let workplace = try Workplace()
    let winners = try race(20, workplace)
    #expect(winners.count == 1)
    try expectService(workplace)
    #expect(try Directory.list(workplace.path) == ["sock", "sock.lock", "state"])
    try eventually("the state is complete", polling: .files) {
      try Directory.list(workplace.state) == ["ballast", "lock", "log-1"]
    }
    // Later daemons change no file either.
    let (place, state) = try (Contents(of: workplace.path), Contents(of: workplace.state))
    #expect(try race(5, workplace).isEmpty)
    #expect(try Contents(of: workplace.path) == place)
    #expect(try Contents(of: workplace.state) == state)
    try expectService(workplace)

    // The same holds for a socket that a killed daemon left.
    try winners[0].kill()
    #expect(File.exists(workplace.socket))
    let successors = try race(20, workplace)
    #expect(successors.count == 1)
    try expectService(workplace)
    #expect(try Directory.list(workplace.path) == ["sock", "sock.lock", "state"])
    try eventually("the state is complete", polling: .files) {
      try Directory.list(workplace.state) == ["ballast", "lock", "log-1"]
    }
    successors[0].closeInput()
    #expect(try successors[0].reap().isSuccess)
    #expect(try Directory.list(workplace.path) == ["sock.lock", "state"])
  }
}
