import ScenePlatform
import SceneTestSupport
import Testing

/// The questions of the programs on a terminal.
struct QuestionTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func onTerminal(_ name: String, _ words: String...) throws -> RunningProgram {
    try RunningProgram.onTerminal(
      [name == "sh" ? "/bin/sh" : Programs.path(name)] + words, options: ["--size", "100x24"],
      environment: [
        "SCENE_SOCKET": daemon.socket, "TMPDIR": daemon.workplace.path, "TERM": "xterm",
        "NO_COLOR": "1",
      ])
  }

  private func expectEnd(_ status: Int32, of program: RunningProgram) throws {
    try program.type("end")
    let outcome = try program.finish()
    #expect(outcome.output.hasSuffix("status \(status)\n"), "\(outcome)")
  }

  /// Makes a session whose command prints a line.
  private func store() throws {
    let scene = try daemon.start("scene", ["notes", "--", "sh", "-c", "echo it; echo ran"])
    #expect(try scene.reap().isSuccess)
  }

  @Test(
    "scene --ask shows the stored command, and runs it only after Enter", arguments: [true, false])
  func ask(confirms: Bool) throws {
    try store()
    let scene = try onTerminal("scene", "notes", "--ask")
    try scene.play("await sh -c 'echo it; echo ran'  (in ", "await Press Enter to run it")
    let before = try daemon.scenectl("show", "notes", "--value", "lastUsed")
    if confirms {
      try scene.play("keys \\r", "await it\\r\\nran")
    } else {
      try scene.type("keys \\x03")
    }
    try expectEnd(0, of: scene)
    #expect((try daemon.scenectl("show", "notes", "--value", "lastUsed") != before) == confirms)
  }

  @Test("scenectl reopen --ask says that the window waits, and Enter there runs the command")
  func reopen() throws {
    try store()
    let keys = daemon.workplace.file("keys")
    #expect(try RunningProgram.run("/usr/bin/env", ["mkfifo", keys]).code == 0)
    let reopened = try daemon.run(
      "scenectl",
      ["reopen", "notes", "--ask", "--with", "sh -c 'cat \(keys) | \"$@\" >\(keys).shown' sh"])
    #expect(reopened.output == "notes: waits for Enter in its window\n")
    let shown = { try daemon.workplace.read("keys.shown") }
    try daemon.scenectl("is", "notes", "unattached")
    #expect(try shown().hasPrefix("sh -c 'echo it; echo ran'"))
    #expect(try RunningProgram.run("sh", ["-c", "echo >\(keys)"]).code == 0)
    try eventually("the command runs", polling: .files) { try shown().hasSuffix("it\nran\n") }
  }

  @Test("scenectl discard --all asks on a terminal, and only yes discards")
  func discard() throws {
    try store()
    // A redirected output is no answer.
    let script = try "\(Programs.path("scenectl").shellWord) discard --all >/dev/null"
    for (answer, status) in [("n", 1), ("", 1), ("yes", 0)] as [(String, Int32)] {
      #expect(try daemon.scenectl("sessions", "--names") == "notes\n")
      let verb = try onTerminal("sh", "-c", script)
      try verb.play(
        "await Discard 1 session and everything saved for them? [y/N] ", "keys \(answer)\\r")
      try expectEnd(status, of: verb)
    }
    #expect(try daemon.scenectl("sessions", "--names") == "")
  }

  @Test("scenectl sessions --watch follows the width of the terminal")
  func watch() throws {
    try store()
    let list = try onTerminal("scenectl", "sessions", "--watch")
    try list.play("await DIRECTORY", "size 40 8", "await …\\r\\n", "size 100 24", "await DIRECTORY")
    try list.type("keys \\x03")
    try expectEnd(-Signal.interrupt.rawValue, of: list)
  }
}
