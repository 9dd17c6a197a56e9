import SceneModel
import Testing

@testable import SceneBroker

struct TopicRegistryTests {
  private let one = ConnectionIdentifier(1)
  private let two = ConnectionIdentifier(2)
  private let session = SessionIdentifier(high: 0, low: 1)
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

  private mutating func observe(
    _ connection: ConnectionIdentifier, _ session: SessionIdentifier? = nil, after number: Int64 = 0
  ) {
    topics.observe("log", connection, session, from: EventPosition(origin: "A", number: number))
  }

  /// The deliveries that are due, as the connection and the number of each event.
  private mutating func due(byteLimit: Int = 1000) -> [String] {
    guard let topic = topics.transient["log"] else { return [] }
    let due = topics.deliveries(of: topic, byteLimit: byteLimit)
    return due.deliveries.flatMap { delivery in
      delivery.observers.map {
        "\($0.connection.number) \(delivery.event.number)\(delivery.hasGap ? " gap" : "")"
      }
    } + due.drains.map { "drain \($0.number)" }
  }

  @Test("each observer gets every event once, in the order of the connections")
  mutating func order() {
    observe(two)
    observe(one)
    post(2)
    #expect(due() == ["1 1", "1 2", "2 1", "2 2"])
    #expect(due() == [])
    post()
    #expect(due() == ["1 3", "2 3"])
    #expect(topics.flaws.isEmpty)
  }

  @Test("an observer that is too late gets one gap")
  mutating func gap() {
    observe(one)
    post(5)
    #expect(due() == ["1 3 gap", "1 4", "1 5"])
  }

  @Test("a repeated observation begins again")
  mutating func again() {
    observe(one)
    post(2)
    _ = due()
    observe(one, after: 1)
    #expect(topics.observationCount(of: one) == 1)
    #expect(due() == ["1 2"])
  }

  @Test("a connection gets further events when it has read the earlier ones")
  mutating func flow() {
    observe(one)
    post(3)
    #expect(due(byteLimit: 1) == ["1 1", "drain 1"])
    #expect(due(byteLimit: 1) == [])
    topics.drained(one)
    #expect(due(byteLimit: 1) == ["1 2", "drain 1"])
  }

  @Test("a connection gets events until it has as many bytes as the limit")
  mutating func flowLimit() throws {
    observe(one)
    post(3)
    let byteCount = try #require(topics.transient["log"]?.event(1)?.byteCount)
    #expect(due(byteLimit: byteCount) == ["1 1", "drain 1"])
    topics.drained(one)
    #expect(due(byteLimit: byteCount + 1) == ["1 2", "1 3"])
  }

  @Test("the observations of a scene or a connection end with it")
  mutating func ends() {
    observe(one)
    observe(one, session)
    observe(two)
    #expect(topics.isObserved("log", by: one, session))
    #expect(topics.names(of: one, with: session) == ["log"])
    topics.beginReplay(session)
    topics.ceaseAll(of: session, on: one)
    #expect(!topics.isReplaying(session))
    #expect(topics.names(of: one) == ["log"] && topics.observationCount(of: one) == 1)
    topics.ceaseAll(of: one)
    #expect(topics.observers(of: "log").map(\.connection) == [two])
    #expect(topics.cease("log", two, nil) == true)
    #expect(topics.cease("log", two, nil) == false)
    #expect(topics.names.isEmpty && topics.flaws.isEmpty)
    #expect(topics.leastRecentlyUsed == "log")
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

  @Test("the topic that was used least recently and has no observer gives way")
  mutating func uses() {
    topics.keep(Topic(TopicAttributes(name: "other", origin: "A", after: 0, keep: 3, keepBytes: 9)))
    post()
    #expect(topics.leastRecentlyUsed == "other" && topics.flaws == [])
    topics.release("other")
    observe(one)
    #expect(topics.leastRecentlyUsed == nil && topics.flaws == [])
  }

  @Test("an observer is behind until it has every event")
  mutating func behind() throws {
    observe(one, session)
    post()
    let topic = try #require(topics.transient["log"])
    #expect(topics.isBehind(one, session, in: topic))
    _ = due()
    #expect(!topics.isBehind(one, session, in: topic))
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
