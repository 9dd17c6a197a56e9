import SceneBroker
import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

@Suite("The journal bridge")
struct JournalBridgeTests {
  private let keeper = SteppedJournalSink()

  private func records(_ count: Int) -> [Record] {
    (0..<count).map { number in
      .session(
        SessionAttributes(
          identifier: SessionIdentifier(random: UInt64(number), 1),
          configuration: SceneConfiguration()))
    }
  }

  @Test("records are counted when they are submitted, and again when they are durable")
  func counting() {
    var journal = JournalBridge(keeper)
    journal.submit(records(3), holdCount: 0)
    journal.submit([], holdCount: 0)
    journal.submit(records(2), holdCount: 0)
    #expect(keeper.submissions.map(\.count) == [3, 2])
    #expect(keeper.submissions.map(\.through) == [3, 5])
    #expect(journal.submitted == 5 && journal.durable == 0)
    #expect(journal.update() == nil)
    keeper.sync()
    #expect(journal.update() == 5)
    #expect(journal.durable == 5)
    #expect(journal.update() == nil)
  }

  @Test("a submission never uses reserved space")
  func reservation() {
    var journal = JournalBridge(keeper)
    journal.submit(records(1), holdCount: 2)
    journal.submit(records(1), holdCount: 1)
    #expect(keeper.setAside == 2 && journal.reservedEnds == 2)
    journal.reserve(1)
    #expect(keeper.setAside == 1 && journal.reservedEnds == 1)
  }

  @Test("a change of the storage is reported once")
  func storage() {
    var journal = JournalBridge(keeper)
    #expect(journal.takeStorageChange() == nil)
    keeper.news.storage = .full
    #expect(journal.takeStorageChange() == nil, "the bridge has not read the status")
    _ = journal.update()
    #expect(journal.takeStorageChange()?.room == .full)
    #expect(journal.takeStorageChange() == nil)
    keeper.news.storage = .ok
    _ = journal.update()
    #expect(journal.takeStorageChange()?.room == .ok)
  }

  @Test("the log gets a line when the free space changes")
  func messages() {
    var journal = JournalBridge(keeper)
    #expect(journal.takeRoomMessages(.ok) == nil)
    let messages = journal.takeRoomMessages(.full)
    #expect(messages?.texts == ["storage: full"] && messages?.isWarning == false)
    #expect(journal.takeRoomMessages(.full) == nil)
    #expect(journal.takeRoomMessages(.ok)?.texts == ["storage: ok"])
  }

  @Test("the journal looks for space once after a refusal, and only on a full disk")
  func retries() {
    var journal = JournalBridge(keeper)
    journal.noteRefusal()
    journal.retrySpaceIfRefused()
    #expect(keeper.wishes == 0)
    keeper.news.storage = .exhausted
    _ = journal.update()
    _ = journal.takeStorageChange()
    journal.retrySpaceIfRefused()
    #expect(keeper.wishes == 0)
    journal.noteRefusal()
    journal.retrySpaceIfRefused()
    journal.retrySpaceIfRefused()
    #expect(keeper.wishes == 1)
  }
}

@Suite("Removals of data directories")
struct DirectoryRemovalsTests {
  @Test("a directory is removed when the discard is durable")
  func order() {
    var removals = DirectoryRemovals()
    let sessions = (1...3).map { SessionIdentifier(random: $0, 1) }
    for (session, record) in zip(sessions, [UInt64(2), 4, 4]) {
      removals.add(session, after: record)
    }
    #expect(removals.takeReady(durable: 1).isEmpty)
    #expect(removals.takeReady(durable: 3) == [sessions[0]])
    #expect(removals.takeReady(durable: 4) == [sessions[1], sessions[2]])
    #expect(removals.takeReady(durable: 9).isEmpty)
  }
}
