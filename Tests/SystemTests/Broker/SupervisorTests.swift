import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A daemon under a supervisor: the socket that it gets, its notifications and its end.
struct SupervisorTests {
  /// A daemon with a passed socket, as under systemd.
  static func daemon(
    _ workplace: Workplace, listening socket: borrowing FileDescriptor
  ) throws -> RunningProgram {
    try RunningProgram(
      "/bin/sh",
      [
        "-c", #"LISTEN_PID=$$ exec "$0" "$@""#, try Programs.path("scened"),
        "-S", workplace.socket, "--state", workplace.state, "--leash-fd", "0",
      ],
      environment: ["LISTEN_FDS": "1"], descriptors: [3: socket.number])
  }

  @Test("a passed socket stays, and the broker serves clients that connected to it before")
  func inheritedSocket() throws {
    let workplace = try Workplace()
    let listener = try UnixSocket.listen(at: workplace.socket)
    let early = try WireClient(socket: workplace.socket)
    let identifier = try early.send(
      Initialize(client: ClientName(name: "early", version: ""), as: .scene))
    let daemon = try Self.daemon(workplace, listening: listener)
    #expect(
      try early.reply(to: identifier, of: Initialize.self).broker.pid == Int64(daemon.child.pid))
    daemon.closeInput()
    #expect(try daemon.reap().isSuccess)
    #expect(File.exists(workplace.socket))
    #expect(!File.exists(workplace.socket + ".lock"))
    listener.close()
  }

  #if os(Linux)
    private static let activator = try? Executable.find("systemd-socket-activate")

    @Test(
      "systemd-socket-activate starts the broker with the first connection",
      .enabled(if: activator != nil))
    func socketActivation() throws {
      let workplace = try Workplace()
      let daemon = try RunningProgram(
        try #require(Self.activator),
        [
          "--listen", workplace.socket, try Programs.path("scened"), "--state", workplace.state,
          "--leash-fd", "0",
        ])
      try daemon.errorLine(containing: "Listening on")
      let client = try WireClient(socket: workplace.socket)
      try client.initialize()
      try daemon.line(containing: "ready: application default, \(workplace.socket)")
      daemon.closeInput()
      #expect(try daemon.reap().isSuccess)
    }
  #endif

  @Test("the daemon reaps the children of the shell that it replaced", arguments: [0, 1])
  func inheritedChildren(seconds: Int) throws {
    let workplace = try Workplace()
    let daemon = try RunningProgram(
      "/bin/sh",
      [
        "-c", #"sleep \#(seconds) & echo $!; exec "$0" "$@""#, try Programs.path("scened"),
        "-S", workplace.socket, "--state", workplace.state, "--leash-fd", "0",
      ])
    let child = try daemon.line(where: { Int32($0) != nil })
    try daemon.line(containing: "ready")
    try eventually("its child is gone", polling: .processes) { !File.exists("/proc/\(child)") }
    #expect(daemon.child.endIfEnded == nil)
  }

  @Test("the daemon refuses a passed descriptor that is no listening socket")
  func noSocket() throws {
    let workplace = try Workplace()
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let daemon = try Self.daemon(workplace, listening: reading)
    #expect(
      try daemon.everythingOnErrors()
        == "scened: error: cannot use the socket of $LISTEN_FDS: descriptor 3 is not a listening "
        + "Unix-domain stream socket\n")
    #expect(try !daemon.reap().isSuccess)
    #expect(try Directory.list(workplace.path).isEmpty)
  }

  /// A supervisor that receives one message and prints it.
  private func supervisor(_ address: String) throws -> RunningProgram {
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      name = sys.argv[1]
      s.bind("\\0" + name[1:] if name[0] == "@" else name)
      print("bound", flush=True)
      print("heard " + s.recv(100).decode(), flush=True)
      """
    let supervisor = try RunningProgram("python3", ["-c", script, address])
    try supervisor.line(containing: "bound")
    return supervisor
  }

  private func start(_ workplace: Workplace, notifying address: String) throws -> RunningProgram {
    try workplace.startScened("--leash-fd", "0", environment: ["NOTIFY_SOCKET": address])
  }

  #if os(Linux)
    @Test(
      "a ready daemon notifies its supervisor, also at an abstract address", arguments: ["", "@"])
  #else
    @Test("a ready daemon notifies its supervisor", arguments: [""])
  #endif
  func notified(prefix: String) throws {
    let workplace = try Workplace()
    let address = prefix + workplace.file("notify")
    let supervisor = try supervisor(address)
    let daemon = try start(workplace, notifying: address)
    #expect(try supervisor.line(containing: "heard") == "heard READY=1")
    #expect(try supervisor.line(containing: "STATUS") == "STATUS=Accepting connections")
    let client = try WireClient(socket: workplace.socket)
    try client.initialize()
    daemon.closeInput()
    #expect(try daemon.reap().isSuccess)
  }

  @Test("a broker with a command notifies the supervisor, and the command gets no variable for it")
  func notifiedAroundCommand() throws {
    let workplace = try Workplace()
    let address = workplace.file("notify")
    let supervisor = try supervisor(address)
    let own = [
      "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "SCENE_SESSION", "SCENE_ACTIVITY",
      "SCENE_EVENTS", "SCENE_DATA",
    ]
    var variables = Dictionary(uniqueKeysWithValues: own.map { ($0, "0") })
    variables["NOTIFY_SOCKET"] = address
    variables["SCENE_KEPT"] = "1"
    let outcome = try RunningProgram.run("scened", ["--", "env"], environment: variables)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try supervisor.line(containing: "heard") == "heard READY=1")
    let names = outcome.output.split(separator: "\n").compactMap { $0.split(separator: "=").first }
    #expect(names.contains("SCENE_KEPT") && names.contains("SCENE_SOCKET"))
    for name in own + ["NOTIFY_SOCKET"] { #expect(!names.contains(Substring(name)), "\(name)") }
  }

  @Test("a supervisor that cannot be notified causes only a warning")
  func unnotified() throws {
    let workplace = try Workplace()
    let daemon = try start(workplace, notifying: workplace.file("missing"))
    try daemon.line(containing: "ready")
    try daemon.errorLine(containing: "warning: cannot notify the supervisor of $NOTIFY_SOCKET: ")
    let client = try WireClient(socket: workplace.socket)
    try client.initialize()
  }

  @Test("the end of the lifetime descriptor ends the daemon in order, and data on it does not")
  func lifetimeDescriptor() throws {
    let workplace = try Workplace()
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let lifetime = pipe.takeSecond()
    let daemon = try workplace.startScened("--leash-fd", "9", descriptors: [9: reading.number])
    reading.close()
    try daemon.line(containing: "ready")
    let client = try WireClient(socket: workplace.socket)
    try client.initialize()
    _ = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    // The broker finds both at once.
    try daemon.send(.stop)
    let ping = try client.send(Ping())
    try lifetime.write("news\n")
    try daemon.send(.continue)
    _ = try client.reply(to: ping, of: Ping.self)
    lifetime.close()
    guard let message = try client.callback(.didDisconnect).message as? DidDisconnect else {
      return
    }
    #expect(message.reason == .shutdown)
    #expect(try daemon.reap().isSuccess)
    try daemon.errorLine(containing: "the descriptor of --leash-fd reached its end")
  }
}

/// Only root can become another user.
@Suite(.enabled(if: User.current == 0, "needs root"))
struct OtherUserTests {
  @Test("the broker refuses another user before any request, and serves the other clients")
  func turnedAway() throws {
    let workplace = try Workplace()
    try File.setMode(workplace.path, 0o755)
    // With a private directory, the other user could not connect at all.
    let listener = try UnixSocket.listen(at: workplace.socket)
    try File.setMode(workplace.socket, 0o666)
    let daemon = try SupervisorTests.daemon(workplace, listening: listener)
    let script = """
      import os, socket, struct, sys
      os.setuid(65534)
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      count = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
      print(s.recv(count, socket.MSG_WAITALL).decode())
      """
    let answer = try RunningProgram.run("python3", ["-c", script, workplace.socket]).output
    #expect(answer.contains(#""reason":"notPermitted""#))
    #expect(answer.contains("this broker belongs to user 0; the client runs as user 65534"))
    try daemon.errorLine(containing: " of user 65534: this broker belongs to user 0")
    try WireClient(socket: workplace.socket).initialize()
    listener.close()
  }

  @Test(
    "a client sends nothing to a broker of another user, and names both users",
    arguments: ["scenectl status", "scene packing", "note-scene", "python3 scripts/scene.py"])
  func foreignBroker(client: String) throws {
    let workplace = try Workplace()
    let server = """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])
      os.setuid(65534); s.listen()
      print("listening", flush=True)
      print("heard", s.accept()[0].recv(100), flush=True)
      """
    let other = try RunningProgram("python3", ["-c", server, workplace.socket])
    try other.line(containing: "listening")
    var words = client.split(separator: " ").map(String.init)
    if words[0] == "python3" {
      words = ["/usr/bin/env", "python3", try Repository.file(words[1])]
    }
    let outcome = try RunningProgram.run(
      words[0], Array(words.dropFirst()), environment: ["SCENE_SOCKET": workplace.socket])
    #expect(outcome.code == 77)
    #expect(
      outcome.errors.contains("runs as user 65534, and this process as user 0"), "\(outcome.errors)"
    )
    #expect(try other.line(containing: "heard") == "heard b''")
  }
}
