import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The start of a daemon, and the reasons for which it fails.
struct StartTests {
  private func start(_ arguments: [String]) throws -> Outcome {
    try RunningProgram.run("scened", arguments)
  }

  @Test("scenectl wait also waits for a broker, within its timeout")
  func awaited() throws {
    let workplace = try Workplace()
    let none = try RunningProgram.run(
      "scenectl", ["-S", workplace.socket, "wait", "application", "--timeout", "30ms"])
    #expect(none.code == 69)
    #expect(
      none.errors.hasPrefix("scenectl: timed out after 30ms: no broker runs for application "),
      "\(none.errors)")
    #expect(none.errors.contains("Start one with: scened -S "), "\(none.errors)")
    let waiting = try RunningProgram(
      "scenectl", ["-S", workplace.socket, "wait", "application background", "--timeout", "1h"])
    let daemon = try Daemon(workplace)
    #expect(try waiting.reap().isSuccess)
    withExtendedLifetime(daemon) {}
  }

  @Test("a start creates no directory for a named socket, and at most one for a state")
  func missingDirectories() throws {
    let workplace = try Workplace()
    let (one, two) = (workplace.file("one"), workplace.file("one/a b"))
    for (directory, command) in [
      (one, "mkdir -m 700 \(one)"), (two, "mkdir -p -m 700 \(two.shellWord)"),
    ] {
      let message = { (failure: String) in
        "scened: error: \(failure): the directory \(directory) does not exist; run: \(command)\n"
      }
      let socket = try start(["-S", directory + "/sock", "--state", workplace.state])
      #expect(socket.code == 78)
      #expect(socket.errors == message("cannot listen on \(directory)/sock"))
      let variable = try RunningProgram.run(
        "scened", ["--state", workplace.state], environment: ["SCENE_SOCKET": directory + "/sock"])
      #expect(variable.errors == socket.errors)
      let state = try start(["-S", workplace.socket, "--state", directory + "/state"])
      #expect(state.code == 78)
      #expect(state.errors == message("cannot keep the state in \(directory)/state"))
    }
    #expect(try Directory.list(workplace.path) == ["sock.lock"])
    // The command in the error works, and then the start succeeds.
    _ = try RunningProgram.run("/bin/sh", ["-c", "mkdir -p -m 700 \(two.shellWord)"])
    let end = ["--", "true"]
    #expect(try start(["-S", two + "/sock", "--state", two + "/state"] + end).code == 0)
    #expect(try FileStatus(of: two + "/state").mode & 0o777 == 0o700)
  }

  @Test("a start creates the default directories and their parents")
  func defaultDirectories() throws {
    let workplace = try Workplace()
    for runtime in ["", workplace.file("run")] {
      let variables = [
        "HOME": workplace.path, "XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": "",
      ]
      if !runtime.isEmpty { try Directory.make(runtime) }
      let program = try RunningProgram("scened", ["--leash-fd", "0"], environment: variables)
      try program.line(containing: "ready")
      program.closeInput()
      #expect(try program.reap().isSuccess)
    }
    #expect(File.exists(workplace.file("run/scened/default.sock.lock")))
    #expect(File.exists(workplace.file(".local/state/scened/default/log-1")))
  }

  /// A start that fails. `W/` is the directory of the test.
  struct Refusal {
    /// A shell command that prepares the directory.
    var setup = "true"
    var options: [String] = []
    var environment: [String: String] = [:]
    var code: Int32 = 78
    let error: String
  }

  private static let refusals = [
    Refusal(
      environment: ["XDG_RUNTIME_DIR": "W/run", "XDG_STATE_HOME": "W/"],
      error:
        "error: the directory of XDG_RUNTIME_DIR does not exist: W/run; run: mkdir -m 700 W/run"
        + "\nOr choose the socket with -S, or run: unset XDG_RUNTIME_DIR\n"),
    Refusal(
      setup: "touch file", options: ["-S", "W/sock", "--state", "W/file/a/state"],
      error: "error: cannot keep the state in W/file/a/state: W/file is not a directory; name "
        + "another path\n"),
    Refusal(
      setup: "touch file", options: ["-S", "W/file/run/sock", "--state", "W/state"],
      error: "/sock: W/file is not a directory; name another path"),
    Refusal(
      options: ["--", "true"], environment: ["TMPDIR": "/no/such/directory"], code: 74,
      error: "set TMPDIR to a directory that you can write to"),
    Refusal(
      environment: ["HOME": "W/missing", "XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": ""],
      error: ": the home directory W/missing does not exist; set HOME"),
    Refusal(
      setup: "mkdir real; ln -s real link", options: ["-S", "W/link/sock", "--state", "W/state"],
      error: "symbolic link"),
    Refusal(
      setup: "touch sock", options: ["-S", "W/sock", "--state", "W/state"],
      error: "found a regular file, not a socket"),
  ]

  @Test("a start that cannot use a path says why, and creates no directory", arguments: refusals)
  func refused(refusal: Refusal) throws {
    let workplace = try Workplace()
    _ = try RunningProgram.run("sh", ["-c", refusal.setup], workingDirectory: workplace.path)
    let files = try Directory.list(workplace.path)
    func filled(_ text: String) -> String { text.replacing("W/", with: workplace.path + "/") }
    let outcome = try RunningProgram.run(
      "scened", refusal.options.map(filled), environment: refusal.environment.mapValues(filled))
    #expect(outcome.code == refusal.code)
    #expect(outcome.errors.contains(filled(refusal.error)), "\(outcome.errors)")
    #expect(try Directory.list(workplace.path).filter { $0 != "sock.lock" } == files)
  }

  @Test("a socket path without a directory is in the current directory")
  func socketByName() throws {
    let workplace = try Workplace()
    for socket in ["sock", "./sock"] {
      let program = try RunningProgram(
        "scened", ["-S", socket, "--state", workplace.state, "--", "sh", "-c", "test -S sock"],
        workingDirectory: workplace.path)
      #expect(try program.reap() == .exited(0))
    }
  }

  @Test("a start does not replace a symbolic link at the socket's path, and leaves no file")
  func linkedSocket() throws {
    let workplace = try Workplace()
    let links = [workplace.file("nowhere"), try workplace.write("file", "")]
    for target in links {
      try File.link(workplace.socket, to: target)
      let outcome = try workplace.scened()
      #expect(outcome.code == 78)
      #expect(
        outcome.errors.contains(
          "cannot listen on \(workplace.socket): found a symbolic link, not a socket; name its "
            + "target with -S, or remove the link"), "\(outcome.errors)")
      #expect(!File.exists(workplace.socket + ".lock"))
      let client = try RunningProgram.run("scenectl", ["-S", workplace.socket])
      #expect(client.code == 69)
      if target == links[0] {
        #expect(
          client.errors.hasSuffix(
            "\nA broker cannot start there: \(workplace.socket) is a symbolic link. Name its target "
              + "with -S, or remove the link\n"), "\(client.errors)")
      }
      try File.remove(workplace.socket)
    }
  }

  @Test("a start does not change a socket on which another program listens")
  func foreignSocket() throws {
    let workplace = try Workplace()
    let listener = try UnixSocket.listen(at: workplace.socket)
    let outcome = try workplace.scened()
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("another program listens there; stop that program"))
    #expect(File.exists(workplace.socket))
    listener.close()
  }

  @Test("a second daemon with the same state is refused, and the error names the first")
  func sameState() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    // The second daemon leaves an abandoned socket alone.
    let other = workplace.file("other")
    try UnixSocket.listen(at: other).close()
    let stale = try FileStatus(of: other).identity
    let outcome = try start(["-S", other, "--state", workplace.state])
    #expect(outcome.code == 69)
    #expect(try FileStatus(of: other).identity == stale)
    #expect(
      outcome.errors == """
        scened: error: another scened (process \(daemon.pid)) already uses the state in \(workplace.state)
        To list its sessions: scenectl -S \(workplace.socket)

        """)
    let same = try start(["-S", workplace.socket, "--state", workplace.file("other-state")])
    #expect(same.code == 69)
    #expect(same.errors.contains("another scened (process \(daemon.pid)) already uses the socket"))
    #expect(!File.exists(workplace.file("other-state")))
    #expect(try daemon.stop().isSuccess)
  }

  @Test("the error for a lock does not name a dead daemon that wrote into the lock file")
  func lockOfOthers() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    try daemon.kill()
    let lock = try File.open(workplace.state + "/lock", [.read])
    #expect(try lock.tryLock())
    let outcome = try workplace.scened()
    #expect(outcome.code == 69)
    #expect(
      outcome.errors
        == "scened: error: another program already uses the state in \(workplace.state)\n")
    lock.close()
  }

  @Test("the error names the absolute socket path of the daemon that has the state")
  func relativeSocket() throws {
    let workplace = try Workplace()
    let daemon = try RunningProgram(
      "scened", ["-S", "./sock", "--state", "state", "--leash-fd", "0"],
      workingDirectory: workplace.path)
    try daemon.line(containing: "ready")
    let outcome = try start(["-S", workplace.file("other"), "--state", workplace.state])
    #expect(outcome.errors.contains("scenectl -S \(workplace.path)/./sock\n"))
    daemon.closeInput()
    #expect(try daemon.reap().isSuccess)
  }

  @Test(
    "the error of a failed start has the requested log format",
    arguments: [
      (["--state", "/dev/null/state"], "scened: error: "),
      (["--budget", "connect=soon"], "scened: "),
    ])
  func lastWords(arguments: [String], beginning: String) throws {
    let workplace = try Workplace()
    let options = ["-S", workplace.socket] + arguments
    let text = try start(options)
    #expect(text.code != 0)
    let json = try start(options + ["--log-format", "json"])
    #expect(json.code == text.code)
    let lines = json.errors.split(separator: "\n")
    let document = JSONDocument()
    try document.read(try #require(lines.last).utf8)
    #expect(document.root["level"]?.string == "error")
    #expect(document.root["message"]?.string.map { "\(beginning)\($0)\n" } == text.errors)
  }

  @Test("a start without enough descriptors names the limit, and the next start works")
  func fewDescriptors() throws {
    let workplace = try Workplace()
    let words = [try Programs.path("scened")] + workplace.words + ["--", "true"]
    for limit in 4...30 {
      let outcome = try RunningProgram.run(
        "/bin/sh", ["-c", "ulimit -n \(limit); exec \"$@\"", "sh"] + words)
      if outcome.code == 0 { break }
      #expect(outcome.code == 74)
      let remedy =
        "Too many open files; raise the limit (ulimit -n, or LimitNOFILE= of the unit)\n"
      #expect(outcome.errors.hasSuffix(remedy), "\(outcome.errors)")
      #expect(limit < 30)
    }
    #expect(try start(Array(words.dropFirst())).code == 0)
  }

  @Test("a broker refuses a stack that is too small to serve")
  func smallStack() throws {
    let outcome = try RunningProgram.run(
      "/bin/sh", ["-c", #"ulimit -s 128; exec "$0""#, try Programs.path("scened")])
    #expect(outcome.code == 78)
    #expect(
      outcome.errors
        == "scened: error: the limit of the stack is 128 KiB, and scened needs 256 KiB; "
        + "run: ulimit -s 8192\n")
  }
}
