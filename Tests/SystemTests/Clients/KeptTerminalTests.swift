import ScenePlatform
import SceneTestSupport
import Testing

/// `scene --keep`: a program outlives its terminal.
struct KeptTerminalTests {
  let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func scene(
    _ words: String..., options: [String] = [], environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try RunningProgram.onTerminal(
      [Programs.path("scene")] + words, options: options,
      environment: ["SCENE_SOCKET": daemon.socket, "TMPDIR": daemon.workplace.path]
        .merging(environment) { $1 })
  }

  private static let echo = "echo run $$; while read word; do echo got $word; done; exit 3"

  @Test("a program runs on after its terminal, without a broker too, and the next scene shows it")
  func attach() throws {
    var daemon = daemon
    defer { _ = try? daemon.scenectl("close", "build") }
    let first = try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    try first.play("await run ", "keys one\\r", "await got one", "signal SIGKILL", "end")
    try daemon.scenectl("wait", "build background client.terminal.detached=hangup")
    #expect(try daemon.scenectl("sessions", "--was-open", "--names") == "build\n")
    #expect(try daemon.scenectl("reopen", "--hint").hasPrefix("1 window was not closed: scenectl"))
    try daemon.kill()
    let second = try scene("build")
    try second.play("await attached to sh ", "await run ", "await got one", "keys two\\r")
    try second.play("await got two")
    daemon = try Daemon(daemon.workplace)
    try daemon.scenectl("wait", "build foregroundActive client.terminal.attached=1")
    try daemon.scenectl("background", "build")
    try second.play("await scene: build: sh ", "await runs on in the background", "end")
    try second.play("restored")
    try daemon.scenectl("wait", "build background client.terminal.detached=background")
    let third = try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    try third.play("await got two", "keys \\x04")
    try third.type("end")
    #expect(try third.finish().output.split(separator: "\n").last == "status 3")
    try daemon.scenectl("wait", "build unattached program.onHangup=keep")
    let fourth = try scene("build")
    try fourth.play("await run ")
    let holder = try daemon.scenectl("show", "build", "--value", "client.pid").trimmed
    try fourth.play(
      "run kill -KILL \(holder)", "await the process that kept the terminal was ended")
    try daemon.scenectl("wait", "build unattached disconnect.exit.signal=KILL")
  }

  @Test("a removed socket is made again, and before that the program is named and stays")
  func removedSocket() throws {
    var daemon = daemon
    defer { _ = try? daemon.scenectl("close", "build") }
    let first = try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    try first.play("await run ", "keys one\\r", "await got one", "signal SIGKILL", "end")
    try daemon.scenectl("wait", "build background client.terminal.detached=hangup")
    let prompt = try scene("build", "--prompt")
    try prompt.play("await Attach on a terminal with: scene build")
    // The holder cannot make the directory before the next broker has come.
    let directory = daemon.socket + ".tty"
    try Directory.removeTree(directory)
    try File.write([], to: directory)
    let early = try scene("build", "--prompt")
    try early.play("await The socket of its terminal was removed", "await End it with: scenectl")
    try File.remove(directory)
    try daemon.kill()
    daemon = try Daemon(daemon.workplace)
    try eventually("the holder listens again", polling: .files) {
      try File.exists(directory) && Directory.list(directory).count == 2
    }
    try scene("build").play("await build: attached to sh ", "await got one")
  }

  @Test("scenes that start at once have one program, and another command is refused")
  func startsAtOnce() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let scenes = try (0..<4).map { _ in
      try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    }
    for scene in scenes { try scene.play("await run ") }
    try daemon.scenectl("wait", "build foregroundActive client.terminal.attached=4")
    let other = try scene("build", "--keep", "--", "true")
    try other.play("await to attach: scene build; to end it: scenectl close build")
    try scenes[0].play("keys all\\r")
    for scene in scenes { try scene.play("await got all") }
    try daemon.scenectl("close", "build")
    for scene in scenes { try scene.play("end") }
  }

  @Test("a session is found by its new name, and another session can have the old one")
  func rename() throws {
    defer { for name in ["build", "test"] { _ = try? daemon.scenectl("close", name) } }
    let first = try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    try first.play("await run ", "keys one\\r", "await got one")
    try daemon.scenectl("rename", "build", "test")
    let second = try scene("test")
    try second.play("await test: attached to sh ", "await got one")
    let other = try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    try other.play("await run ", "keys two\\r", "await got two")
    try scene("build").play("await build: attached to sh ", "await got two")
    try scene("test").play("await test: attached to sh ", "await got one")
  }

  @Test(
    "an activation shows the window whose user typed last, also of a terminal without the first")
  func raise() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let raised = daemon.workplace.file("raised")
    let tool = try daemon.workplace.write("kitten", "#!/bin/sh\necho \"$@\" >> \(raised)\n")
    try File.setMode(tool, 0o700)
    let path = "\(daemon.workplace.path):\(Environment["PATH"] ?? "")"
    func kitty(_ window: String) -> [String: String] {
      ["PATH": path, "KITTY_WINDOW_ID": window, "KITTY_LISTEN_ON": "unix:x"]
    }
    let first = try scene(
      "build", "--keep", "--", "sh", "-c", Self.echo, environment: kitty("1"))
    try first.play("await run ", "signal SIGKILL", "end")
    let second = try scene("build", environment: kitty("2"))
    try second.play("await run ")
    try daemon.scenectl("wait", "build foregroundActive client.terminal.attached=1")
    try daemon.scenectl("activate", "build")
    try second.play("run until grep -q id:2 \(raised); do sleep 0.05; done")
    #expect(try daemon.workplace.read("raised") == "@ focus-window --match id:2\n")
  }

  @Test("the window of an activated program has the name of the session as its title")
  func windowTitle() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let words = daemon.workplace.file("words")
    let opener = try daemon.workplace.write("opener", "#!/bin/sh\necho \"$1\" > \(words)\n")
    try File.setMode(opener, 0o700)
    let first = try scene(
      "build", "--keep", "--", "sh", "-c", Self.echo,
      environment: ["SCENE_OPENER": "\(opener) --title=%"])
    try first.play("await run ", "signal SIGKILL", "end")
    try daemon.scenectl("wait", "build background client.terminal.detached=hangup")
    try daemon.scenectl("activate", "build", "--no-wait")
    try eventually("a window opens", polling: .files) { File.exists(words) }
    #expect(try daemon.workplace.read("words") == "--title=build\n")
  }

  @Test("a stopped holder is named with the command that continues it")
  func stoppedHolder() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let first = try scene("build", "--keep", "--", "sh", "-c", Self.echo)
    try first.play("await run ")
    let holder = try daemon.scenectl("show", "build", "--value", "client.pid").trimmed
    let process = try #require(Int32(holder))
    try Signal.stop.send(to: process)
    let second = try scene("build")
    try second.play("await (process \(holder)) is stopped; continue the process with: kill -CONT ")
    try Signal.continue.send(to: process)
    try scene("build").play("await attached to sh ")
  }

  @Test("a stopped viewer shows no window, and a signal ends it")
  func stoppedViewer() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let viewer = try scene(
      "build", "--keep", "--", "sh", "-c", Self.echo, options: ["--job", "foreground"])
    try viewer.play("await run ", "signal SIGTSTP", "stopped")
    try daemon.scenectl("wait", "build background client.terminal.attached=0")
    try viewer.play("signal SIGCONT", "await attached to sh ", "keys one\\r", "await got one")
    try viewer.play("keys \\x1a", "stopped", "signal SIGTERM", "signal SIGCONT")
    try viewer.type("end")
    #expect(try viewer.finish().output.split(separator: "\n").last == "status -15")
    let next = try scene("build")
    try next.play("await got one")
    try next.type("shown")
    #expect(try !next.finish().output.contains("^Z"))
  }

  @Test("a viewer that does not read gets the end of the output and the status later")
  func stoppedReader() throws {
    let viewer = try scene("build", "--keep", "--", "sh", "-c", Self.flood)
    try viewer.play("await run", "signal SIGSTOP")
    _ = try daemon.workplace.write("go", "")
    try daemon.scenectl("wait", "build unattached", "--timeout", "30s")
    try viewer.play("signal SIGCONT", "await last line")
    try viewer.type("end")
    #expect(try viewer.finish().output.split(separator: "\n").last == "status 3")
  }

  @Test("a signal ends a holder that waits for a viewer after the end of its program")
  func signalledHolder() throws {
    let viewer = try scene("build", "--keep", "--", "sh", "-c", Self.flood)
    try viewer.play("await run")
    let process = try daemon.scenectl("show", "build", "--value", "client.pid").trimmed
    try viewer.play("signal SIGSTOP")
    _ = try daemon.workplace.write("go", "")
    try daemon.scenectl("wait", "build unattached", "--timeout", "30s")
    // The viewer has not reaped the holder. A signal before the wait for the viewer has no effect.
    let isRunning = "ps -o stat= -p \(process) | grep -qv Z"
    try viewer.play("run while \(isRunning); do kill -TERM \(process); sleep 0.05; done")
    try viewer.play("signal SIGCONT", "end")
  }

  private static let flood =
    "echo run; until [ -e $TMPDIR/go ]; do sleep 0.05; done; "
    + "head -c 2000000 /dev/zero | tr '\\0' x; echo last line; exit 3"

  @Test("the setting of the environment is stored, and a launch cannot keep its program")
  func environment() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let first = try scene(
      "build", "--", "sh", "-c", Self.echo, environment: ["SCENE_ON_HANGUP": "keep"])
    try first.play("await run ")
    try daemon.scenectl("wait", "build foregroundActive program.onHangup=keep")
    let launched = try scene("--keep", "--", "true", environment: ["SCENE_LAUNCH": "x"])
    try launched.play("await --keep cannot be used in a launch of the manifest", "end")
  }

  @Test("a running program is attached to with --take-over too, and --keep needs a command")
  func options() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let none = try scene("build", "--keep")
    try none.play("await the session has no command; add one behind these options")
    try none.type("end")
    #expect(try none.finish().output.split(separator: "\n").last == "status 2")
    let plain = try scene("build", "--", "sh", "-c", Self.echo)
    try plain.play("await run ", "keys \\x04", "end")
    try daemon.scenectl("wait", "build unattached")
    let first = try scene("build", "--keep")
    try first.play("await run ", "keys one\\r", "await got one")
    try daemon.scenectl("wait", "build foregroundActive program.onHangup=keep")
    try scene("build", "--take-over").play("await attached to sh ", "await got one")
    let other = try scene("build", "--take-over", "--keep", "--", "true")
    try other.play("await to attach: scene build; to end it: scenectl close build", "end")
  }

  @Test("an activation of a program without a window waits for one, and fails if none opens")
  func activation() throws {
    defer { _ = try? daemon.scenectl("close", "build") }
    let player = try Repository.file("Tests/Scripts/terminal.py")
    let failing = daemon.workplace.file("failing")
    let ending = daemon.workplace.file("ending")
    let close = "\(try Programs.path("scenectl")) -S \(daemon.socket) close build"
    let opener = try daemon.workplace.write(
      "opener",
      """
      #!/bin/sh
      test -e \(ending) && exec \(close)
      test -e \(failing) && exit 1
      echo end | python3 \(player) "$@" >/dev/null

      """)
    try File.setMode(opener, 0o700)
    let first = try scene(
      "build", "--keep", "--", "sh", "-c", Self.echo, environment: ["SCENE_OPENER": opener])
    try first.play("await run ", "signal SIGKILL", "end")
    try daemon.scenectl("wait", "build background client.terminal.attached=0")
    try daemon.scenectl("activate", "build")
    try daemon.scenectl("is", "build foregroundActive client.terminal.attached=1")
    try daemon.scenectl("background", "build")
    try daemon.scenectl("wait", "build background client.terminal.attached=0")
    _ = try daemon.workplace.write("failing", "")
    let failed = try daemon.run("scenectl", ["activate", "build"])
    #expect(failed.code == 1)
    #expect(failed.errors.contains("build: the program runs, but no window opened"))
    #expect(try daemon.scenectl("why", "build").contains("no window opened for the activated"))
    _ = try daemon.workplace.write("ending", "")
    let ended = try daemon.run("scenectl", ["activate", "build"])
    #expect(ended.code == 1)
    #expect(ended.errors.contains("build: the program ended before a window opened"))
  }
}
