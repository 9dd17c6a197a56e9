import SceneJournalTools
import SceneModel
import SceneTestSupport
import Testing

@Suite("Recovery of topics")
struct RecoveredTopicTests {
  private func topic(keep: Int = 5) -> Record {
    .topic(
      TopicAttributes(name: "news", origin: "A", after: 0, keep: keep, keepBytes: 1 << 20))
  }

  private func event(_ number: Int64) -> Record {
    .event(TopicEvent(topic: "news", number: number, payload: .empty, posted: number * 100))
  }

  /// The records and the report of a recovery of a journal whose second batch is damaged.
  private func recover(_ batches: [Record]...) throws -> (dump: [String], report: String) {
    let directory = try StateDirectory(batches[0], batches[1], batches[2])
    try directory.flip(byte: 8192 + 24, of: "log-1")
    let saved = try directory.recover()
    let verification = try JournalVerification(of: saved.path, showing: nil)
    #expect(verification.lines.joined().contains("; no damage"))
    return (try saved.dump(), saved.report)
  }

  @Test("events after a lost event get new numbers, and the origin changes")
  func lostEvents() throws {
    let (dump, report) = try recover(
      [topic(), event(1)], [event(2), event(3)], [event(4), topic(keep: 4)])
    #expect(report.contains("Saved 0 sessions and 0 activities and 2 events"))
    #expect(
      report.contains(
        "These topics lost events; the broker reports a gap to their observers:\n  news\n"))
    #expect(dump.count == 3)
    #expect(dump[0].contains(#""origin":"As","after":0,"keep":4"#))
    #expect(dump[1].contains(#""number":1"#) && dump[1].contains(#""posted":100"#))
    #expect(dump[2].contains(#""number":2"#) && dump[2].contains(#""posted":400"#))
  }

  @Test("the events of a lost topic go to a topic with the defaults")
  func lostTopic() throws {
    let (dump, report) = try recover(
      [.topicEnd(TopicEnd(name: "other"))], [topic(), event(1)], [event(2)])
    #expect(report.contains("  news\n"))
    #expect(dump.count == 2)
    #expect(dump[0].contains(#""origin":"recovered","after":1,"keep":1000"#))
    #expect(dump[1].contains(#""number":2"#))
  }
}
