import CommandLine
import JSON
import SceneControlTestSupport
import SceneJournal
import SceneModel
import ScenePlatform
import Testing

@testable import scenectl

@Suite("Looking into a journal")
struct JournalVerbTests {
  @Test("a journal that is well is said to be")
  func verify() throws {
    let directory = try StateDirectory([.session(session(1)), .session(session(2)), discard(2)])
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .success)
    #expect(
      outcome.output == """
          log-1, 64 KiB, 1 batch, 3 records, durability disk, the current log
        \(directory.path): 1 file, 1 batch, 3 records, 1 session; no damage
          0 sessions have an activity; 202 bytes count against the limit of stored bytes
          confirmed through batch 0; batch 1, the newest, is not yet confirmed

        """)
    #expect(outcome.errors == "")
    #expect(try directory.names() == ["log-1"])
  }

  @Test("every record is an object on a line of its own")
  func dump() throws {
    let directory = try StateDirectory([.session(session(1)), discard(1)])
    let outcome = try Outcome.of(["journal", "--state", directory.path, "dump"])
    #expect(outcome.code == .success)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first == """
        {"file":"log-1","offset":4124,"sequence":1,"kind":"session","body":\(text(of: session(1)))}
        """)
    let rest = try #require(lines.last)
    #expect(
      rest.hasSuffix(
        #""sequence":1,"kind":"discard","body":{"session":"\#(identifier(1))"}}"#))
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

  @Test("all that lies before the damage is printed")
  func dumpOfDamage() throws {
    let directory = try StateDirectory([.session(session(1))], [discard(1)], [.session(session(2))])
    try directory.flip(byte: 8200, of: "log-1")
    let outcome = try Outcome.of(["journal", "dump", directory.path])
    #expect(outcome.code == .badData)
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.output.contains(#""sequence":1,"kind":"session""#))
    #expect(outcome.errors.contains("\(directory.path)/log-1 is damaged at offset 8192: "))
  }

  @Test("what lies before a file that is missing, or has no header, is printed")
  func dumpBeforeFile() throws {
    let directory = try StateDirectory([.session(session(1))])
    for number in 2...3 { try directory.open([.session(session(number))]) }
    #expect(try directory.names() == ["log-1", "log-2", "log-3"])
    try directory.flip(byte: 20, of: "log-3")
    let header = try Outcome.of(["journal", "dump", directory.path])
    #expect(header.code == .badData)
    #expect(header.output.contains(identifier(2).description))
    #expect(header.errors.contains("\(directory.path)/log-3 is damaged at offset 0: the header"))
    try File.remove(directory.path + "/log-2")
    try directory.flip(byte: 20, of: "log-3")
    let missing = try Outcome.of(["journal", "dump", directory.path])
    #expect(missing.code == .badData)
    #expect(missing.output.split(separator: "\n").count == 1)
    #expect(missing.errors.contains("\(directory.path)/log-2 is missing; log-3 needs it"))
  }

  /// What can be wrong with a log that another one follows.
  enum Spoiling: CaseIterable {
    case removed, cut, replaced

    func spoil(_ path: String) throws {
      if self == .cut {
        let bytes = try File.read(path, limit: 1 << 20)
        try File.write(bytes.prefix(20), to: path, mode: 0o600)
      } else {
        try File.remove(path)
        if self == .replaced { try Directory.make(path) }
      }
    }

    var complaint: String {
      switch self {
      case .removed: "/log-2 is missing; log-3 needs it, or a base that contains it\n"
      case .cut: "/log-2 is damaged at offset 20: the file has 20 bytes instead of 72\n"
      case .replaced: "/log-2: found a directory, not a file\n"
      }
    }
  }

  @Test(
    "what is wrong is the file that is not as it was, and not the one before",
    arguments: Spoiling.allCases)
  func spoilt(_ spoiling: Spoiling) throws {
    let directory = try StateDirectory([.session(session(1))])
    for number in 2...3 { try directory.open([.session(session(number))]) }
    // As a real log, it is shorter from when it was sealed on.
    let log = try File.read(directory.path + "/log-1", limit: 1 << 20)
    try File.write(log.prefix(8192), to: directory.path + "/log-1", mode: 0o600)
    #expect(try Outcome.of(["journal", "verify", directory.path]).code == .success)
    try spoiling.spoil(directory.path + "/log-2")
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .badData)
    #expect(outcome.errors.contains(directory.path + spoiling.complaint), "\(outcome.errors)")
    let words = outcome.errors.split(whereSeparator: \.isWhitespace).map(String.init)
    let salvage = try #require(words.firstIndex(of: "salvage"))
    let target = words[salvage + 3]
    defer { try? Directory.removeTree(target) }
    let saved = try Outcome.of(Array(words[(salvage - 1)...]))
    #expect(saved.code == .success, "\(saved.errors)")
    #expect(saved.output.hasPrefix("Saved 3 sessions and 0 activities from \(directory.path) "))
    #expect(saved.output.contains("\n  log-2"))
    #expect(try Outcome.of(["journal", "verify", target]).code == .success)
  }

  @Test("verify prints one object for scripts")
  func verifyForScripts() throws {
    let directory = try StateDirectory([.session(session(1))], [.session(session(2))])
    try directory.open([])
    let outcome = try Outcome.of(["--json", "journal", "verify", directory.path])
    #expect(outcome.code == .success)
    #expect(
      outcome.output == """
        {"directory":"\(directory.path)","batches":2,"records":2,"sessions":2,"activities":0,\
        "storedBytes":404,"topics":0,"events":0,"newestBatch":2,"attestedBatch":2,\
        "tailBytes":0,"files":[\
        {"file":"log-1","bytes":65536,"usedBytes":4257,"batches":1,"records":1,\
        "durability":"disk","sealedAt":8192},\
        {"file":"log-2","bytes":65536,"usedBytes":4257,"batches":1,"records":1,\
        "durability":"disk","sealedAt":null}]}

        """)
  }

  @Test("of a tail nothing is said that cannot be known")
  func doubtfulTail() throws {
    let directory = try StateDirectory([.session(session(1))], [discard(1)])
    try directory.flip(byte: 8200, of: "log-1")
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .success)
    #expect(
      outcome.output.contains("1 record, 1 session; no damage in the records that a start reads\n"))
    #expect(outcome.output.contains("\n  log-1: "))
    #expect(
      outcome.output.contains("one or more of the newest saves; the next start drops these bytes\n")
    )
    #expect(!outcome.output.contains("; no damage\n"))
    let attested = try StateDirectory([.session(session(1))])
    try attested.open([])
    try attested.flip(byte: 4200, of: "log-2")
    #expect(try Outcome.of(["journal", "verify", attested.path]).code == .badData)
  }

  @Test("records that cannot follow each other are damage")
  func inconsistent() throws {
    let unknown = Record.held(Tenure(session: identifier(9)))
    let directory = try StateDirectory([unknown])
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .badData)
    #expect(outcome.errors.hasPrefix("scenectl: \(directory.path)/log-1 is damaged at offset 4124"))
    #expect(try Outcome.of(["journal", "dump", directory.path]).code == .success)
  }

  @Test("where there is no journal, there is none")
  func none() throws {
    let directory = try StateDirectory()
    #expect(try Outcome.of(["journal", "verify", directory.path]).code == .noSession)
    #expect(try Outcome.of(["journal", "dump", directory.path + "/x"]).code == .noSession)
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

  @Test("what it takes to end a broker first is about the one that has the state")
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
