import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A broker refuses a damaged journal, and leaves it unchanged.
struct DamagedJournalTests {
  /// Runs and stops a daemon, which saves three times.
  private func makeJournal(_ workplace: Workplace) throws {
    let daemon = try Daemon(workplace)
    let client = try daemon.client(as: .control)
    let session = try client.request(SceneConnect(name: "packing")).session
    for number in 1...3 {
      try client.save(.numbered(number), in: session)
    }
    _ = try client.request(SceneDisconnect(session: session))
    #expect(try daemon.stop().isSuccess)
  }

  /// The ranges of a log's batches without the last one, which is only a commit marker.
  private func batches(of log: String) throws -> [Range<Int>] {
    let bytes = try File.open(log, .read).read(at: 0, count: 1 << 16)
    let used = stride(from: 4096, to: bytes.count, by: 4096).compactMap { page -> Range<Int>? in
      guard let last = bytes[page..<page + 4096].lastIndex(where: { $0 != 0 }) else { return nil }
      return page..<last + 1
    }
    return used.dropLast()
  }

  /// Starts a daemon and checks that it only prints the message.
  @discardableResult
  private func expectRefusal(_ workplace: Workplace, _ message: String) throws -> Outcome {
    // The holder of the lock writes its name into the lock file.
    let before = try Contents(of: workplace.state, without: "lock")
    let outcome = try workplace.scened()
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output == "")
    #expect(try Contents(of: workplace.state, without: "lock") == before)
    #expect(!File.exists(workplace.socket))
    return outcome
  }

  @Test("the command in the error recovers the readable records, and a broker starts with them")
  func salvage() throws {
    let workplace = try Workplace()
    try makeJournal(workplace)
    let log = workplace.file("state/log-1")
    let last = try #require(try batches(of: log).last)
    let file = try File.open(log, [.read, .write])
    let byte = try file.read(at: Int64(last.lowerBound + 40), count: 1)[0] ^ 0x41
    try file.write(ContiguousArray([byte]).span.bytes, at: Int64(last.lowerBound + 40))
    let refused = try expectRefusal(
      workplace, "log-1 is damaged at offset \(last.lowerBound):")
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
    try makeJournal(workplace)
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
    try makeJournal(workplace)
    let path = workplace.file("state/log-1")
    let last = try #require(try batches(of: path).last)
    // After the commit marker, which proves that all earlier batches are complete.
    let end = (last.upperBound + 4095) / 4096 * 4096 + 4096
    let file = try File.open(path, .write)
    try file.write(ContiguousArray("half a batch".utf8).span.bytes, at: Int64(end))
    let daemon = try Daemon(workplace)
    try daemon.program.errorLine(
      containing: "warning: log-1: 12 bytes from offset \(end) on match no checksum: ")
    try daemon.scenectl("is", "packing activity.userInfo.number=3")
    #expect(try daemon.stop().isSuccess)
    let again = try Daemon(workplace)
    #expect(try again.stop().isSuccess)
    #expect(try !again.program.everythingOnErrors().contains("dropped"))
  }
}
