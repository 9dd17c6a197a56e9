import SceneJSON
import SceneModel
import Testing

/// The durable state of topics.
struct TopicStateTests {
  private func topic(
    after: Int64 = 0, keep: Int = 3, keepBytes: Int = 1 << 20, origin: String = "A"
  ) -> Record {
    .topic(
      TopicAttributes(
        name: "news", origin: origin, after: after, keep: keep, keepBytes: keepBytes))
  }

  private func event(_ number: Int64, _ topic: String = "news") -> Record {
    .event(TopicEvent(topic: topic, number: number, payload: .empty, posted: 0))
  }

  private func state(_ records: [Record]) throws -> StoredState {
    var state = StoredState()
    for record in records { try state.apply(record) }
    return state
  }

  private func kept(_ records: [Record]) throws -> [Int64] {
    try state(records).topics["news"]?.events.map(\.number) ?? []
  }

  @Test("a topic keeps the newest events, and their records rebuild the same state")
  func keeps() throws {
    let state = try state([topic()] + (1...5).map { event($0) })
    #expect(state.topics["news"]?.events.map(\.number) == [3, 4, 5])
    #expect(state.topics["news"]?.last == 5)
    var few: [Record] = []
    state.forEachRecord { few.append($0) }
    #expect(few.count == 4)
    #expect(try self.state(few) == state)
    #expect(state.eventByteCount == 3 * (TopicEvent.baseByteCount + 2))
  }

  @Test("each record has the whole new value, so applying it twice has no further effect")
  func twice() throws {
    let records = [topic(), event(1), event(2), topic(keep: 1), event(3)]
    #expect(try state(records.flatMap { [$0, $0] }) == state(records))
  }

  @Test("a topic keeps no more bytes than its limit, except for its newest event")
  func bytes() throws {
    #expect(try kept([topic(keepBytes: 450), event(1), event(2), event(3)]) == [2, 3])
    #expect(try kept([topic(keepBytes: 0), event(1), event(2)]) == [2])
  }

  @Test("a later record changes the limits of a topic, and another origin removes its events")
  func changes() throws {
    #expect(try kept([topic(), event(1), event(2), topic(keep: 1)]) == [2])
    #expect(try kept([topic(), event(1), event(2), topic(after: 1)]) == [2])
    #expect(try kept([topic(), event(1), topic(after: 7), event(8)]) == [8])
    #expect(try kept([topic(), event(1), topic(origin: "B"), event(1)]) == [1])
    #expect(try kept([topic(), event(1), .topicEnd(TopicEnd(name: "news"))]) == [])
  }

  @Test("an event needs its topic and the event before it")
  func flaws() throws {
    #expect(throws: MemberError.self) { try state([event(1)]) }
    #expect(throws: MemberError.self) { try state([topic(), event(2)]) }
  }

  @Test(
    "a position is read as it was written, and other texts are refused",
    arguments: [
      ("a-0", true), ("a-b-12", true), ("-3", true), ("a", false), ("", false), ("a-", false),
      ("a-01", false), ("a--1", true), ("a-x", false), ("a-9223372036854775808", false),
      (String(repeating: "x", count: 101) + "-1", false),
    ])
  func positions(text: String, isOne: Bool) {
    let position = EventPosition(text)
    #expect((position != nil) == isOne)
    if let position { #expect(position.description == text) }
  }

  @Test("a topic's name must be printable", arguments: ["", " ", "a\u{7}", "é"])
  func names(name: String) {
    #expect((TopicName.problem(with: name) == nil) == (name == "é"))
    #expect(TopicName.problem(with: String(repeating: "x", count: 256)) == nil)
    #expect(TopicName.problem(with: String(repeating: "x", count: 257)) != nil)
  }
}
