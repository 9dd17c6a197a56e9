import SceneBroker
import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

@Suite("The journal bridge")
struct JournalBridgeTests {
  private let sink = SteppedJournalSink()

  @Test("more durable than submitted records are a flaw")
  func flaws() {
    var journal = JournalBridge(sink)
    var records = EncodedRecords()
    for _ in 1...2 { _ = records.append(.delegateKnown) }
    journal.submit(records, holdCount: 0)
    sink.sync()
    _ = journal.update()
    #expect(journal.flaws == [])
    sink.status.durable = 3
    _ = journal.update()
    #expect(journal.flaws == ["3 records are durable, and 2 submitted"])
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
}
