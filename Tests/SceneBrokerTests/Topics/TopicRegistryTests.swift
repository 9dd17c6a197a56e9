import SceneModel
import Testing

@testable import SceneBroker

struct TopicRegistryTests {
  private let one = ConnectionIdentifier(1)
  private let two = ConnectionIdentifier(2)
  private static let log = Topic(
    TopicAttributes(name: "log", origin: "A", after: 0, keep: 3, keepBytes: 10_000))
  private var topics = TopicRegistry()

  init() {
    topics.keep(Self.log)
  }

  private func event(_ number: Int64) -> TopicEvent {
    TopicEvent(
      topic: "log", number: number, kind: nil, payload: object(#"{"n":\#(number)}"#), posted: 0)
  }

  private mutating func post(_ count: Int = 1) {
    for _ in 0..<count { topics.append(event((topics.transient["log"]?.last ?? 0) + 1)) }
  }

  private mutating func observe(_ connection: ConnectionIdentifier, after number: Int64 = 0) {
    topics.observe("log", connection, nil, from: EventPosition(origin: "A", number: number))
  }

  @Test("a connection gets events until it has as many bytes as the limit")
  mutating func flowLimit() throws {
    observe(one)
    post(3)
    let topic = try #require(topics.transient["log"])
    let byteCount = try #require(topic.event(1)?.byteCount)
    let first = topics.deliveries(of: topic, byteLimit: byteCount)
    #expect(first.deliveries.map(\.event.number) == [1] && first.drains == [one])
    topics.drained(one)
    let rest = topics.deliveries(of: topic, byteLimit: byteCount + 1)
    #expect(rest.deliveries.map(\.event.number) == [2, 3] && rest.drains == [])
  }

  @Test("events leave in the order of their records, and another order is a flaw")
  mutating func unsynced() {
    for (number, record) in [(Int64(1), UInt64(3)), (2, 5), (3, 6)] {
      topics.add(event(number), record: record)
    }
    #expect(topics.unsyncedCount(of: "log") == 3 && topics.flaws == [])
    #expect(topics.takeSynced(upTo: 2) == nil)
    for number in Int64(1)...2 {
      #expect(topics.takeSynced(upTo: 5)?.number == number)
      #expect(topics.flaws == [])
    }
    #expect(topics.takeSynced(upTo: 5) == nil && topics.unsyncedCount(of: "log") == 1)
    topics.add(event(4), record: 6)
    #expect(topics.flaws == ["the events that wait for the disk are not in order"])
  }

  @Test("observers of the same event share a delivery, and no event overtakes another one")
  mutating func shared() throws {
    for number in [UInt64(1), 3, 4] { observe(ConnectionIdentifier(number), after: 1) }
    observe(two)
    post(2)
    let topic = try #require(topics.transient["log"])
    let deliveries = topics.deliveries(of: topic, byteLimit: 1000).deliveries
    #expect(deliveries.map(\.event.number) == [2, 1, 2])
    #expect(
      deliveries.map { $0.observers.map(\.connection.number) } == [[1], [2], [2, 3, 4]])
  }

  @Test("an event is a visit of each observer", arguments: [100, 1000, 10_000])
  mutating func linear(observerCount: Int) throws {
    for number in 1...observerCount { observe(ConnectionIdentifier(UInt64(number))) }
    for events in 1...3 {
      post()
      let topic = try #require(topics.transient["log"])
      let due = topics.deliveries(of: topic, byteLimit: 10_000)
      #expect(due.deliveries.map(\.observers.count) == [observerCount])
      #expect(topics.visitCount(of: "log") == events * observerCount)
    }
  }

  @Test("an observer in the middle is found without the others")
  mutating func visits() throws {
    for number in UInt64(1)...100 { observe(ConnectionIdentifier(number)) }
    post()
    let topic = try #require(topics.transient["log"])
    _ = topics.deliveries(
      of: topic, to: .connection(ConnectionIdentifier(50)), byteLimit: 1000)
    #expect(topics.visitCount(of: "log") == 1)
  }
}
