import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The state of a running broker is removed.
struct RemovedStateTests {
  /// A client with an active scene.
  private func connected(
    to daemon: Daemon
  ) throws -> (client: WireClient, scene: SceneConnect.Reply) {
    let client = try daemon.client()
    let scene = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    return (client, scene)
  }

  @Test(
    "a broker whose lock file is gone or replaced acknowledges nothing, and exits with 74",
    arguments: [
      ("disk", "state/lock", false), ("disk", "state/lock", true), ("disk", "sock.lock", true),
      ("os", "state/lock", false), ("none", "sock.lock", true),
    ])
  func lostLock(durability: String, file: String, isReplaced: Bool) throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace, ["--durability", durability])
    let (client, scene) = try connected(to: daemon)
    try client.save(.numbered(1), in: scene.session)

    let lock = workplace.file(file)
    if isReplaced {
      try File.rename(try workplace.write("other", ""), to: lock)
    } else {
      try File.remove(lock)
    }
    // The broker can have noticed it before, because it writes to an idle journal once more.
    let save = try? client.send(SaveActivity(session: scene.session, activity: .numbered(2)))
    let farewell = try #require(try client.farewell())
    let why = "cannot keep the lock \(lock): the file was removed or replaced"
    #expect(farewell.message == "the broker cannot continue: \(why)")
    let isAcknowledged = client.history.contains {
      if case .reply(let request, _) = $0 { request == save } else { false }
    }
    #expect(!isAcknowledged)
    #expect(try daemon.program.reap() == .exited(74))
    try daemon.program.errorLine(containing: why)
  }

  @Test("the state of a running broker stays locked when its lock file is removed")
  func lockedWithoutFile() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    try File.remove(workplace.file("state/lock"))
    let second = try RunningProgram.run(
      "scened", ["-S", workplace.file("other"), "--state", workplace.state, "--leash-fd", "0"])
    #expect(second.code == 69)
    #expect(
      second.errors
        == "scened: error: another program (process \(daemon.pid)) already uses the state in "
        + "\(workplace.state)\n")
    let salvage = try daemon.run(
      "scenectl", ["journal", "salvage", workplace.state, "--into", workplace.file("saved")])
    #expect(salvage.code == 75, "\(salvage.errors)")
    let verify = try daemon.run("scenectl", ["journal", "verify", workplace.state])
    #expect(verify.errors.contains("a broker uses \(workplace.state)"))
  }

  @Test("a broker that lost its socket and lock to a second one does not serve beside it")
  func replacedSocket() throws {
    let workplace = try Workplace()
    let first = try Daemon(workplace)
    let client = try first.client()
    for file in [workplace.socket, workplace.socket + ".lock"] { try File.remove(file) }
    let second = try RunningProgram(
      "scened", ["-S", workplace.socket, "--state", workplace.file("other"), "--leash-fd", "0"])
    try second.line(containing: "ready")
    try client.send(SceneConnect(name: "packing"))
    #expect(try first.program.reap() == .exited(74))
    // The socket at that path belongs to the second broker and stays.
    try WireClient(socket: workplace.socket).initialize()
  }

  @Test("a broker whose socket or its lock was removed makes both again", arguments: ["", ".lock"])
  func removedSocket(suffix: String) throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let (client, scene) = try connected(to: daemon)
    try File.remove(workplace.socket + suffix)
    try client.save(.numbered(1), in: scene.session)
    try daemon.program.send(.hangup)
    try daemon.program.errorLine(containing: "was removed: listening there again")
    try WireClient(socket: workplace.socket).initialize()
    let lock = LockHolder.file(besideSocket: workplace.socket)
    #expect(LockHolder(readFrom: lock)?.pid == daemon.pid)
  }
}
