import CommandLine
import JSON
import SceneJournal
import SceneModel
import ScenePlatform
import Testing

@testable import scenectl

@Suite("Looking into a journal")
struct JournallingTests {
  @Test("a journal that is well is said to be")
  func verify() throws {
    let directory = try StateDirectory([.session(session(1)), .session(session(2)), discard(2)])
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .yes)
    #expect(
      outcome.output == """
          log-1, 65536 bytes, durability disk, the last
        \(directory.path): 1 file, 1 batch, 3 records, 1 session; all is well

        """)
    #expect(outcome.errors == "")
    #expect(try directory.names() == ["log-1"])
  }

  @Test("every record is an object on a line of its own")
  func dump() throws {
    let directory = try StateDirectory([.session(session(1)), discard(1)])
    let outcome = try Outcome.of(["journal", "--state", directory.path, "dump"])
    #expect(outcome.code == .yes)
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
        scenectl: \(directory.path)/log-1 is damaged at offset 4096: a batch does not check, and a \
        valid one follows it at offset 8192
        Keep what can be read with: scenectl journal salvage \(directory.path) --into NEWDIR

        """)
  }

  @Test("a tail that was never acknowledged is no damage")
  func tornTail() throws {
    let directory = try StateDirectory([.session(session(1))], [discard(1)])
    try directory.flip(byte: 8200, of: "log-1")
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .yes)
    #expect(
      outcome.output.contains("1 record, 1 session; all is well\n  log-1 ends at offset 8192"))
  }

  @Test("records that cannot follow each other are damage")
  func inconsistent() throws {
    let unknown = Record.held(Tenure(session: identifier(9)))
    let directory = try StateDirectory([unknown])
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .badData)
    #expect(outcome.errors.hasPrefix("scenectl: \(directory.path)/log-1 is damaged at offset 4124"))
    #expect(try Outcome.of(["journal", "dump", directory.path]).code == .yes)
  }

  @Test("where there is no journal, there is none")
  func none() throws {
    let directory = try StateDirectory()
    #expect(try Outcome.of(["journal", "verify", directory.path]).code == .no)
    #expect(try Outcome.of(["journal", "dump", directory.path + "/x"]).code == .no)
    let both = try Outcome.of(["journal", "verify", directory.path, "--state", directory.path])
    #expect(both.code == .usage)
  }

  @Test("a broker that is running is told, and its lock left alone")
  func served() throws {
    let directory = try StateDirectory([.session(session(1))])
    let lock = try File.open(directory.path + "/lock", [.read, .write, .create])
    #expect(try lock.tryLock())
    let outcome = try Outcome.of(["journal", "verify", directory.path])
    #expect(outcome.code == .yes)
    #expect(outcome.errors.hasPrefix("scenectl: a broker is running on \(directory.path)"))
    lock.close()
    let alone = try Outcome.of(["journal", "verify", directory.path])
    #expect(alone.errors == "")
    let free = try File.open(directory.path + "/lock", .read)
    #expect(try free.tryLock())
  }

  private func session(_ number: Int) -> SessionAttributes {
    SessionAttributes(identifier: identifier(number), configuration: SceneConfiguration())
  }

  private func discard(_ number: Int) -> Record { .discard(Discard(session: identifier(number))) }
}
