import ScenePlatform
import SceneTestSupport
import Testing

@Suite("The command line of scenehandoff")
struct ProgramTests {
  private static func run(_ words: String..., in workplace: Workplace) throws -> Outcome {
    try RunningProgram.run(
      "scenehandoff", words + ["-S", workplace.socket, "--state", workplace.file("state.json")])
  }

  @Test(
    "a mistake is refused with one reason",
    arguments: [
      ([], "--engine is missing"), (["--engine", "server"], "is not HOST:PORT"),
      (["--engine", "example.com:2379"], "not encrypted"),
      (["--engine", "unix:etcd"], "unix:/PATH"),
      (["--engine", "127.0.0.1:1", "--host", "a/b"], "expected the name of a host"),
      (["--engine", "127.0.0.1:1", "--ttl", "1"], "--ttl"),
    ])
  func mistakes(words: [String], reason: String) throws {
    let outcome = try RunningProgram.run("scenehandoff", words)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test("a password that other users can read is refused")
  func credentials() throws {
    let workplace = try Workplace()
    let file = try workplace.write("password", "ada:secret\n")
    let outcome = try RunningProgram.run("chmod", ["644", file])
    #expect(outcome.code == 0)
    let refused = try Self.run("--engine", "127.0.0.1:1", "--credentials", file, in: workplace)
    #expect(refused.code == 77)
    #expect(refused.errors.contains("chmod 600"))
  }

  @Test("a directory has no password, and no advice about its mode")
  func credentialsDirectory() throws {
    let refused = try Self.run("--engine", "127.0.0.1:1", "--credentials", "/", in: Workplace())
    #expect(refused.code == 78)
    #expect(refused.errors.contains("expected a regular file"), "\(refused.errors)")
    #expect(!refused.errors.contains("chmod"))
  }

  @Test("a missing file of the password is a wrong setting")
  func credentialsMissing() throws {
    let refused = try Self.run("--engine", "127.0.0.1:1", "--credentials", "/none", in: Workplace())
    #expect(refused.code == 78)
    #expect(refused.errors.contains("--credentials: stat /none"), "\(refused.errors)")
  }

  @Test("a password in a file of another user is refused", .enabled(if: User.current == 0))
  func credentialsOwner() throws {
    let workplace = try Workplace()
    let file = try workplace.write("password", "ada:secret\n")
    #expect(try RunningProgram.run("chown", ["12345", file]).code == 0)
    #expect(try RunningProgram.run("chmod", ["600", file]).code == 0)
    let refused = try Self.run("--engine", "127.0.0.1:1", "--credentials", file, in: workplace)
    #expect(refused.code == 77)
    #expect(refused.errors.contains("belongs to another user"), "\(refused.errors)")
  }

  @Test("without a broker, scenehandoff ends; with a damaged state file too")
  func noBroker() throws {
    let workplace = try Workplace()
    let absent = try Self.run("--engine", "127.0.0.1:1", in: workplace)
    #expect(absent.code == 69)
    _ = try workplace.write("state.json", "{")
    let damaged = try Self.run("--engine", "127.0.0.1:1", in: workplace)
    #expect(damaged.code == 65)
    #expect(damaged.errors.contains("move it away"))
  }

  private static func reply(_ body: String, status: Int = 200) -> String {
    "HTTP/1.1 \(status) Any\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Arguments and environment for an engine that answers each request with the next bytes.
  private static func standIn(
    _ replies: String..., in workplace: Workplace
  ) throws -> (words: [String], environment: [String: String]) {
    for (number, bytes) in replies.enumerated() { _ = try workplace.write("reply\(number)", bytes) }
    let script = try workplace.write(
      "ssh",
      #"for reply in "$(dirname "$0")"/reply*; do sed -u '/^.$/q' > /dev/null; cat "$reply"; done; "#
        + "exec cat > /dev/null")
    return (
      ["--engine", "ssh:server", "--host", "here", "--state", workplace.file("handoff")],
      ["SCENE_SSH": "sh \(script)"]
    )
  }

  @Test(
    "a reply that is not of etcd ends the program at its start",
    arguments: [
      ("Welcome\n", "not HTTP/1.1"), (reply("{}", status: 404), "HTTP status 404"),
      (reply("<html>"), "invalid JSON"),
      (reply(#"{"version":"3.3.25","leader":"1","dbSize":"1"}"#), "3.4 or later is required"),
    ])
  func notEtcd(bytes: String, reason: String) throws {
    let daemon = try Daemon(Workplace())
    let (words, environment) = try Self.standIn(bytes, in: daemon.workplace)
    let outcome = try daemon.run("scenehandoff", words, environment: environment)
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test("a wrong password ends the program at its start")
  func password() throws {
    let daemon = try Daemon(Workplace())
    let error = #"{"error":"authentication failed, invalid user ID or password","code":3}"#
    let (words, environment) = try Self.standIn(
      Self.reply(error, status: 400), in: daemon.workplace)
    let file = try daemon.workplace.write("password", "ada:wrong\n")
    let outcome = try daemon.run(
      "scenehandoff", words + ["--credentials", file], environment: environment)
    #expect(outcome.code == 77)
    #expect(outcome.errors.contains("check --credentials"), "\(outcome.errors)")
  }

  @Test("a large database is a warning, and a second agent with the state file is refused")
  func largeDatabase() throws {
    let daemon = try Daemon(Workplace())
    let (words, environment) = try Self.standIn(
      Self.reply(#"{"version":"3.4.23","leader":"1","dbSize":"600000000"}"#), in: daemon.workplace)
    let agent = try daemon.start("scenehandoff", words, environment: environment)
    try agent.errorLine(containing: "set ETCD_AUTO_COMPACTION_RETENTION=1")
    let second = try daemon.run("scenehandoff", words, environment: environment)
    #expect(second.code == 1)
    #expect(second.errors.contains("another scenehandoff runs"), "\(second.errors)")
  }

  @Test("an engine that cannot be reached is named, and the program stays")
  func unreachable() throws {
    let daemon = try Daemon(Workplace())
    let agent = try daemon.start(
      "scenehandoff",
      ["--engine", "127.0.0.1:1", "--host", "here", "--state", daemon.workplace.file("handoff")])
    try agent.errorLine(containing: "connect 127.0.0.1:1: Connection refused")
    let list = try RunningProgram.run("scenectl", ["-S", daemon.socket, "handoff"])
    #expect(list.code == 0)
    #expect(list.errors.contains("not connected to etcd"), "\(list.errors)")
    let take = try RunningProgram.run(
      "scenectl", ["-S", daemon.socket, "handoff", "take", "notes"])
    #expect(take.code == 66)
    try agent.send(.terminate)
    #expect(try agent.reap() == .exited(0))
    let gone = try RunningProgram.run("scenectl", ["-S", daemon.socket, "handoff"])
    #expect(gone.code == 69)
  }

  private static func lonely(
    _ daemon: Daemon, host: String = "here", state: String = "handoff"
  ) -> [String] {
    ["--engine", "127.0.0.1:1", "--host", host, "--state", daemon.workplace.file(state)]
  }

  @Test("a question ends with scenehandoff, also if another one starts at once")
  func killed() throws {
    let daemon = try Daemon(Workplace())
    let agent = try daemon.start("scenehandoff", Self.lonely(daemon))
    try agent.errorLine(containing: "Connection refused")
    try agent.send(.stop)
    try agent.awaitStop()
    let list = try daemon.start("scenectl", ["handoff"])
    try eventually("scenectl waits for the answer", polling: .broker) {
      try daemon.scenectl("topics").contains("org.scenebroker.handoff.replies")
    }
    try agent.kill()
    let other = try daemon.start("scenehandoff", Self.lonely(daemon))
    let outcome = try list.finish()
    withExtendedLifetime(other) {}
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("ended before it answered"), "\(outcome.errors)")
  }

  @Test("a broker has one agent, and a state file one name of the host")
  func second() throws {
    let daemon = try Daemon(Workplace())
    let agent = try daemon.start("scenehandoff", Self.lonely(daemon))
    try agent.errorLine(containing: "Connection refused")
    let second = try daemon.run("scenehandoff", Self.lonely(daemon, state: "other"))
    #expect(second.code == 1)
    #expect(second.errors.contains("another scenehandoff moves"), "\(second.errors)")
    // The first one still answers.
    #expect(try daemon.run("scenectl", ["handoff"]).code == 0)
    try agent.send(.terminate)
    #expect(try agent.reap() == .exited(0))
    let renamed = try daemon.run("scenehandoff", Self.lonely(daemon, host: "there"))
    #expect(renamed.code == 1)
    #expect(renamed.errors.contains("use: --host here"), "\(renamed.errors)")
  }

  @Test("a command that scenehandoff does not know is refused at once")
  func unknownCommand() throws {
    let daemon = try Daemon(Workplace())
    let agent = try daemon.start("scenehandoff", Self.lonely(daemon))
    try agent.errorLine(containing: "Connection refused")
    let replies = try daemon.start("scenectl", ["observe", "org.scenebroker.handoff.replies"])
    try eventually("the replies are observed", polling: .broker) {
      try daemon.scenectl("topics").contains("org.scenebroker.handoff.replies")
    }
    try daemon.scenectl("post", "org.scenebroker.handoff", #"{"id":"7","command":"merge"}"#)
    try replies.line(containing: "does not know the command")
    withExtendedLifetime(agent) {}
  }

  @Test("etcd that requires a user ends scenehandoff without --credentials")
  func userRequired() throws {
    let daemon = try Daemon(Workplace())
    let status = Self.reply(#"{"version":"3.4.23","leader":"1","dbSize":"1"}"#)
    let error = #"{"error":"etcdserver: user name is empty","code":3}"#
    let (words, environment) = try Self.standIn(
      status, Self.reply(error, status: 400), in: daemon.workplace)
    let outcome = try daemon.run("scenehandoff", words, environment: environment)
    #expect(outcome.code == 77)
    #expect(outcome.errors.contains("use --credentials FILE"), "\(outcome.errors)")
    // The end is the only report.
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test(
    "a session is listed at another host, and taken there with its data directory",
    .enabled(if: EtcdServer.program != nil, "skipped: no etcd in $PATH or $ETCD"))
  func published() throws {
    let etcd = try EtcdServer()
    _ = try etcd.link()
    let laptop = try Daemon(Workplace())
    let desktop = try Daemon(Workplace())
    var agents: [RunningProgram] = []
    for (daemon, host) in [(laptop, "laptop"), (desktop, "desktop")] {
      let agent = try daemon.start(
        "scenehandoff",
        [
          "--engine", "127.0.0.1:\(etcd.port)", "--host", host, "--state",
          daemon.workplace.file("handoff"),
        ])
      try agent.errorLine(containing: "connected to etcd")
      agents.append(agent)
    }
    let scene = try laptop.scene("notes")
    defer { withExtendedLifetime((scene, agents)) {} }
    let data = try String(laptop.scenectl("data", "notes").dropLast())
    try File.write("history".utf8, to: data + "/history")
    try laptop.scenectl("save", "notes", "com.example.note", #"{"line": 1}"#)
    try eventually("the session is listed", polling: .broker) {
      let list = try desktop.scenectl("handoff")
      return list.contains("notes") && list.contains("laptop")
    }
    let watch = try desktop.start("scenectl", ["handoff", "--watch"])
    try watch.line(containing: "notes    laptop")
    let json = try desktop.scenectl("--json", "handoff", "list")
    #expect(json.contains(#""owner":"laptop","ownerPresent":true"#), "\(json)")
    let conflicts = try desktop.scenectl("--json", "handoff", "conflicts")
    #expect(conflicts.contains(#""sessions":[]"#))
    let late = try desktop.run("scenectl", ["handoff", "take", "notes", "--seen", "1"])
    #expect(late.code == 1)
    #expect(late.errors.contains("has moved since fence 1: now it is at laptop"), "\(late.errors)")
    let taken = try desktop.scenectl("handoff", "take", "notes")
    #expect(taken.hasPrefix("notes: taken from laptop; open it with: scenectl"), "\(taken)")
    try watch.line(containing: "notes    desktop")
    try scene.line(containing: "didDisconnect")
    try laptop.scenectl("wait", "notes away.to=desktop away.confirmed=true")
    #expect(try desktop.scenectl("show", "notes", "--value", "activity.userInfo.line") == "1\n")
    let arrived = try String(desktop.scenectl("data", "notes").dropLast())
    #expect(try File.read(arrived + "/history") == ContiguousArray("history".utf8))
    let copy = try laptop.scenectl("handoff", "take", "notes", "--copy")
    #expect(copy.hasPrefix("notes: copied from desktop; open it with: scenectl"), "\(copy)")
    let move = try desktop.run("scenectl", ["move", "notes", "--to", "laptop"])
    #expect(move.code == 1)
    #expect(move.errors.contains("run at laptop: scenectl"), "\(move.errors)")
  }
}
