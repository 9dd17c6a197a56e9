import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A small file system in memory that can be full. Only a user who can mount can create one.
@Suite(.enabled(if: SmallDisk.isPossible, "needs a user who can mount"))
struct FullDiskTests {
  @Test("a broker on a full disk refuses saves, does everything else, and recovers by itself")
  func full() throws {
    let workplace = try Workplace()
    let disk = try SmallDisk(at: workplace.state, mebibytes: 20)
    let daemon = try Daemon(workplace)
    let client = try daemon.client()
    let scene = try client.request(SceneConnect(name: "packing"))
    let control = try daemon.client(as: .control)
    try client.callback(.didBecomeActive)

    // A log has 16 MiB. When the log is half full, the next log does not fit on the disk.
    var saves = 0
    let refusal = try firstRefusal {
      saves += 1
      try client.save(.filler(saves, bytes: 200_000), in: scene.session)
    }
    #expect(refusal.reason == .storageFull)
    #expect(refusal.retry == .later)
    #expect(saves > 30)

    // The saved activity exists, and requests that need no space succeed.
    let shown = try control.request(SessionShow(session: scene.session))
    #expect(shown.sceneSession.stateRestorationActivity == .filler(saves - 1, bytes: 200_000))
    #expect(throws: BrokerError.self) { try control.request(SceneConnect(name: "another")) }
    #expect(try control.request(ApplicationStatus()).storage == "full")
    control.acknowledge = { _ in nil }
    let moved = try control.send(SceneTransition(session: scene.session, to: .background))
    try client.callback(.stateRestorationActivity)
    #expect(try control.reply(to: moved, of: SceneTransition.self).state == .background)

    try disk.resize(mebibytes: 80)
    try saveUntilAccepted(scene.session, client)
    #expect(try control.request(ApplicationStatus()).storage == "ok")
    try daemon.kill()
    let again = try Daemon(workplace)
    let reader = try again.client(as: .control)
    let kept = try reader.request(SessionShow(session: scene.session))
    #expect(kept.sceneSession.stateRestorationActivity == .filler(0, bytes: 1000))
  }

  @Test("a broker does not start without space for a log, and changes no file")
  func noRoom() throws {
    let workplace = try Workplace()
    let disk = try SmallDisk(at: workplace.state, mebibytes: 8)
    let outcome = try workplace.scened()
    #expect(outcome.code == 75)
    #expect(
      outcome.errors.contains(
        "the disk is full: the journal in \(workplace.state) needs 16 MiB, and "))
    #expect(outcome.errors.contains(" MiB are free (No space left on device); free disk space"))
    #expect(try Directory.list(workplace.state).filter { $0 != "lock" }.isEmpty)
    withExtendedLifetime(disk) {}
  }

  @Test("a limit on the length of files is reported as missing space, and kills no broker")
  func limitedFiles() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      "/bin/sh",
      [
        "-c", "ulimit -f 8192; exec \"$@\"", "sh", try Programs.path("scened"), "-S",
        workplace.socket,
        "--state", workplace.state,
      ])
    #expect(outcome.code == 75)
    #expect(outcome.errors.contains("no room: the journal in \(workplace.state) needs 16 MiB"))
    #expect(outcome.errors.contains("(File too large)"))
  }

  @Test("a broker that was killed on a disk without a free byte starts again every time")
  func noByteLeft() throws {
    let workplace = try Workplace()
    let disk = try SmallDisk(at: workplace.state, mebibytes: 20)
    var daemon = try Daemon(workplace)
    let client = try daemon.client()
    let scene = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    try client.save(.numbered(1), in: scene.session)
    try waitForBallast(in: workplace)
    for _ in 1...3 {
      try fill(workplace.state)
      try daemon.kill()
      daemon = try Daemon(workplace)
      let control = try daemon.client(as: .control)
      let shown = try control.request(SessionShow(session: scene.session))
      #expect(shown.sceneSession.stateRestorationActivity == .numbered(1))
      try daemon.program.errorLine(containing: "storage: exhausted")
      try waitForBallast(in: workplace)
    }
    try disk.resize(mebibytes: 80)
    let control = try daemon.client(as: .control)
    try saveUntilAccepted(scene.session, control)
  }

  /// Waits until the ballast has its blocks. Its file exists before that, and a disk that is filled
  /// meanwhile leaves no blocks for the ballast.
  private func waitForBallast(in workplace: Workplace) throws {
    try eventually("the ballast has its blocks", polling: .files) {
      guard let status = try? FileStatus(of: workplace.file("state/ballast")) else { return false }
      return status.size > 0 && status.allocated >= status.size
    }
  }

  /// Uses every free byte.
  private func fill(_ path: String) throws {
    let filling = #"for size in 1M 4k; do dd if=/dev/zero bs=$size >>"$0/filler"; done; true"#
    _ = try RunningProgram.run("/bin/sh", ["-c", filling, path])
  }

  private func firstRefusal(_ body: () throws -> Void) throws -> BrokerError {
    for _ in 0..<1000 {
      do { try body() } catch let error as BrokerError { return error }
    }
    throw Unmet("the broker accepted a thousand saves")
  }

  /// The broker checks the free space from time to time, so the request is repeated, as its `retry`
  /// states.
  private func saveUntilAccepted(_ session: SessionIdentifier, _ client: WireClient) throws {
    try eventually("the broker accepts saves again", polling: .broker) {
      do {
        try client.save(.filler(0, bytes: 1000), in: session)
        return true
      } catch let error as BrokerError where error.reason == .storageFull {
        return false
      }
    }
  }
}

/// A file system of a few MiB, which is removed after the test.
private final class SmallDisk {
  private let path: String

  init(at path: String, mebibytes: Int) throws {
    self.path = path
    try Directory.make(path)
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=0700", "scene", path])
  }

  deinit { try? Self.run("umount", ["-l", path]) }

  func resize(mebibytes: Int) throws {
    try Self.run("mount", ["-o", "remount,size=\(mebibytes)m", path])
  }

  static let isPossible: Bool = {
    guard User.current == 0, let workplace = try? Workplace() else { return false }
    return (try? SmallDisk(at: workplace.file("probe"), mebibytes: 1)) != nil
  }()

  private static func run(_ command: String, _ arguments: [String]) throws {
    let outcome = try RunningProgram.run("/bin/\(command)", arguments)
    guard outcome.code == 0 else { throw Unmet("\(command): \(outcome.errors)") }
  }
}
