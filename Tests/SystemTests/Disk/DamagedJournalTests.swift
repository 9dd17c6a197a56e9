import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A broker refuses a journal in which acknowledged data was changed. It names the file and the
/// offset, and leaves the journal unchanged.
struct DamagedJournalTests {
  /// Runs and stops a daemon several times. Leaves a checkpoint, sealed logs and a last log.
  private func makeJournal(_ workplace: Workplace, lives: Int) throws {
    for life in 1...lives {
      let daemon = try Daemon(workplace)
      let client = try daemon.client(as: .control)
      let scene = try client.request(SceneConnect(name: "packing"))
      for save in 1...3 {
        _ = try client.request(
          SaveActivity(session: scene.session, activity: .numbered(10 * life + save)))
      }
      _ = try client.request(SceneDisconnect(session: scene.session))
      // The journal writes more than eight logs out as a checkpoint.
      if life == Self.livesUntilBase {
        try eventually("the journal is compacted", polling: .files) {
          File.exists(workplace.file("state/base-1"))
        }
      }
      #expect(try daemon.stop().isSuccess)
    }
  }

  private static let livesUntilBase = 9

  /// The ranges of a log's batches without the last one, which is only a commit marker.
  private func batches(of log: String) throws -> [Range<Int>] {
    let bytes = try File.open(log, .read).read(at: 0, count: 1 << 16)
    let used = stride(from: 4096, to: bytes.count, by: 4096).compactMap { page -> Range<Int>? in
      guard let last = bytes[page..<page + 4096].lastIndex(where: { $0 != 0 }) else { return nil }
      return page..<last + 1
    }
    return used.dropLast()
  }

  /// Changes some bits of one byte.
  private func flip(_ path: String, _ offset: Int) throws {
    let file = try File.open(path, [.read, .write])
    let byte = try file.read(at: Int64(offset), count: 1)
    try file.write(ContiguousArray([byte[0] ^ 0x41]).span.bytes, at: Int64(offset))
  }

  /// Starts a daemon and checks that it only prints the message.
  private func expectRefusal(
    _ workplace: Workplace, _ message: String, location: SourceLocation = #_sourceLocation
  ) throws {
    // The holder of the lock writes its name into the lock file.
    let before = try Contents(of: workplace.state, without: "lock")
    let outcome = try workplace.scened()
    #expect(outcome.code == 65, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(message), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.output == "", sourceLocation: location)
    #expect(try Contents(of: workplace.state, without: "lock") == before, sourceLocation: location)
    #expect(!File.exists(workplace.socket), sourceLocation: location)
  }

  @Test("a start finds one changed byte of acknowledged data, wherever it is")
  func flipped() throws {
    let workplace = try Workplace()
    try makeJournal(workplace, lives: Self.livesUntilBase + 1)
    let files = try Directory.list(workplace.state).filter { !["ballast", "lock"].contains($0) }
    #expect(files.first == "base-1")
    #expect(files.count > 2)
    var places: [(file: String, byte: Int, batch: Int?)] = []
    for log in files.dropFirst() {
      places += [0, 8, 40].map { (log, $0, 0) }
      for batch in try batches(of: workplace.file("state/\(log)")) {
        let step = max(1, batch.count / 4)
        places += stride(from: batch.lowerBound, to: batch.upperBound, by: step)
          .map { (log, $0, batch.lowerBound) }
      }
    }
    let checkpoint = try FileStatus(of: workplace.file("state/base-1")).size
    places += stride(from: 0, to: Int(checkpoint), by: Int(checkpoint) / 16).map {
      ("base-1", $0, nil)
    }
    #expect(places.count >= 64, "\(places.count)")
    for (file, byte, batch) in places {
      try flip(workplace.file("state/\(file)"), byte)
      try expectRefusal(
        workplace, "\(file) is damaged at offset \(batch.map { "\($0):" } ?? "")")
      try flip(workplace.file("state/\(file)"), byte)
    }
    // None of the failed starts has changed the journal.
    let daemon = try Daemon(workplace)
    try daemon.scenectl(
      "is", "packing activity.userInfo.number=\(10 * (Self.livesUntilBase + 1) + 3)")
  }

  @Test("the command in the error recovers the readable records, and a broker starts with them")
  func salvage() throws {
    let workplace = try Workplace()
    try makeJournal(workplace, lives: 1)
    let log = workplace.file("state/log-1")
    let last = try #require(try batches(of: log).last)
    try flip(log, last.lowerBound + 40)
    let refused = try workplace.scened()
    #expect(refused.code == 65)
    let command = try #require(refused.errors.split(separator: "with: ").last)
    let salvaged = try RunningProgram.run(
      "sh", ["-c", String(command)],
      environment: ["PATH": Programs.searchPath(), "XDG_STATE_HOME": workplace.path])
    #expect(salvaged.code == 0 && salvaged.errors == "", "\(salvaged)")
    #expect(salvaged.output.contains("log-1:\(last.lowerBound)-"))
    let daemon = try Daemon(workplace, ["--state", workplace.state + "-salvaged"])
    try daemon.scenectl("is", "packing")
  }

  @Test("a start reports a deleted journal, and how to start without it")
  func deleted() throws {
    let workplace = try Workplace()
    try makeJournal(workplace, lives: 1)
    for _ in 1...2 {
      for log in try Directory.list(workplace.state) where log != "lock" {
        try File.remove(workplace.file("state/\(log)"))
      }
      // The second time, a refused start came before.
      try expectRefusal(workplace, "every file of the journal is missing: \(workplace.state)/lock")
    }
    let verified = try RunningProgram.run("scenectl", ["journal", "verify", workplace.state])
    #expect(verified.code == 65)
    let command = try #require(verified.errors.split(separator: "without them: ").last)
    #expect(try RunningProgram.run("/bin/sh", ["-c", String(command)]).code == 0)
    let daemon = try Daemon(workplace)
    #expect(try daemon.stop().isSuccess)
  }

  @Test("a start drops an unreadable tail with a warning, and no other data")
  func doubtfulTail() throws {
    let workplace = try Workplace()
    try makeJournal(workplace, lives: 1)
    let path = workplace.file("state/log-1")
    let last = try #require(try batches(of: path).last)
    // After the commit marker, which proves that all earlier batches are complete.
    let end = (last.upperBound + 4095) / 4096 * 4096 + 4096
    let file = try File.open(path, .write)
    try file.write(ContiguousArray("half a batch".utf8).span.bytes, at: Int64(end))
    let daemon = try Daemon(workplace)
    try daemon.program.errorLine(
      containing: "warning: log-1: 12 bytes from offset \(end) on match no checksum: ")
    try daemon.scenectl("is", "packing activity.userInfo.number=13")
    #expect(try daemon.stop().isSuccess)
    let again = try Daemon(workplace)
    #expect(try again.stop().isSuccess)
    #expect(try !again.program.everythingOnErrors().contains("dropped"))
  }
}
