import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Programs that the broker starts for sessions without a host.
struct LaunchTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  /// A daemon with one configuration for each launch command, with the command's name.
  private func daemon(
    _ launches: [(name: String, launch: String)], options: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Daemon {
    let configurations = launches.map { #"{"name": "\#($0.name)", "launch": \#($0.launch)}"# }
    let path = try workplace.write(
      "app.json",
      #"{"supportsMultipleScenes": true, "configurations": {"windowApplication": ["#
        + configurations.joined(separator: ",") + "]}}")
    return try Daemon(workplace, ["--manifest", path] + options, environment: environment)
  }

  /// Stops the broker in order, which ends the programs that it started.
  private func stop(_ daemon: Daemon) throws {
    #expect(try daemon.stop().isSuccess)
    #expect(MarkedProcesses("SCENE_SOCKET", daemon.socket).all == [])
  }

  @Test("a program has its arguments, the allowed variables and three descriptors, and no more")
  func surroundings() throws {
    let script = try workplace.write(
      "look.sh",
      """
      for word; do echo "word $word"; done
      env | grep -v -e ^_= -e ^PWD= -e ^SHLVL= -e ^OLDPWD= | sed 's/^/env /'
      echo "descriptors" $(ls /proc/self/fd)
      echo "in $(pwd)"
      echo complaint >&2
      exit 3
      """)
    let daemon = try daemon(
      [
        (
          "Note",
          #"{"command": ["sh", "\#(script)", "a b", "$HOME;*"], "environment": ["MY_*", "EDITOR"]}"#
        )
      ],
      environment: [
        "MY_ONE": "1", "EDITOR": "ed", "SECRET": "no", "LC_TIME": "C", "SCENE_DEBUG": "none",
      ])
    let outcome = try daemon.run("scenectl", ["new", "packing"])
    #expect(outcome.code == 75)
    #expect(
      outcome.errors.contains("the broker started sh 5 times for packing"), "\(outcome.errors)")
    #expect(outcome.errors.contains("exited with status 3"))
    try stop(daemon)
    let log = try daemon.program.everythingOnErrors()
    for line in [
      "word a b", "word $HOME;*", "env MY_ONE=1", "env EDITOR=ed", "env LC_TIME=C",
      "env SCENE_SOCKET=\(daemon.socket)", "in \(workplace.path)", "complaint",
    ] { #expect(log.contains(": \(line)\n"), "\(line)") }
    #expect(!log.contains("SECRET") && !log.contains("env SCENE_DEBUG"))
    #expect(log.contains(/: sh \d+: env SCENE_LAUNCH=[0-9a-f]{32}\n/))
    #expect(log.contains(/: sh \d+: env SCENE_SESSION=[0-9A-F-]{36}\n/))
    // The last descriptor belongs to `ls`.
    #expect(log.contains(/: sh \d+: descriptors 0 1 2 3\n/))
  }

  @Test("the broker can start scripts/scene.py and a Swift program")
  func clients() throws {
    let python = try Repository.file("scripts/scene.py")
    let swift = try Programs.path("note-scene")
    let daemon = try daemon([
      ("Python", #"["python3", "\#(python)"]"#), ("Swift", #"["\#(swift)"]"#),
    ])
    for (name, client) in [("Python", "scene.py"), ("Swift", "note-scene")] {
      try daemon.scenectl("new", name, "--configuration", name)
      try daemon.scenectl("wait", name, "foregroundActive", "activity.userInfo.line=1")
      try daemon.scenectl("kill", name)
      try daemon.scenectl("activate", name)
      let shown = try daemon.run("scenectl", ["wait", name, "activity.userInfo.line=2"])
      #expect(shown.code == 0, "\(client): \(shown.errors)")
      let value = try daemon.run("scenectl", ["show", name, "--value", "client.name"])
      #expect(value.output == client + "\n")
    }
    try stop(daemon)
    // A program in Swift prints line by line, so that its output is in the log.
    let log = try daemon.program.everythingOnErrors()
    for line in 1...2 {
      #expect(log.contains(try Regex(": note-scene \\d+: at line \(line)\\n")), "\(log)")
    }
  }

  @Test("a process that left its group outlives a shutdown of the daemon")
  func escaped() throws {
    let daemon = try daemon([
      ("Note", #"["sh", "-c", "setsid sh -c 'echo apart; exec sleep 1000' & sleep 1000"]"#)
    ])
    let asker = try daemon.start("scenectl", ["new", "packing"])
    try daemon.program.errorLine(containing: "apart")
    let left = MarkedProcesses("SCENE_SOCKET", daemon.socket)
    #expect(try daemon.stop().isSuccess)
    #expect(try asker.reap().shellCode == 75)
    #expect(left.all.count == 1)
    for process in left.all { process.end() }
  }

  @Test("the next daemon ends the programs of a killed daemon, unless they reconnect in time")
  func survivors() throws {
    let swift = try Programs.path("note-scene")
    let launches = [
      ("Swift", #"["sh", "-c", "sleep 1001 & exec \"$0\"", "\#(swift)"]"#),
      ("Deaf", #"["sh", "-c", "setsid sleep 1002 & echo deaf; exec sleep 1003"]"#),
    ]
    let killed = try self.daemon(launches, options: ["--clock", "virtual"])
    try killed.scenectl("new", "Swift", "--configuration", "Swift")
    try killed.scenectl("wait", "Swift", "activity.userInfo.line=1")
    let asker = try killed.start("scenectl", ["new", "Deaf", "--configuration", "Deaf"])
    try killed.program.errorLine(containing: "deaf")
    try killed.kill()
    _ = try asker.reap()
    let left = MarkedProcesses("SCENE_SOCKET", killed.socket)
    let next = try self.daemon(launches, options: ["--clock", "virtual"])
    try next.scenectl("wait", "Swift", "foregroundActive")
    #expect(left.all.count >= 4)
    try next.scenectl("advance", "10s")
    try eventually("the programs that do not connect have ended", polling: .processes) {
      left.all.count == 2
    }
    try next.scenectl("is", "Swift", "foregroundActive")
    try next.program.errorLine(containing: "ending programs that an earlier broker launched")
    // An orderly end also ends the program that the killed broker started.
    #expect(try next.stop().isSuccess)
    #expect(left.all.isEmpty)
  }

  @Test("a program that prints survives its broker, and the next broker logs every line")
  func output() throws {
    let script = try workplace.write(
      "print.sh",
      """
      echo started
      until test -e go; do sleep 0.05; done
      for n in $(seq 400); do echo "line $n"; done
      echo complaint >&2
      touch printed
      exec sleep 1000
      """)
    let launches = [("Note", #"["sh", "\#(script)"]"#)]
    let killed = try self.daemon(launches, options: ["--clock", "virtual"])
    let asker = try killed.start("scenectl", ["new", "packing"])
    try killed.program.errorLine(containing: "started")
    try killed.kill()
    _ = try asker.reap()
    _ = try workplace.write("go", "")
    try eventually("the program has printed", polling: .files) {
      File.exists(workplace.file("printed"))
    }
    let left = MarkedProcesses("SCENE_SOCKET", killed.socket)
    let next = try self.daemon(launches, options: ["--clock", "virtual"])
    try next.program.errorLine(containing: ": complaint")
    for process in left.all { process.end() }
    try eventually("the FIFO is removed", polling: .files) {
      try !Directory.list(workplace.path).contains { $0.contains(".output.") }
    }
    #expect(try next.stop().isSuccess)
    let log = try next.program.everythingOnErrors()
    #expect(log.matches(of: /: sh \d+: line (\d+)\n/).map { Int($0.1) } == Array(1...400))
  }

  @Test("a program that ignores SIGTERM is killed when the daemon ends, and its children too")
  func deaf() throws {
    let daemon = try daemon([
      ("Note", #"["sh", "-c", "trap '' TERM; sleep 1000 & echo deaf; wait; sleep 1000"]"#)
    ])
    let asker = try daemon.start("scenectl", ["new", "packing"])
    try daemon.program.errorLine(containing: "deaf")
    try stop(daemon)
    #expect(try asker.reap().shellCode == 75)
  }

  @Test("a program that prints too much for the log blocks no other client")
  func flood() throws {
    let daemon = try daemon([("Note", #"["sh", "-c", "yes; true"]"#)])
    let asker = try daemon.start("scenectl", ["new", "packing"])
    try daemon.program.errorLine(containing: ": y")
    for _ in 0..<20 { try daemon.scenectl("status") }
    try daemon.program.errorLine(containing: "more lines within one second")
    try stop(daemon)
    #expect(try asker.reap().shellCode == 75)
  }

  @Test("a token that was used before is refused, unless the client names a session")
  func usedToken() throws {
    let daemon = try daemon([("Note", "[\"\(try Programs.path("scene"))\"]")])
    try daemon.scenectl("new", "packing")
    let environment = ["SCENE_SOCKET": daemon.socket, "SCENE_LAUNCH": "0123"]
    let refused = try RunningProgram.run("scene", [], environment: environment)
    #expect(refused.code == 77)
    #expect(refused.errors.contains("launch: this broker has no running process with this token"))
    let misused = try RunningProgram.run("scene", ["--url", "a:b"], environment: environment)
    #expect(misused.code == 2)
    #expect(misused.errors.contains("--url and $SCENE_LAUNCH cannot be used together"))
    let named = try RunningProgram("scene", ["list", "--json"], environment: environment)
    try named.line(containing: "didBecomeActive")
    // The test started this client, which would wait for the next broker.
    try named.send(.kill)
    _ = try named.reap()
    try stop(daemon)
  }
}
