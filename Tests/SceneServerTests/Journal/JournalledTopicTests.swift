import SceneJSON
import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

/// Topics that the journal writes into a base and reads from it.
struct JournalledTopicTests {
  private func content(_ records: [Record]) throws -> JournalledState {
    var written = JournalRecords()
    var writer = JSONWriter()
    for record in records { written.append(record, by: &writer) }
    return try reading(written)
  }

  private func reading(_ records: JournalRecords) throws -> JournalledState {
    var content = JournalledState()
    try records.forEach { kind, body in try content.visit(kind: kind, body: body, at: 0) }
    return content
  }

  private func topic(_ name: String, after: Int64 = 0, keep: Int = 5) -> Record {
    .topic(TopicAttributes(name: name, origin: "A", after: after, keep: keep, keepBytes: 1 << 20))
  }

  private func event(_ topic: String, _ number: Int64) -> Record {
    .event(TopicEvent(topic: topic, number: number, payload: .empty, posted: 0))
  }

  @Test(
    "a base has the newest kept events, however few are written at once", arguments: [1, 200])
  func writtenOut(byteCount: Int) throws {
    var records = [topic("one"), topic("none", after: 7), topic("two", keep: 2)]
    for number in Int64(1)...9 { records += [event("one", number), event("two", number)] }
    var content = try content(records)
    var written = JournalRecords()
    var isMore = true
    while isMore {
      var batch = JournalRecords()
      isMore = content.appendNextRecords(upTo: byteCount, to: &batch)
      batch.forEach { kind, body in written.append(kind: kind, body: body) }
    }
    #expect(written.count == 3 + 5 + 2)
    #expect(try reading(written).state == content.state)
    #expect(content.state.topics["none"]?.last == 7)
    #expect(content.byteCount > 0)
  }
}
