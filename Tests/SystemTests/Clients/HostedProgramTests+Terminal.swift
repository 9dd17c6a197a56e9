import ScenePlatform
import SceneTestSupport
import Testing

/// `scene -- COMMAND` on a terminal.
extension HostedProgramTests {
  /// Runs a program on a terminal, and prints what the terminal shows.
  private static let player = """
    import os, pty, sys
    pid, terminal = pty.fork()
    if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
    shown = b""
    try:
        while part := os.read(terminal, 4096): shown += part
    except OSError: pass
    print(shown.decode().replace("\\r\\n", "\\n"), end="")
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """

  func onTerminal(_ words: [String]) throws -> Outcome {
    try daemon.run(
      "python3", ["-c", Self.player, Programs.path("scene")] + words,
      environment: ["TMPDIR": daemon.workplace.path])
  }

  @Test(
    "a terminal shows the signal that ended a program, and has its screen and its modes again",
    arguments: [
      (#"kill -SEGV $$"#, "scene: sh was ended by SEGV; to run it again: scene packing\n"),
      // Shells report Ctrl-C with no message either.
      (#"kill -INT $$"#, "\n"), (#"exit 255"#, "\n"),
    ])
  func killed(end: String, message: String) throws {
    let outcome = try onTerminal(
      ["packing", "--", "sh", "-c", #"printf '\033[?1049h\033[?1000hpicture'; "# + end])
    #expect(
      outcome.output
        == "\u{1B}[?1049h\u{1B}[?1000hpicture" + Terminal.restoredScreen + message,
      "\(outcome.errors)")
  }

  @Test(
    "a command that replaces the stored one is reported on a terminal, with a line that undoes it")
  func replacedByTyping() throws {
    let first = try start(["notes", "--env", "A=b c", "--no-reopen", "--", "true", "it's"])
    #expect(try first.reap().isSuccess)
    let second = try onTerminal(["notes", "--", "echo", "listed"])
    let undo = #"scene notes --env 'A=b c' --no-reopen -- true 'it'\''s'"#
    #expect(
      second.output
        == "scene: notes ran true it's; now it runs echo listed; to undo: \(undo)\nlisted\n")
    #expect(try onTerminal(["notes", "--", "echo", "listed"]).output == "listed\n")
  }

  @Test("the hook on the manual page sets the command that continues its own conversation")
  func hook() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Wrapping-a-command.md")
    let block = page.components(between: "```sh\n", and: "```").first { $0.contains("session_id") }
    let path = try daemon.workplace.write("hook", try #require(block))
    let words = ["sh", "-c", #"echo '{"session_id": "7", "cwd": "/"}' | sh "$0""#, path]
    #expect(try start(["one", "--"] + words).reap().isSuccess)
    let resume = try daemon.scenectl("show", "one", "--value", "program.resume")
    #expect(resume.filter { $0 != " " } == #"["agent","--resume","7"]"# + "\n")
  }
}
