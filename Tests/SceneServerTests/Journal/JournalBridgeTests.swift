import SceneBroker
import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

@Suite("The journal bridge")
struct JournalBridgeTests {
  private let sink = SteppedJournalSink()

  private func records(_ count: Int) -> EncodedRecords {
    var records = EncodedRecords()
    for _ in 0..<count { _ = records.append(.delegateKnown) }
    return records
  }

  @Test("records are counted when they are submitted, and again when they are durable")
  func counting() {
    var journal = JournalBridge(sink)
    journal.submit(records(3), holdCount: 0)
    journal.submit(records(0), holdCount: 0)
    journal.submit(records(2), holdCount: 0)
    #expect(sink.submissions.map(\.count) == [3, 2])
    #expect(sink.submissions.map(\.through) == [3, 5])
    #expect(journal.submitted == 5 && journal.durable == 0)
    #expect(journal.update() == nil)
    sink.sync()
    #expect(journal.update() == 5)
    #expect(journal.durable == 5)
    #expect(journal.update() == nil)
  }

  @Test("more durable than submitted records are a flaw")
  func flaws() {
    var journal = JournalBridge(sink)
    journal.submit(records(2), holdCount: 0)
    sink.sync()
    _ = journal.update()
    #expect(journal.flaws == [])
    sink.status.syncedThrough = 3
    _ = journal.update()
    #expect(journal.flaws == ["3 records are durable, and 2 submitted"])
  }

  @Test("a submission never uses reserved space")
  func reservation() {
    var journal = JournalBridge(sink)
    journal.submit(records(1), holdCount: 2)
    journal.submit(records(1), holdCount: 1)
    #expect(sink.reservedBatchCount == 2 && journal.reservedHoldCount == 2)
    journal.reserve(1)
    #expect(sink.reservedBatchCount == 1 && journal.reservedHoldCount == 1)
  }

  @Test("a change of the storage is reported once")
  func storage() {
    var journal = JournalBridge(sink)
    #expect(journal.takeStorageChange() == nil)
    sink.status.storage = .full
    #expect(journal.takeStorageChange() == nil, "the bridge has not read the status")
    _ = journal.update()
    #expect(journal.takeStorageChange()?.room == .full)
    #expect(journal.takeStorageChange() == nil)
    sink.status.storage = .ok
    _ = journal.update()
    #expect(journal.takeStorageChange()?.room == .ok)
  }

  @Test("the log gets a line when the free space changes")
  func messages() {
    var journal = JournalBridge(sink)
    #expect(journal.takeRoomMessages(.ok) == nil)
    let messages = journal.takeRoomMessages(.full)
    #expect(messages?.texts == ["storage: full"] && messages?.isWarning == false)
    #expect(journal.takeRoomMessages(.full) == nil)
    #expect(journal.takeRoomMessages(.ok)?.texts == ["storage: ok"])
  }

  @Test("after a refusal, the journal looks for space only on a full disk")
  func retries() {
    var journal = JournalBridge(sink)
    journal.checkSpaceIfFull()
    #expect(sink.wishes == 0)
    sink.status.storage = .exhausted
    _ = journal.update()
    _ = journal.takeStorageChange()
    journal.checkSpaceIfFull()
    #expect(sink.wishes == 1)
  }
}
