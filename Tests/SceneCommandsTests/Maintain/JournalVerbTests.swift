import SceneCommandLine
import SceneControlTestSupport
import SceneJSON
import SceneJournalTools
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("Looking into a journal")
struct JournalVerbTests {
  @Test("verify prints the report, as text or as one JSON object")
  func verify() throws {
    let directory = try StateDirectory([.session(session(1)), .session(session(2)), discard(2)])
    try directory.open([.session(session(3))])
    let report = try JournalVerification(of: directory.path, showing: nil)
    let text = try Outcome.of(["journal", "verify", directory.path])
    #expect(text.code == .success && text.errors == "")
    #expect(text.output == report.lines.map { $0 + "\n" }.joined())
    let json = try Outcome.of(["--json", "journal", "verify", directory.path])
    #expect(json.code == .success && json.errors == "")
    #expect(json.output == "\(report.json)\n")
    #expect(try directory.names() == ["log-1", "log-2"])
  }

  @Test("dump prints every record on a line")
  func dump() throws {
    let directory = try StateDirectory([.session(session(1)), discard(1)])
    var lines = ""
    _ = try JournalDump.run(directory.path) { lines += $0 + "\n" }
    let outcome = try Outcome.of(["journal", "--state", directory.path, "dump"])
    #expect(outcome.code == .success && !lines.isEmpty)
    #expect(outcome.output == lines)
  }

  @Test("damage is told with its file and offset")
  func damage() throws {
    let directory = try StateDirectory([.session(session(1))], [discard(1)])
    try directory.flip(byte: 4200, of: "log-1")
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .badData)
    #expect(
      outcome.errors == """
        scenectl: \(directory.path)/log-1 is damaged at offset 4096: the data does not match its \
        checksum, and a valid batch follows at offset 8192
        The journal was not changed. Save the readable part with: scenectl journal salvage \
        \(directory.path) --into \(directory.path)-salvaged

        """)
  }

  @Test("where there is no journal, there is none")
  func none() throws {
    let directory = try StateDirectory()
    #expect(try Outcome.of(["journal", "verify", directory.path]).code == .noSession)
    let missing = try Outcome.of(["journal", "dump", directory.path + "/x"])
    #expect(missing.code == .noSession)
    #expect(
      missing.errors
        == "scenectl: there is no journal in \(directory.path)/x: No such file or directory\n")
    let both = try Outcome.of(["journal", "verify", directory.path, "--state", directory.path])
    #expect(both.code == .usage)
  }

  @Test("a broker that is running is told, and its lock left alone")
  func served() throws {
    let directory = try StateDirectory([.session(session(1))])
    let lock = try File.open(directory.path + "/lock", [.read, .write, .create])
    #expect(try lock.tryLock())
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .success)
    #expect(outcome.errors.hasPrefix("scenectl: a broker uses \(directory.path): "))
    lock.close()
    let alone = try Outcome.of(["journal", "verify", directory.path])
    #expect(alone.errors == "")
    let free = try File.open(directory.path + "/lock", .read)
    #expect(try free.tryLock())
  }

  @Test("without a directory it is that of the broker whose socket is named")
  func ofBroker() throws {
    let directory = try StateDirectory([.session(session(1))])
    let socket = directory.path + "/other/sock"
    try Directory.make(directory.path + "/other")
    func note(_ holder: LockHolder) throws {
      let path = LockHolder.file(besideSocket: socket)
      try File.write(holder.text.utf8, to: path, mode: 0o600)
    }
    // One that has ended, and one that runs.
    for pid in [Int32.max, ProcessIdentity.currentPID] {
      try note(LockHolder(pid: pid, socket: socket, state: directory.path))
      let outcome = try Outcome.of(["-S", socket, "journal", "verify"])
      #expect(outcome.code == .success, "\(outcome.errors)")
      #expect(outcome.output.contains("\(directory.path): 1 file"))
      let named = try Outcome.of(["journal", "dump"], environment: ["SCENE_SOCKET": socket])
      #expect(named.code == .success)
    }
    try note(LockHolder(pid: ProcessIdentity.currentPID, socket: socket, state: ""))
    #expect(try Outcome.of(["-S", socket, "journal", "verify"]).code == .failure)
  }

  @Test("the advice to end a broker first names the broker that uses the state")
  func ending() throws {
    let directory = try StateDirectory([.session(session(1))])
    let lock = try File.open(directory.path + "/lock", [.read, .write, .create])
    #expect(try lock.tryLock())
    let socket = directory.path + "/a b"
    try lock.write(LockHolder(pid: ProcessIdentity.currentPID, socket: socket).text)
    func hint(_ words: [String]) throws -> String? {
      try Outcome.of(words + ["journal", "verify", directory.path]).errors
        .split(separator: "\n").last.map(String.init)
    }
    let gone = "For a reliable result, end the broker first: kill \(ProcessIdentity.currentPID)"
    #expect(try hint([]) == gone)
    try File.write("".utf8, to: socket, mode: 0o600)
    let other = "For a reliable result, end the broker first: scenectl -S '\(socket)' shutdown"
    #expect(try hint([]) == other)
    #expect(try hint(["-S", "/elsewhere"]) == other)
    #expect(try hint(["-S", socket]) == other)
  }

  private func session(_ number: Int) -> SessionAttributes {
    SessionAttributes(identifier: identifier(number), configuration: SceneConfiguration())
  }

  private func discard(_ number: Int) -> Record { .discard(Discard(session: identifier(number))) }
}
