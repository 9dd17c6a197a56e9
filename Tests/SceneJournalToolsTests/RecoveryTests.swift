import SceneCommandLine
import SceneJSON
import SceneJournalTools
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneJournalTools

@Suite("Recovery of a damaged journal")
struct RecoveryTests {
  @Test("the activities of a lost session go to a session of the built-in manifest")
  func recovered() throws {
    var hold = Hold(session: identifier(1))
    hold.number = 3
    let directory = try StateDirectory(
      [session(1, name: "packing")], [try activity(1, 1), try activity(1, 2)], [.held(hold)])
    try directory.flip(byte: 4200, of: "log-1")
    let (report, state) = try saved(directory)
    let kept = try #require(state[identifier(1)])
    #expect(kept.attributes.name == "recovered-\(identifier(1).short)")
    #expect(kept.attributes.role == .windowApplication)
    #expect(kept.attributes.configuration.name == "Default Configuration")
    #expect(kept.attributes.created == 1)
    #expect(kept.generations.map(\.number) == [1, 2])
    #expect(kept.hold == hold)
    #expect(report.hasPrefix("Saved 1 session and 2 activities"))
  }

  @Test("a later record of a session restores its properties")
  func describedAgain() throws {
    let directory = try StateDirectory(
      [session(1, name: "packing")], [try activity(1, 1)], [session(1, name: "packing")])
    try directory.flip(byte: 4200, of: "log-1")
    let (report, state) = try saved(directory)
    #expect(state[identifier(1)]?.attributes.name == "packing")
    #expect(state[identifier(1)]?.generation == 1)
    #expect(!report.contains("recovered-"))
  }

  @Test("a session that is discarded after the damage stays discarded")
  func discardedAfterwards() throws {
    let directory = try StateDirectory(
      [session(1), session(2)], [try activity(1, 1), session(2)],
      [discard(1)])
    try directory.flip(byte: 4200, of: "log-1")
    let (report, state) = try saved(directory)
    #expect(state.sessions.keys.sorted() == [identifier(2)])
    #expect(!report.contains("recovered-"))
  }

  @Test("a name belongs to the newer session")
  func renamed() throws {
    let directory = try StateDirectory(
      [session(1, name: "packing"), try activity(1, 1)],
      [session(1, name: "old")], [session(2, name: "packing"), try activity(2, 1)])
    try directory.flip(byte: 8300, of: "log-1")
    let (report, state) = try saved(directory)
    #expect(state.sessions.count == 2)
    #expect(state.names == ["packing": identifier(2)])
    #expect(state[identifier(1)]?.generation == 1)
    #expect(
      report.contains(
        "These sessions lost their name to a newer session:\n  \(identifier(1)) packing\n"))
  }

  @Test("records that cannot follow each other are all kept")
  func inconsistent() throws {
    let directory = try StateDirectory([try activity(1, 1)])
    let (report, state) = try saved(directory)
    #expect(state[identifier(1)]?.generation == 1)
    #expect(report.hasPrefix("Saved 1 session and 1 activity"))
    #expect(report.contains("Nothing was lost\n"))
  }

  @Test("the report lists discarded sessions that exist again")
  func returned() throws {
    let directory = try StateDirectory([session(1, name: "old")], [discard(1)], [session(2)])
    try directory.flip(byte: 8192 + 24, of: "log-1")
    let saved = try directory.recover()
    #expect(
      saved.report.contains(
        "These sessions were discarded and exist again:\n  \(identifier(1)) old\n"))
    #expect(try saved.state().state.contains(identifier(1)))
  }

  /// The report and the state of a recovery without substitutes.
  private func saved(_ directory: StateDirectory) throws -> (report: String, state: StoredState) {
    let saved = try directory.recover()
    let recovered = try saved.state()
    #expect(!recovered.hasSubstitutes)
    return (saved.report, recovered.state)
  }
}
