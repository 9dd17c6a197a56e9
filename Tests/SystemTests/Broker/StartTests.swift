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

  @Test("the error for a missing runtime directory states how to create it")
  func noRuntimeDirectory() throws {
    let workplace = try Workplace()
    let runtime = workplace.file("run")
    let variables = ["XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": workplace.path]
    let outcome = try RunningProgram.run("scened", [], environment: variables)
    #expect(outcome.code == 78)
    #expect(
      outcome.errors
        == "scened: error: the directory of XDG_RUNTIME_DIR does not exist: \(runtime); run: mkdir "
        + "-m 700 \(runtime)\nOr choose the socket with -S, or run: unset XDG_RUNTIME_DIR\n")
    #expect(!File.exists(runtime))
  }

  @Test("the error for a file in the place of a directory names the file")
  func belowFile() throws {
    let workplace = try Workplace()
    let file = workplace.file("file")
    try File.write("".utf8, to: file)
    for place in [file + "/state", file + "/a/state"] {
      let outcome = try start(["-S", workplace.socket, "--state", place])
      #expect(outcome.code == 78)
      #expect(
        outcome.errors
          == "scened: error: cannot keep the state in \(place): \(file) is not a directory; move it "
          + "away, or name another path\n")
    }
    let socket = try start(["-S", file + "/run/sock", "--state", workplace.state])
    #expect(socket.errors.contains("/sock: \(file) is not a directory; move it away"))
  }

  @Test("the error for an unusable temporary directory names TMPDIR")
  func noTemporaryDirectory() throws {
    let outcome = try RunningProgram.run(
      "scened", ["--", "true"], environment: ["TMPDIR": "/no/such/directory"])
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("set TMPDIR to a directory that you can write to"))
  }

  @Test("a start never creates a home directory")
  func noHome() throws {
    let workplace = try Workplace()
    let home = workplace.file("missing")
    let variables = ["HOME": home, "XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": ""]
    let outcome = try RunningProgram.run("scened", [], environment: variables)
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains(": the home directory \(home) does not exist; set HOME"))
    #expect(!File.exists(home))
  }

  @Test("a start refuses a directory that is a link")
  func linkedDirectory() throws {
    let workplace = try Workplace()
    try Directory.make(workplace.file("real"))
    try File.link(workplace.file("link"), to: workplace.file("real"))
    let outcome = try start(["-S", workplace.file("link/sock"), "--state", workplace.state])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("symbolic link"))
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

  @Test("a start refuses a path that is too long, and names the limit")
  func longPath() throws {
    let workplace = try Workplace()
    let path = workplace.file(String(repeating: "x", count: 200))
    let outcome = try start(["-S", path, "--state", workplace.state])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("\(UnixSocket.maximumPathLength)"))
  }

  @Test("a start removes a socket that a killed daemon left, and no other file")
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
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("found a regular file, not a socket"))
    #expect(try workplace.read("sock") == "not a socket")
  }

  @Test("a start does not replace a symbolic link at the socket's path, and leaves no file")
  func linkedSocket() throws {
    let workplace = try Workplace()
    let links = [workplace.file("nowhere"), try workplace.write("file", "")]
    for target in links {
      try File.link(workplace.socket, to: target)
      let outcome = try start(["-S", workplace.socket, "--state", workplace.state])
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
    let outcome = try start(["-S", workplace.socket, "--state", workplace.state])
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("another program listens there; stop that program"))
    #expect(File.exists(workplace.socket))
    listener.close()
  }

  @Test("a daemon ends with its lifetime descriptor")
  func lifetimeDescriptor() throws {
    let workplace = try Workplace()
    let daemon = try RunningProgram(
      "scened", ["-S", workplace.socket, "--state", workplace.state, "--leash-fd", "0"])
    try daemon.line(containing: "ready")
    daemon.closeInput()
    #expect(try daemon.reap().isSuccess)
  }

  @Test("a second daemon with the same state is refused, and the error names the first")
  func sameState() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let outcome = try start(["-S", workplace.file("other"), "--state", workplace.state])
    #expect(outcome.code == 69)
    #expect(
      outcome.errors == """
        scened: error: another scened (process \(daemon.pid)) already uses the state in \(workplace.state)
        To list its sessions: scenectl -S \(workplace.socket)

        """)
    #expect(!File.exists(workplace.file("other")))
    let same = try start(["-S", workplace.socket, "--state", workplace.file("other-state")])
    #expect(same.code == 69)
    #expect(same.errors.contains("another scened (process \(daemon.pid)) already uses the socket"))
    #expect(!File.exists(workplace.file("other-state")))
    #expect(try daemon.stop().isSuccess)
  }

  @Test("a broker that does not get the state leaves an abandoned socket alone")
  func stateTaken() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let other = workplace.file("other")
    try UnixSocket.listen(at: other).close()
    let stale = try FileStatus(of: other).identity
    let outcome = try start(["-S", other, "--state", workplace.state])
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("(process \(daemon.pid)) already uses the state"))
    #expect(try FileStatus(of: other).identity == stale)
    #expect(try daemon.stop().isSuccess)
  }

  @Test("the error for a lock does not name a dead daemon that wrote into the lock file")
  func lockOfOthers() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    try daemon.kill()
    let lock = try File.open(workplace.state + "/lock", [.read])
    #expect(try lock.tryLock())
    let outcome = try start(["-S", workplace.socket, "--state", workplace.state])
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

  @Test("the error for a budget of an unknown callback names the callback")
  func unknownBudget() throws {
    for value in ["x=1", "x=soon", "x=5s"] {
      let outcome = try start(["--budget", value])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("unknown callback x; the callbacks are "))
    }
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
