import ScenePlatform
import SceneTestSupport
import Testing

/// `scene -- COMMAND` on a terminal.
extension HostedProgramTests {
  /// Runs a scene to its end, and returns the text that its terminal shows.
  private func onTerminal(_ words: [String]) throws -> String {
    let player = try RunningProgram.onTerminal(
      [Programs.path("scene")] + words,
      environment: ["SCENE_SOCKET": daemon.socket, "TMPDIR": daemon.workplace.path])
    for step in ["end", "shown"] { try player.type(step) }
    let outcome = try player.finish()
    #expect(outcome.code == 0, "\(outcome.errors)")
    return String(outcome.output.split(separator: "\n", maxSplits: 1)[1].dropLast())
  }

  @Test(
    "a terminal shows the signal that ended a program, and has its screen and its modes again",
    arguments: [
      (#"kill -SEGV $$"#, "scene: sh was ended by SEGV; to run it again: scene packing\n"),
      // Shells report Ctrl-C with no message either.
      (#"kill -INT $$"#, ""), (#"exit 255"#, ""),
    ])
  func killed(end: String, message: String) throws {
    let shown = try onTerminal(
      ["packing", "--", "sh", "-c", #"printf '\033[?1049h\033[?1000hpicture'; "# + end])
    #expect(
      shown == "\u{1B}[?1049h\u{1B}[?1000hpicture" + Terminal.restoredScreen + message)
  }

  @Test(
    "a command that replaces the stored one is reported on a terminal, with a line that undoes it")
  func replacedByTyping() throws {
    let first = try start(
      ["notes", "--title", "My list", "--env", "A=b c", "--no-reopen", "--", "true", "it's"])
    #expect(try first.reap().isSuccess)
    let second = try onTerminal(["notes", "--", "echo", "listed"])
    let undo = #"scene notes --title 'My list' --env 'A=b c' --no-reopen -- true 'it'\''s'"#
    #expect(
      second
        == "scene: notes ran true it's; now it runs echo listed; to undo: \(undo)\nlisted\n")
    #expect(try onTerminal(["notes", "--", "echo", "listed"]) == "listed\n")
    #expect(try daemon.scenectl("show", "notes", "--value", "title") == "echo listed\n")
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
