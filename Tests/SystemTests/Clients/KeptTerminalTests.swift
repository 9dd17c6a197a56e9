import SceneTestSupport
import Testing

/// `scene --keep`: a program outlives its terminal.
struct KeptTerminalTests {
  let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func scene(_ words: String...) throws -> RunningProgram {
    try RunningProgram.onTerminal(
      [Programs.path("scene")] + words,
      environment: ["SCENE_SOCKET": daemon.socket, "TMPDIR": daemon.workplace.path])
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
}
