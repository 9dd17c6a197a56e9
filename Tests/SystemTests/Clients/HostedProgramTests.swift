import ScenePlatform
import SceneTestSupport
import Testing

/// `scene -- COMMAND`: any program can be a scene, here without a terminal.
struct HostedProgramTests {
  let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// A scene with a shell script, in which `say N` writes the activity.
  func scene(
    _ script: String, options: [String] = ["packing"], on other: Daemon? = nil
  ) throws -> RunningProgram {
    let beginning = #"""
      say() { echo '{"activityType":"x","userInfo":{"n":'"$1"'}}' >"$SCENE_ACTIVITY"; }
      stay() { echo ready; while :; do sleep 0.1; done; }

      """#
    let path = try daemon.workplace.write("script", beginning + script)
    return try start(options + ["--", "sh", path], on: other)
  }

  /// Starts a scene whose processes end with the test, even if the scene is killed.
  func start(_ words: [String], on other: Daemon? = nil) throws -> RunningProgram {
    try (other ?? daemon).start("scene", words, environment: ["TMPDIR": daemon.workplace.path])
  }

  @Test("a program's environment has its session, socket and activity, and scenectl uses its scene")
  func environment() throws {
    let scenectl = try Programs.path("scenectl").shellWord
    let first = try scene(
      """
      test -e "$SCENE_ACTIVITY" || echo new
      echo kept >"$SCENE_DATA/file"
      say 1
      \(scenectl) show --value name
      """)
    #expect(try first.rest() == "new\npacking\n")
    #expect(try first.reap().isSuccess)
    let second = try scene(#"cat "$SCENE_ACTIVITY" "$SCENE_DATA/file""#)
    #expect(
      try second.rest() == #"{"activityType":"x","userInfo":{"n":1}}"# + "\nkept\n")
    #expect(try second.reap().isSuccess)
    #expect(try second.everythingOnErrors() == "")
  }

  #if os(Linux)
    @Test("a program that starts at once after a kill of the last scene learns the signal")
    func lastEnd() throws {
      for _ in 1...5 {
        let first = try scene("stay")
        try first.line(containing: "ready")
        try daemon.scenectl("wait", "packing foregroundActive")
        try first.send(.kill)
        let next = try scene(#"echo "$SCENE_LAST_END""#)
        #expect(try next.rest() == "connectionLost:KILL\n")
        #expect(try next.reap().isSuccess)
        _ = try first.reap()
      }
    }
  #endif

  @Test("lists show a program's own process, also of a stored command or after a restart")
  func shownProcess() throws {
    var daemon = daemon
    _ = try daemon.workplace.write("script", "echo $$; while :; do sleep 0.1; done")
    let words = ["packing", "--", "sh", daemon.workplace.file("script")]
    for words in [words, ["packing"]] {
      let program = try start(words)
      let label = "sh " + (try program.line(where: { _ in true }))
      try daemon.scenectl("wait", "packing foregroundActive")
      #expect(try daemon.scenectl("sessions", "--format", "{client}") == label + "\n")
      try daemon.kill()
      daemon = try Daemon(daemon.workplace)
      try daemon.scenectl("wait", "packing", "client.program=\(label.dropFirst(3))")
      #expect(try daemon.scenectl("sessions", "--format", "{client}") == label + "\n")
      try program.send(.kill)
      try daemon.scenectl("wait", "packing unattached")
      #expect(try daemon.scenectl("timeline", "packing").contains("connected to \(label)"))
      _ = try program.reap()
    }
  }

  @Test(
    "a program can read every callback, and the scene does not wait for a program that does not")
  func events() throws {
    let program = try scene(
      #"for _ in 1 2 3; do read -r event <&"$SCENE_EVENTS"; echo "${event%%,*}"; done; stay"#)
    #expect(
      try program.lines(upTo: "didBecomeActive") == [
        #"{"callback":"willConnect""#, #"{"callback":"willEnterForeground""#,
        #"{"callback":"didBecomeActive""#,
      ])
    let payload = "note:" + String(repeating: "x", count: 50_000)
    // The text is larger than a pipe.
    for _ in 0..<4 { try daemon.scenectl("open", payload) }
    try daemon.scenectl("close", "packing")
    #expect(try program.reap() == .exited(143))
  }

  @Test(
    "a signal to the scene goes to its program first, and the program's next activity is saved",
    arguments: [Signal.terminate, .interrupt, .hangup])
  func told(of signal: Signal) throws {
    let program = try scene("say 1; trap 'say 2; exit 7' \(signal.name); stay")
    try program.line(containing: "ready")
    try program.send(signal)
    #expect(try program.reap() == .exited(7))
    try daemon.scenectl(
      "wait", "packing unattached disconnect.reason=clientRequest activity.userInfo.n=2")
    let left = try daemon.scenectl("sessions", "--was-open", "--names")
    #expect(left == (signal == .interrupt ? "" : "packing\n"))
  }

  @Test("the activity that a program writes after SIGTERM is saved")
  func parting() throws {
    let program = try scene("trap 'say 2; exit 0' TERM; say 1; stay")
    try daemon.scenectl("wait", "packing foregroundActive activity.userInfo.n=1")
    try daemon.scenectl("close", "packing")
    #expect(try program.reap().isSuccess)
    #expect(try !program.everythingOnErrors().contains("not saved"))
    try daemon.scenectl(
      "wait", "packing unattached disconnect.reason=clientRequest activity.userInfo.n=2")
  }

  @Test("a program that ignores TERM and HUP is killed, and its scene is reclaimed in order")
  func stubborn() throws {
    let broker = try Daemon(Workplace(), ["--budget", "didDisconnect=500ms"])
    let program = try scene("trap '' TERM HUP; echo $$; say 1; stay", on: broker)
    let pid = Int32(try program.line(where: { _ in true }).filter(\.isNumber)) ?? 0
    try broker.scenectl("wait", "packing foregroundActive activity.userInfo.n=1")
    try broker.scenectl("background", "packing")
    try broker.scenectl("reclaim", "packing")
    try broker.scenectl("wait", "packing unattached disconnect.reason=reclaimed")
    #expect(ProcessGroup(pid).members == [])
    try program.errorLine(containing: "waiting to be activated")
    try program.send(.terminate)
    #expect(try program.reap().isSuccess)
  }

  @Test("when the program has ended, the rest of its process group gets SIGHUP")
  func left() throws {
    let end = daemon.workplace.file("end")
    let program = try scene(
      """
      sh -c 'trap "echo hung up; exit" HUP; echo ready; while :; do sleep 0.1; done' &
      while ! test -e \(end); do sleep 0.1; done
      """)
    try program.line(containing: "ready")
    _ = try daemon.workplace.write("end", "")
    try program.line(containing: "hung up")
    #expect(try program.reap().isSuccess)
  }

  @Test("when scene is killed, its program gets SIGTERM")
  func orphaned() throws {
    let program = try scene("trap 'echo told; exit' TERM; stay")
    try program.line(containing: "ready")
    try program.kill()
    try program.line(containing: "told")
  }

  @Test("without a name, a command returns to the session that the same command created")
  func unnamed() throws {
    #expect(try scene("say 1", options: []).reap().isSuccess)
    #expect(try daemon.run("scene", ["--", "/bin/true"]).code == 0)
    try daemon.scenectl("is", "application", "sessions=2")
    let again = try scene(#"cat "$SCENE_ACTIVITY""#, options: [])
    #expect(try again.rest().contains(#""n":1"#))
    try again.reap()
    try daemon.scenectl("is", "application", "sessions=2")
  }

  @Test("without a name, the program and the directory select the session and name a new one")
  func namedByCommand() throws {
    let places = try ["one/website", "other/website", "c"].map { name in
      let path = daemon.workplace.file(name)
      try Directory.makeAll(path)
      return path
    }
    func session(_ place: Int, _ ending: String = "") throws -> String {
      let scene = try daemon.start(
        "scene", ["--", "/bin/sh", "-c", "echo $SCENE_SESSION" + ending],
        workingDirectory: places[place])
      let output = try scene.rest()
      try scene.reap()
      return output
    }
    let (one, other) = (try session(0), try session(1))
    #expect(one != other)
    #expect(try session(0) == one)
    #expect(try session(1) == other)
    let held = try daemon.start(
      "scene", ["--", "/bin/sh", "-c", "cat"], workingDirectory: places[2])
    try daemon.scenectl("wait", "sh c", "foregroundActive")
    _ = try session(2)
    try daemon.scenectl("is", "sh website", "program.directory=\(places[0])")
    try daemon.scenectl("is", "application sessions=4")
    try daemon.scenectl("is", "sh website 2")
    // The window that was open stays for its own command.
    let crashed = try session(0, "; kill -9 $PPID")
    #expect(crashed == one)
    try daemon.scenectl("wait", "sh website", "unattached")
    #expect(try session(0, "; true") != one)
    #expect(try session(0, "; kill -9 $PPID") == one)
    held.closeInput()
    try held.reap()
  }

  @Test("an application with a single scene has one session for a program in all directories")
  func singleScene() throws {
    let manifest = try daemon.workplace.write("one.json", #"{"supportsMultipleScenes": false}"#)
    let daemon = try Daemon(Workplace(), ["--manifest", manifest])
    for directory in ["/", daemon.workplace.path] {
      let scene = try daemon.start("scene", ["--", "/bin/true"], workingDirectory: directory)
      #expect(try scene.reap().isSuccess)
    }
    try daemon.scenectl("is", "application sessions=1")
  }

  @Test("an invalid activity file is not saved, and an error at the end names the file")
  func flawed() throws {
    try scene("say 1").reap()
    for (text, flaw) in [
      (#"{"activityType":"x","#, "the file is not JSON: "), ("", "the file is empty"),
      (#"{"activityType":"x"}"#, "userInfo: missing; expected an object (empty is fine)"),
      ("[]", "expected an activity (an object), found an array"),
    ] {
      let program = try scene("printf %s '\(text)' >\"$SCENE_ACTIVITY\"")
      let errors = try program.everythingOnErrors()
      #expect(try program.reap().isSuccess)
      #expect(
        errors.hasPrefix("scene: the last activity of the program is not saved: \(flaw)"),
        "\(errors)")
      let path = errors.split(separator: " ").last.map { String($0.dropLast()) } ?? ""
      #expect(String(decoding: try File.read(path), as: UTF8.self) == text)
      try Directory.removeTree(Directory.parent(of: path) ?? "")
      try daemon.scenectl("is", "packing generation=1 activity.userInfo.n=1")
    }
  }

  @Test("the stream of callbacks ends when the program must exit, which wakes the program")
  func eventsEnd() throws {
    let program = try scene(
      "trap '' TERM; echo ready; while read -r line <&3; do :; done; say 9")
    try program.line(containing: "ready")
    try daemon.scenectl("background", "packing")
    try daemon.scenectl("reclaim", "packing")
    try daemon.scenectl(
      "wait", "packing unattached disconnect.reason=reclaimed activity.userInfo.n=9")
  }

  @Test("the session's next scene saves an activity that was written without a broker")
  func unsaved() throws {
    let program = try scene(
      "echo ready; while ! test -e \(daemon.workplace.file("go")); do sleep 0.1; done; say 2")
    try program.line(containing: "ready")
    try daemon.kill()
    _ = try daemon.workplace.write("go", "")
    let errors = try program.everythingOnErrors()
    #expect(try program.reap().isSuccess)
    #expect(
      errors.contains("activity of the program is not saved: no broker runs; it stays in /"))
    let next = try Daemon(daemon.workplace)
    defer { withExtendedLifetime(next) {} }
    #expect(try scene(#"cat "$SCENE_ACTIVITY""#).rest().contains(#""n":2"#))
    try daemon.scenectl("wait", "packing generation=1 activity.userInfo.n=2")
  }

  @Test("a command that cannot be started exits as in a shell, and creates no session")
  func noCommand() throws {
    let file = try daemon.workplace.write("plain", "nothing to run")
    for (words, code) in [(["nowhere"], Int32(127)), (["./nowhere"], 127), ([file], 126)] {
      let outcome = try daemon.run("scene", ["packing", "--"] + words)
      #expect(outcome.code == code)
      #expect(outcome.errors.hasPrefix("scene: exec "), "\(outcome.errors)")
    }
    #expect(try daemon.run("scene", ["packing", "--"]).code == 2)
    #expect(try daemon.run("scene", ["packing", "--", ""]).code == 2)
    try daemon.scenectl("is", "application", "sessions=0")
  }

  @Test("with --json the program has no input, and writes to standard error")
  func apart() throws {
    let program = try scene(
      "cat; echo spoken; while ! test -e \(daemon.workplace.file("go")); do sleep 0.1; done; say 1; stay",
      options: ["packing", "--json"])
    try program.errorLine(containing: "spoken")
    // The output of the program was saved before this line.
    try program.line(containing: #""callback":"didBecomeActive""#)
    _ = try daemon.workplace.write("go", "")
    try program.line(containing: #"{"reply":{"generation":1},"do":"activity"}"#)
    try program.type(#"{"do":"title","title":"My trip","id":1}"#)
    try program.line(containing: #""id":1"#)
    try program.type(#"{"do":"activity","activityType":"y","id":2}"#)
    #expect(try program.line(containing: #""id":2"#).contains("requestDenied"))
    try program.type(#"{"do":"close"}"#)
    try program.line(containing: "didDisconnect")
    #expect(try program.reap() == .exited(143))
  }

  private var page: String {
    get throws { try Repository.text("Sources/Manual/Manual.docc/Wrapping-a-command.md") }
  }

  @Test("the shell script on the manual page restores its state after SIGKILL")
  func shellScript() throws {
    for count in 1...3 {
      let program = try start(
        ["counter", "--", try Repository.file("scripts/scene.sh")])
      try program.line(containing: "at \(count)")
      try daemon.scenectl("wait", "counter activity.userInfo.count=\(count)")
      try program.kill()
    }
    #expect(try page.contains(try Repository.text("scripts/scene.sh")))
  }

  @Test("a program that fails with its activity gets it again each time, until it is removed")
  func failing() throws {
    #expect(try scene("say 1").reap().isSuccess)
    let script = #"test ! -e "$SCENE_ACTIVITY" || exit 3"#
    for _ in 0..<4 {
      #expect(try scene(script).reap() == .exited(3))
      try daemon.scenectl("wait", "packing unattached disconnect.reason=connectionLost")
    }
    try daemon.scenectl("save", "packing", "--clear")
    #expect(try scene(script).reap().isSuccess)
    try daemon.scenectl("restore", "packing")
    #expect(try scene(script).reap() == .exited(3))
  }

  @Test("the Python program on the manual page restores its state after SIGKILL")
  func python() throws {
    let blocks = try page.components(between: "```python\n", and: "```")
    let script = try #require(blocks.first { $0.contains("SCENE_EVENTS") })
    let path = try daemon.workplace.write("program.py", script)
    for line in 1...3 {
      let program = try start(["note", "--", "python3", path])
      try program.line(containing: "at line \(line)")
      try daemon.scenectl("wait", "note activity.userInfo.line=\(line)")
      try program.kill()
    }
  }
}

extension String {
  func components(between beginning: String, and end: String) -> [String] {
    ranges(of: beginning).map { range in
      let rest = self[range.upperBound...]
      return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
    }
  }
}
