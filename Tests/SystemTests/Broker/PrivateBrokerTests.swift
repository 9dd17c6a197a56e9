import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// `scened -- COMMAND`: a broker for one command, which leaves no file and no process.
struct PrivateBrokerTests {
  private let workplace: Workplace
  /// The directory of its temporary directory, so that a test sees remaining files.
  private let temporary: String

  init() throws {
    workplace = try Workplace()
    temporary = workplace.file("tmp")
    try Directory.make(temporary)
  }

  private func variables() throws -> [String: String] {
    let programs = try #require(Directory.parent(of: try Programs.path("scened")))
    return [
      "TMPDIR": temporary, "PATH": "\(programs):\(Environment["PATH"] ?? "")",
      // Variables of another broker, which have no effect.
      "SCENE_SOCKET": workplace.file("other"), "SCENE_SESSION": "other",
    ]
  }

  private func run(_ options: [String] = [], bash script: String) throws -> Outcome {
    try RunningProgram.run(
      "scened", options + ["--", "bash", "-c", script], environment: try variables())
  }

  private func start(_ options: [String] = [], bash script: String) throws -> RunningProgram {
    try RunningProgram(
      "scened", options + ["--", "bash", "-c", script], environment: try variables())
  }

  private var leftovers: [String] { get throws { try Directory.list(temporary) } }

  @Test("the command has its own broker and output, and scened exits with the command's status")
  func ownBroker() throws {
    let outcome = try run(
      bash: """
        echo "$SCENE_SOCKET $(dirname "$SCENE_SOCKET") ${SCENE_SESSION-none}"
        scene packing --background >/dev/null & scenectl wait packing background
        scenectl is packing background && echo there
        exit 7
        """)
    #expect(outcome.code == 7)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome.output)")
    #expect(lines.first?.hasPrefix(temporary) == true && lines.first?.hasSuffix(" none") == true)
    #expect(lines.last == "there")
    #expect(outcome.errors == "")
    #expect(try leftovers.isEmpty)
  }

  #if os(Linux)
    @Test(
      "the broker writes no core file, and the command has the caller's limit",
      Sanitizer.changes("sets the limit of core files"))
    func coreLimit() throws {
      let script =
        "ulimit -Sc; ulimit -Hc; sed -n 's/^Max core file size *\\([^ ]*\\) .*/\\1/p' /proc/$PPID/limits"
      let outcome = try RunningProgram.run(
        "/bin/sh", ["-c", #"ulimit -Sc $(ulimit -Hc); exec scened -- bash -c "$0""#, script],
        environment: try variables())
      let limits = outcome.output.split(separator: "\n")
      #expect(limits.count == 3 && limits[0] == limits[1] && limits[2] == "0", "\(limits)")
    }

    @Test(
      "the command, its scenes and launched programs have the caller's soft limit")
    func descriptorLimit() throws {
      let manifest = try workplace.write(
        "app.json",
        #"""
        {"supportsMultipleScenes": true, "configurations": {"windowApplication": [
          {"name": "Note", "launch": ["sh", "-c", "ulimit -Sn; exit 3"]}]}}
        """#)
      let script = try workplace.write(
        "limits.sh",
        """
        ulimit -Sn
        scenectl new packing || true
        scene hosted -- sh -c 'ulimit -Sn'
        """)
      let outcome = try RunningProgram.run(
        "/bin/sh",
        [
          "-c", "ulimit -Sn 300; exec scened --log-level debug --manifest \"$1\" -- sh \"$2\"",
          "sh", manifest,
          script,
        ], environment: try variables())
      let said = (outcome.output + outcome.errors).split(separator: "\n")
      #expect(said.filter { $0 == "300" }.count == 2, "\(outcome.output)\(outcome.errors)")
      #expect(said.contains { $0.contains(": sh ") && $0.hasSuffix(": 300") })
    }
  #endif

  @Test("an empty command is an error, and so is a socket path that is too long")
  func impossible() throws {
    let empty = try RunningProgram.run("scened", ["--", ""], environment: try variables())
    #expect(empty.code == 2)
    #expect(
      empty.errors.contains("found an empty word; for example: scened -- pytest\n"),
      "\(empty.errors)")
    let long = temporary + "/" + String(repeating: "x", count: 100)
    try Directory.make(long)
    let outcome = try RunningProgram.run(
      "scened", ["--", "true"], environment: try variables().merging(["TMPDIR": long]) { $1 })
    #expect(outcome.code == 78)
    #expect(outcome.errors.hasSuffix("; set TMPDIR to a shorter path\n"), "\(outcome.errors)")
    #expect(try Directory.list(long).isEmpty)
    // A named socket elsewhere has no such error.
    let named = try RunningProgram.run(
      "scened", ["-S", workplace.socket, "--", "true"],
      environment: try variables().merging(["TMPDIR": long]) { $1 })
    #expect(named.code == 0, "\(named.errors)")
    #expect(try Directory.list(long).isEmpty)
  }

  @Test("scenectl in the command reads that broker's journal, and gives hints for it")
  func journal() throws {
    let outcome = try run(
      bash: """
        scene packing --background >/dev/null & scenectl wait packing background
        scenectl journal verify | tail -n 3
        scenectl journal dump 2>/dev/null | head -n 1 | grep -o packing
        scenectl journal salvage --into \(workplace.file("salvaged"))
        echo $?
        scenectl shutdown
        scenectl journal verify | tail -n 3
        """)
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.code == 0)
    #expect(lines.count == 8, "\(outcome.output)")
    #expect(lines.first?.hasPrefix(temporary) == true, "\(outcome.output)")
    #expect(lines.first?.contains("/state: 1 file, ") == true)
    #expect(lines.dropFirst(3).first == "packing")
    #expect(lines.dropFirst(4).first == "75")
    #expect(lines.dropFirst(5).first?.contains("1 session; no damage") == true)
    #expect(
      outcome.errors.contains("For a reliable result, end the broker first: scenectl shutdown\n"))
    #expect(outcome.errors.contains("End the broker first: scenectl shutdown\n"))
    let none = try run(["--durability", "none"], bash: "scenectl journal verify")
    #expect(none.code == 1)
    #expect(none.errors.contains("keeps no journal: it runs with --durability none\n"))
  }

  @Test(
    "a command that cannot be started and a missing command have different exit statuses",
    Sanitizer.hidesExec,
    arguments: [("scene-no-such", 127), ("/no/such", 127), ("/dev/null", 126), ("/tmp", 126)])
  func notStarted(command: String, code: Int32) throws {
    let outcome = try RunningProgram.run(
      "scened", ["--", command], environment: try variables())
    #expect(outcome.code == code)
    #expect(outcome.errors.hasPrefix("scened: error: exec \(command): "), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(try leftovers.isEmpty)
  }

  @Test("a broker for one command is not upgraded")
  func upgrade() throws {
    let outcome = try run(bash: "scenectl upgrade")
    #expect(outcome.code == 77)
    #expect(outcome.errors.contains("run that command again"), "\(outcome.errors)")
  }

  @Test("-- without a command is a wrong command line")
  func nothing() throws {
    let outcome = try RunningProgram.run("scened", ["--"], environment: try variables())
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("expected a command after --; for example: "))
  }

  @Test("a command that a signal ended has the exit status of a shell")
  func signalled() throws {
    #expect(try run(bash: "kill -KILL $$").code == 137)
    #expect(try leftovers.isEmpty)
  }

  @Test(
    "scened passes a signal on, and the command decides",
    arguments: [Signal.terminate, .interrupt, .hangup, .quit])
  func handedOn(signal: Signal) throws {
    let running = try start(
      bash: "trap 'echo heard; scenectl status >/dev/null && exit 3' \(signal.name); "
        + "sleep 1000 & echo up; wait")
    try running.line(containing: "up")
    try running.send(signal)
    try running.line(containing: "heard")
    #expect(try running.reap() == .exited(3))
    #expect(try leftovers.isEmpty)
  }

  @Test("the command gets a key of the terminal once")
  func keyboard() throws {
    let player = try RunningProgram.onTerminal(
      [
        "scened", "--", "bash", "-c",
        "trap 'echo int' INT; echo up; while :; do read -r line; [ \"$line\" = end ] && exit 4; done",
      ], environment: try variables())
    for step in ["await up", #"keys \x03"#, "await int", #"keys end\n"#, "end", "shown"] {
      try player.type(step)
    }
    let outcome = try player.finish()
    #expect(outcome.output.contains("status 4\n"), "\(outcome)")
    #expect(outcome.output.ranges(of: "int").count == 1, "\(outcome)")
  }

  @Test(
    "the command has only the descriptors that the caller keeps for it",
    .enabled(if: File.exists("/proc/self/fd")))
  func descriptors() throws {
    // Like bats, whose end waits for every process with its descriptor 3.
    var given = try FileDescriptor.pipe()
    let reading = given.takeFirst()
    let writing = given.takeSecond()
    let passed: [Int32: Int32] = [3: writing.number, 7: writing.number, 9: writing.number]
    let list = ["--", "ls", "/proc/self/fd"]
    let plain = try RunningProgram(
      "scened", ["--ready-fd", "9"] + list, environment: try variables(), descriptors: passed)
    // The last descriptor belongs to the listing itself.
    #expect(try plain.rest() == "0\n1\n2\n3\n")
    #expect(try plain.reap().isSuccess)
    let kept = try RunningProgram(
      "scened", ["--keep-fd", "7"] + list, environment: try variables(), descriptors: passed)
    #expect(try kept.rest() == "0\n1\n2\n3\n7\n")
    #expect(try kept.reap().isSuccess)
    let closed = try RunningProgram.run(
      "scened", ["--keep-fd", "7"] + list, environment: try variables())
    #expect(closed.code == 2)
    #expect(closed.errors.contains("--keep-fd: descriptor 7 is not open"))
    writing.close()
    #expect(try String(decoding: reading.readToEnd(), as: UTF8.self) == "\n")
  }

  @Test("remaining scenes disconnect in order, and remaining processes get SIGHUP")
  func leftRunning() throws {
    let outcome = try run(
      bash: """
        scene packing --json >\(workplace.file("packing")) & scenectl wait packing foregroundActive
        sleep 1000 & (sleep 1000 & exec sleep 1000) &
        ps -o pid= --ppid $$ >\(workplace.file("pids"))
        echo $! $(pgrep -P $!) >>\(workplace.file("pids"))
        """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let said = try workplace.read("packing")
    #expect(said.contains(#""reason":"shutdown""#), "\(said)")
    let pids = try workplace.read("pids").split(whereSeparator: \.isWhitespace)
      .compactMap { Int32($0) }
    #expect(pids.count > 3)
    for pid in pids { #expect(ProcessIdentity.of(pid)?.isAlive != true, "\(pid)") }
    #expect(try leftovers.isEmpty)
  }

  @Test("a process that ignores SIGHUP keeps running")
  func unmoved() throws {
    let outcome = try run(bash: "trap '' HUP; sleep 1000 >/dev/null 2>&1 & echo $!")
    let pid = try #require(Int32(outcome.output.dropLast()))
    #expect(outcome.code == 0)
    #expect(ProcessIdentity.of(pid)?.isAlive == true)
    try Signal.kill.send(to: pid)
  }

  @Test("a broker that shuts down does not end the command")
  func shutDown() throws {
    let outcome = try run(bash: "scenectl shutdown; scenectl status || echo gone; exit 5")
    #expect(outcome.output == "gone\n")
    #expect(outcome.code == 5)
    #expect(try leftovers.isEmpty)
  }

  @Test("scened ends with its lifetime descriptor, and so does the command")
  func lifetimeDescriptor() throws {
    let running = try start(
      ["--leash-fd", "0"], bash: "trap 'exit 6' HUP; echo up; sleep 1000 & wait")
    try running.line(containing: "up")
    running.closeInput()
    #expect(try running.reap() == .exited(6))
    #expect(try leftovers.isEmpty)
  }

  @Test("when scened is killed, the command gets SIGHUP", .enabled(if: File.exists("/proc/self")))
  func killed() throws {
    let running = try start(
      bash: "trap 'echo hung up; kill $!; exit' HUP; sleep 1000 & echo up; wait")
    try running.line(containing: "up")
    try running.kill()
    try running.line(containing: "hung up")
    // The command was the last process with the output.
    #expect(try running.rest() == "")
  }

  @Test("the example on the manual page passes")
  func manualPage() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Testing-life-cycles.md")
    let blocks = page.split(separator: "```")
    let shown = try #require(blocks.first { $0.hasPrefix("sh\nscened") })
    let outcome = try RunningProgram.run(
      "/bin/bash", ["-c", String(shown.dropFirst(3))], environment: try variables())
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output + outcome.errors == "")
    #expect(try leftovers.isEmpty)
  }

  @Test("a broker for a command inside another one is a separate broker")
  func nested() throws {
    let outcome = try run(
      bash: "scene packing --background >/dev/null & scenectl wait packing; "
        + "scened -- scenectl sessions; scenectl is packing")
    #expect(outcome.code == 0)
    #expect(!outcome.output.contains("packing"), "\(outcome.output)")
  }
}
