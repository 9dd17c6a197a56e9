import ScenePlatform
import SceneTestSupport
import Testing

/// The command that a session stores, and that `scene NAME` runs again.
extension HostedProgramTests {
  private func run(_ words: String...) throws -> (output: String, errors: String, code: Int32) {
    let outcome = try daemon.run("scene", words)
    return (outcome.output, outcome.errors, outcome.code)
  }

  @Test("scene NAME runs the stored command again, word for word, in its directory")
  func again() throws {
    let words = ["a b", "-x", "it's", "\"", "line\nline", "$HOME", ""]
    let directory = daemon.workplace.path + "/a directory"
    try Directory.make(directory)
    let print = #"printf '%s|' "$PWD" "$@"; echo"#
    let first = try daemon.start(
      "sh",
      ["-c", #"cd "$1" && shift && exec "$@""#, "sh", directory]
        + [try Programs.path("scene"), "words", "--", "sh", "-c", print, "sh"] + words)
    let expected = ([directory] + words).map { $0 + "|" }.joined() + "\n"
    #expect(try first.rest() == expected)
    #expect(try first.reap().isSuccess)
    let again = try run("words")
    #expect(again.output == expected && again.code == 0, "\(again.errors)")
    let stored = try daemon.run("scenectl", ["show", "words", "--value", "program.directory"])
    #expect(stored.output == directory + "\n")
    let list = try daemon.scenectl("sessions")
    #expect(list.contains("CLIENT  DIRECTORY") && list.contains("sh -c 'printf"))
    let cards = try daemon.scenectl("switcher")
    #expect(cards.contains(", in \(directory)\n"))
  }

  @Test(
    "a stored command whose program or directory is missing is an error that names both",
    arguments: [("sh", "/no/directory", 126 as Int32), ("/no/program", "/", 127)])
  func missing(program: String, directory: String, code: Int32) throws {
    #expect(try run("packing", "--", "true").code == 0)
    let session = try daemon.scenectl("show", "packing", "--value", "session")
    try daemon.scenectl(
      "call", "scene/update",
      #"{"session":"\#(session.dropLast())","program":{"arguments":["\#(program)"],"#
        + #""directory":"\#(directory)"}}"#)
    let outcome = try run("packing")
    #expect(outcome.code == code)
    #expect(outcome.errors.hasPrefix("scene: cannot run \(program) in \(directory): "))
    #expect(outcome.errors.contains("Run another command with: scene packing -- COMMAND\n"))
    #expect(outcome.errors.hasSuffix("Run none with: scene packing --prompt\n"))
  }

  @Test("another command replaces the stored one, and --prompt runs none")
  func replaced() throws {
    #expect(try run("packing", "--resume-with", "echo 'a  b'", "--", "echo", "1").output == "1\n")
    #expect(try run("packing").output == "a  b\n")
    #expect(try run("packing", "--", "echo", "2").output == "2\n")
    #expect(try run("packing").output == "2\n")
    #expect(try run("packing", "--no-reopen", "--resume-with", "echo 3").output == "3\n")
    let prompt = try start(["packing", "--prompt"])
    try prompt.line(containing: "didBecomeActive")
    try daemon.scenectl("close", "packing")
    #expect(try prompt.reap().isSuccess)
    let stored = try daemon.scenectl("show", "packing", "--value", "program")
    #expect(stored.hasPrefix(#"{"arguments":["echo","2"],"#))
    #expect(stored.hasSuffix(#","resume":["echo","3"],"reopen":false}"# + "\n"))
  }

  @Test("a resume command beside the activity that is not an array of words is reported")
  func invalidResume() throws {
    let scenectl = try Programs.path("scenectl").shellWord
    let program = try scene(
      #"""
      for n in 1 2; do
        echo '{"activityType":"x","userInfo":{"n":'$n'},"resume":"agent"}' >"$SCENE_ACTIVITY"
        \#(scenectl) wait "packing activity.userInfo.n=$n"
      done
      """#)
    #expect(try program.reap().isSuccess)
    let problem =
      "the command that continues the session is not stored: resume: expected the words of a "
      + "command, an array of strings"
    #expect(try program.everythingOnErrors() == "scene: \(problem)\n")
    let why = try daemon.scenectl("why", "packing")
    #expect(why.split(separator: "  \(problem)\n").count == 2, "\(why)")
  }

  @Test("the same command keeps the resume command of its program")
  func sameCommand() throws {
    for _ in 0..<2 {
      #expect(try run("agent", "--resume-with", "echo resumed", "--", "echo", "new").code == 0)
      #expect(try run("agent", "--", "echo", "new").output == "new\n")
      #expect(try run("agent").output == "resumed\n")
    }
    #expect(try run("agent", "--", "echo", "other").output == "other\n")
    #expect(try run("agent").output == "other\n")
  }

  @Test("a program continues while no broker runs, and the next broker has its window")
  func restart() throws {
    let scene = try scene(
      """
      echo "start $$"
      while read -r line; do say "$line"; echo "said $line"; done
      """)
    try scene.line(containing: "start ")
    #expect(try daemon.stop().isSuccess)
    try scene.type("7")
    try scene.line(containing: "said 7")
    let next = try Daemon(daemon.workplace)
    try next.scenectl("wait", "packing activity.userInfo.n=7")
    try scene.type("8")
    try next.scenectl("wait", "packing foregroundActive activity.userInfo.n=8")
    scene.closeInput()
    #expect(try !scene.rest().contains("start "))
    #expect(try scene.reap().isSuccess)
  }

  @Test("scene runs a program that connects to the session itself in its own place")
  func connects() throws {
    let first = try daemon.start("note-scene")
    try first.line(containing: "at line 1")
    let names = try daemon.scenectl("sessions", "--names")
    let session = String(names.dropLast())
    try first.kill()
    _ = try first.reap()
    let second = try start(["--session", session])
    try second.line(containing: "at line 2")
    let client = try daemon.scenectl("show", session, "--value", "client")
    #expect(client.hasPrefix(#"{"name":"note-scene","pid":\#(second.child.pid)"#))
  }

  @Test("a command that is too large to store runs, and the message says that it is not stored")
  func tooLarge() throws {
    let program = try start(
      ["packing", "--", "sh", "-c", "echo ran", String(repeating: "x", count: 20_000)])
    #expect(try program.rest() == "ran\n")
    #expect(try program.reap().isSuccess)
    let errors = try program.everythingOnErrors()
    #expect(errors.hasPrefix("scene: the command is not stored: "), "\(errors)")
    #expect(errors.contains("16384"), "\(errors)")
    try daemon.scenectl("is", "packing unattached disconnect.reason=clientRequest")
  }

  @Test("a script without a first line #! runs by /bin/sh, and a missing interpreter is named")
  func scripts() throws {
    let plain = daemon.workplace.file("plain")
    try File.write(#"echo "$1""#.utf8, to: plain, mode: 0o700)
    #expect(try start(["packing", "--", plain, "a b"]).rest() == "a b\n")
    let broken = daemon.workplace.file("broken")
    try File.write("#! /no/such -x\necho\n".utf8, to: broken, mode: 0o700)
    let program = try start(["packing", "--", broken])
    #expect(try program.reap() == .exited(127))
    #expect(try program.everythingOnErrors().contains("its interpreter /no/such does not exist"))
  }

  @Test("a command in one quoted word gets a suggestion")
  func quoted() throws {
    let program = try start(["packing", "--", "sh -c 'exit 1'"])
    #expect(try program.reap() == .exited(127))
    #expect(
      try program.everythingOnErrors().hasSuffix("; did you mean: -- sh -c 'exit 1'?\n"))
  }

  @Test("without NAME, programs that start at the same time get a session each, as if in turn")
  func withoutName() throws {
    let words = ["--", "sh", "-c", "echo ready; while :; do sleep 0.1; done"]
    let programs = try (0..<3).map { _ in try start(words) }
    for program in programs { try program.line(where: { $0 == "ready" }) }
    let names = try daemon.scenectl("sessions", "--names").split(separator: "\n")
    let name = try #require(names.min())
    #expect(Set(names) == [name, "\(name) 2", "\(name) 3"])
    for program in programs {
      try program.send(.kill)
      _ = try program.reap()
    }
    try daemon.scenectl("wait", "\(name) unattached")
    // A session that is away is for another host.
    for other in names {
      let session = try daemon.scenectl("show", String(other), "--value", "session").dropLast()
      try daemon.scenectl(
        "call", "session/release", #"{"session":"\#(session)","fence":1,"to":"desktop"}"#)
    }
    let next = try start(words)
    try next.line(where: { $0 == "ready" })
    try daemon.scenectl("wait", "\(name) 4", "foregroundActive")
    try next.send(.kill)
  }

  @Test("a working directory that is not UTF-8 gets one message, and no session")
  func directoryWithoutText() throws {
    let outcome = try daemon.run(
      "/bin/bash",
      [
        "-c", #"mkdir "$1"/$'\xff' && cd "$1"/$'\xff' && exec "$2" packing -- true"#, "bash",
        daemon.workplace.path, Programs.path("scene"),
      ])
    #expect(outcome.code == 126)
    #expect(outcome.errors.contains("the path is not UTF-8; use another directory)\n"))
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(try daemon.scenectl("sessions", "--names") == "")
  }

  @Test(
    "scene reaps orphans as the first process of a container",
    .enabled(if: isFirstInContainer, "needs namespaces of processes"))
  func orphans() throws {
    // The subshell ends before its child, so that scene becomes the parent of the child.
    let script = """
      (sleep 0.1 & echo $! >"$SCENE_DATA/orphan")
      read -r orphan <"$SCENE_DATA/orphan"
      while test -e /proc/$orphan; do sleep 0.02; done
      echo reaped
      """
    let program = try daemon.start(
      "unshare",
      ["-Urpf", "--mount-proc", Programs.path("scene"), "packing", "--", "sh", "-c"]
        + [script],
      environment: ["TMPDIR": daemon.workplace.path])
    try program.line(containing: "reaped")
    #expect(try program.reap().isSuccess)
  }

  private static let isFirstInContainer =
    (try? RunningProgram.run("unshare", ["-Urpf", "--mount-proc", "true"]))?.code
    == 0
}
