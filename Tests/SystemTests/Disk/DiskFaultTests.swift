import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A disk that returns errors.
@Suite(.enabled(if: LoopDisk.canFail, "needs a user who can mount a loop device, and ext4"))
struct FailingDiskTests {
  @Test("the error for a read-only state directory says what to do")
  func readOnly() throws {
    let workplace = try Workplace()
    let disk = try LoopDisk(workplace)
    try disk.makeReadOnly()
    let outcome = try workplace.scened()
    #expect(outcome.code == 77)
    #expect(
      outcome.errors
        == "scened: error: open \(workplace.state)/lock: Read-only file system; choose another path "
        + "with --state\n")
  }

  @Test(
    "after an error of the disk, the broker exits with 74 and has lost no acknowledged save"
  )
  func inputOutputError() throws {
    let workplace = try Workplace()
    let disk = try LoopDisk(workplace)
    let daemon = try Daemon(workplace)
    let client = try daemon.client()
    let scene = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    try client.save(.numbered(1), in: scene.session)

    try disk.fail()
    // The broker can find the error first: after a second of idleness it writes once more.
    _ = try? client.send(SaveActivity(session: scene.session, activity: .numbered(2)))
    let farewell = try client.farewell()
    #expect(farewell?.reason == .shuttingDown)
    #expect(farewell?.message.contains("Input/output error") == true, "\(farewell)")
    #expect(try daemon.program.reap() == .exited(74))
    let last = try daemon.program.everythingOnErrors().split(separator: "\n").last
    #expect(last?.hasPrefix("scened: error: ") == true, "\(last ?? "")")
    #expect(last?.contains(workplace.state) == true, "\(last ?? "")")
    #expect(last?.contains("Input/output error") == true, "\(last ?? "")")
    #expect(!File.exists(workplace.socket))

    try disk.repair()
    let again = try Daemon(workplace)
    try again.scenectl("is", "packing activity.userInfo.number=1")
    #expect(try again.stop().isSuccess)
  }

  @Test("if the broker fails, its command and the processes of the command get SIGHUP")
  func command() throws {
    let workplace = try Workplace()
    let disk = try LoopDisk(workplace)
    let temporary = workplace.file("tmp")
    try Directory.make(temporary)
    let script = """
      trap 'echo hung up; exit' HUP
      sleep 1000 & echo up $SCENE_SOCKET $!; wait
      """
    let running = try RunningProgram(
      "scened", ["--state", workplace.state, "--", "bash", "-c", script],
      environment: ["TMPDIR": temporary])
    let words = try running.line(containing: "up").split(separator: " ")
    let socket = try #require(words.dropFirst().first)
    let left = try #require(words.last.flatMap { Int32($0) })
    let client = try WireClient(socket: String(socket))
    try client.initialize(as: .control)
    try disk.fail()
    try client.send(SceneConnect(name: "packing"))
    #expect(try client.farewell()?.reason == .shuttingDown)
    #expect(try running.reap() == .exited(74))
    #expect(try running.rest() == "hung up\n")
    try eventually("the processes of the command have ended", polling: .processes) {
      ProcessIdentity.of(left)?.isAlive != true
    }
    #expect(try Directory.list(temporary).isEmpty)
  }

  @Test("if the disk hangs, the message names the state directory, and no save is lost")
  func frozen() throws {
    let workplace = try Workplace()
    let disk = try LoopDisk(workplace)
    let daemon = try Daemon(workplace)
    let client = try daemon.client()
    let scene = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    try disk.freeze()
    let save = try client.send(SaveActivity(session: scene.session, activity: .numbered(1)))
    let verb = try daemon.run("scenectl", ["title", "packing", "Title", "-t", "1s"])
    try disk.thaw()
    #expect(verb.code == 124)
    let remedy = "the disk answers. Check the disk of its state directory: \(workplace.state)\n"
    #expect(verb.errors.hasSuffix(remedy), "\(verb.errors)")
    let generation = try client.reply(to: save, of: SaveActivity.self).generation
    #expect(try daemon.stop().isSuccess)
    let next = try Daemon(workplace)
    let stored = try next.scenectl("show", "packing", "--value", "generation")
    #expect(stored == "\(generation)\n")
  }

  @Test("a start on a disk with errors also exits with 74")
  func atStart() throws {
    let workplace = try Workplace()
    let disk = try LoopDisk(workplace)
    try disk.fail()
    let outcome = try workplace.scened()
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("Input/output error"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }
}
