import SceneCommandLine
import SceneJournalTools
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneJournalTools

@Suite("Discard without a broker")
struct OfflineDiscardTests {
  private func stored(_ directory: StateDirectory) throws -> StoredState {
    try RecoveredDirectory.read(directory.path).state
  }

  @Test("a session is discarded by name, identifier or prefix, and named twice is discarded once")
  func discardsSessions() throws {
    let directory = try StateDirectory([session(1, name: "packing"), session(2), session(3)])
    try OfflineDiscard.run(
      ["packing", identifier(1).description, identifier(2).description], in: directory.path)
    #expect(try stored(directory).sessions.keys.sorted() == [identifier(3)])
    let lines = try JournalVerification(of: directory.path, showing: nil).lines
    #expect(lines.joined().contains("the newest"))
  }

  @Test("the next delegate gets no report of a session that another host has")
  func away() throws {
    var away = SessionAttributes(identifier: identifier(1), configuration: SceneConfiguration())
    away.away = SessionAway(to: "desktop", fence: 1)
    let directory = try StateDirectory([.session(away), session(2), .delegateKnown])
    try OfflineDiscard.run(nil, in: directory.path)
    let state = try stored(directory)
    #expect(state.sessions.isEmpty)
    #expect(state.discarded.map(\.session.attributes.identifier) == [identifier(2)])
  }

  @Test("if a session does not exist, none is discarded")
  func unknownSession() throws {
    let directory = try StateDirectory([session(1, name: "packing")])
    let error = try #require(throws: ProgramError.self) {
      try OfflineDiscard.run(["packing", "writing"], in: directory.path)
    }
    #expect(error == ProgramError(.noSession, "no stored session is called writing"))
    #expect(try stored(directory).sessions.count == 1)
  }

  @Test("an ambiguous prefix is a usage error")
  func ambiguousPrefix() throws {
    let directory = try StateDirectory([session(1), session(2)])
    let error = try #require(throws: ProgramError.self) {
      try OfflineDiscard.run(["aaaa"], in: directory.path)
    }
    #expect(error.code == .usage)
    #expect(error.message.contains("(2 matches)"))
  }

  @Test("a directory without a journal has none afterwards")
  func noJournal() throws {
    let directory = try StateDirectory()
    let error = try #require(throws: ProgramError.self) {
      try OfflineDiscard.run(["packing"], in: directory.path + "/missing")
    }
    #expect(error.code == .noSession)
  }
}
