import SceneCommandLine
import SceneJSON
import SceneJournalTools
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@Suite("Verify and dump")
struct VerificationTests {
  private func text(of record: Record) -> String {
    var writer = JSONWriter()
    record.writeBody(to: &writer)
    return RawJSON(unchecked: writer.bytes).description
  }

  @Test("an intact journal has a line for each file and the counts of its content")
  func verify() throws {
    let directory = try StateDirectory([session(1), session(2), discard(2)])
    #expect(
      try directory.verify().lines == [
        "  log-1, 64 KiB, 1 batch, 3 records, durability disk, the current log",
        "\(directory.path): 1 file, 1 batch, 3 records, 1 session; no damage",
        "  0 sessions have an activity; 202 bytes count against the limit of stored bytes",
        "  confirmed through batch 0; batch 1, the newest, is not yet confirmed",
      ])
    #expect(try directory.names() == ["log-1"])
  }

  @Test("the report is also one JSON object")
  func verifyAsJSON() throws {
    let directory = try StateDirectory([session(1)], [session(2)])
    try directory.open([])
    #expect(
      try directory.verify().json.description == """
        {"directory":"\(directory.path)","batches":2,"records":2,"sessions":2,"activities":0,\
        "storedBytes":404,"topics":0,"events":0,"newestBatch":2,"attestedBatch":2,\
        "tailBytes":0,"files":[\
        {"file":"log-1","bytes":65536,"usedBytes":4257,"batches":1,"records":1,\
        "durability":"disk","sealedAt":8192},\
        {"file":"log-2","bytes":65536,"usedBytes":4257,"batches":1,"records":1,\
        "durability":"disk","sealedAt":null}]}
        """)
  }

  @Test("a dump has a JSON object for each record")
  func dump() throws {
    let directory = try StateDirectory([session(1), discard(1)])
    let (lines, tail, error) = directory.dump()
    #expect(tail == nil && error == nil)
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

  @Test("a dump prints the records before the damage")
  func dumpOfDamage() throws {
    let directory = try StateDirectory([session(1)], [discard(1)], [session(2)])
    try directory.flip(byte: 8200, of: "log-1")
    let (lines, _, error) = directory.dump()
    #expect(error?.code == .badData)
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""sequence":1,"kind":"session""#) == true)
    #expect(error?.message.contains("\(directory.path)/log-1 is damaged at offset 8192: ") == true)
  }

  @Test("a dump prints the records before a missing file and before a damaged header")
  func dumpBeforeFile() throws {
    let directory = try StateDirectory([session(1)])
    for number in 2...3 { try directory.open([session(number)]) }
    #expect(try directory.names() == ["log-1", "log-2", "log-3"])
    try directory.flip(byte: 20, of: "log-3")
    let header = directory.dump()
    #expect(header.error?.code == .badData)
    #expect(header.lines.joined().contains(identifier(2).description))
    #expect(
      header.error?.message.contains("\(directory.path)/log-3 is damaged at offset 0: the header")
        == true)
    try File.remove(directory.path + "/log-2")
    try directory.flip(byte: 20, of: "log-3")
    let missing = directory.dump()
    #expect(missing.error?.code == .badData)
    #expect(missing.lines.count == 1)
    #expect(
      missing.error?.message.contains("\(directory.path)/log-2 is missing; log-3 needs it") == true)
  }

  /// A fault of a log that another log follows.
  enum Fault: CaseIterable {
    case removed, cut, replaced

    func apply(to path: String) throws {
      if self == .cut {
        let bytes = try File.read(path, limit: 1 << 20)
        try File.write(bytes.prefix(20), to: path, mode: 0o600)
      } else {
        try File.remove(path)
        if self == .replaced { try Directory.make(path) }
      }
    }

    var message: String {
      switch self {
      case .removed: "/log-2 is missing; log-3 needs it, or a checkpoint that contains it\n"
      case .cut: "/log-2 is damaged at offset 20: the file has 20 bytes instead of 72\n"
      case .replaced: "/log-2: found a directory, not a file\n"
      }
    }
  }

  @Test("the error names the changed file, and recovery keeps the rest", arguments: Fault.allCases)
  func changedFile(_ fault: Fault) throws {
    let directory = try StateDirectory([session(1)])
    for number in 2...3 { try directory.open([session(number)]) }
    // A sealed log is shorter than the current one.
    let log = try File.read(directory.path + "/log-1", limit: 1 << 20)
    try File.write(log.prefix(8192), to: directory.path + "/log-1", mode: 0o600)
    _ = try directory.verify()
    try fault.apply(to: directory.path + "/log-2")
    let error = try #require(throws: ProgramError.self) { try directory.verify() }
    #expect(error.code == .badData)
    #expect(error.message.contains(directory.path + fault.message), "\(error.message)")
    let saved = try directory.recover()
    #expect(
      saved.report.hasPrefix("Saved 3 sessions and 0 activities from \(directory.path) "))
    #expect(saved.report.contains("\n  log-2"))
    _ = try JournalVerification(of: saved.path, showing: nil)
  }

  @Test("the report on an interrupted write does not call the journal intact")
  func doubtfulTail() throws {
    let directory = try StateDirectory([session(1)], [discard(1)])
    try directory.flip(byte: 8200, of: "log-1")
    let lines = try directory.verify().lines
    let all = lines.joined(separator: "\n") + "\n"
    #expect(all.contains("1 record, 1 session; no damage in the records that a start reads\n"))
    #expect(all.contains("\n  log-1: "))
    #expect(all.contains("one or more of the newest saves; the next start drops these bytes\n"))
    #expect(!all.contains("; no damage\n"))
    let confirmed = try StateDirectory([session(1)])
    try confirmed.open([])
    try confirmed.flip(byte: 4200, of: "log-2")
    let error = try #require(throws: ProgramError.self) { try confirmed.verify() }
    #expect(error.code == .badData)
  }

  @Test("a record that cannot follow the records before it is damage; a dump prints it")
  func inconsistent() throws {
    let directory = try StateDirectory([Record.held(Hold(session: identifier(9)))])
    let error = try #require(throws: ProgramError.self) { try directory.verify() }
    #expect(error.code == .badData)
    #expect(error.message.hasPrefix("\(directory.path)/log-1 is damaged at offset 4124"))
    let (lines, _, dumpError) = directory.dump()
    #expect(lines.count == 1 && dumpError == nil)
  }

  @Test("an empty or missing directory has no journal")
  func none() throws {
    let directory = try StateDirectory()
    let error = try #require(throws: ProgramError.self) { try directory.verify() }
    #expect(error.code == .noSession)
    let missing = try #require(throws: ProgramError.self) {
      try JournalDump.run(directory.path + "/x") { _ in }
    }
    #expect(missing.code == .noSession)
  }
}
