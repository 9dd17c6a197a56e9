import SceneModel
import Testing

@testable import SceneScript

/// Planted faults with topics.
extension InvariantTests {
  private static let topic = "News"

  /// A position with the origin of one broker.
  private static func position(_ number: Int64, _ origin: String = "a") -> EventPosition {
    EventPosition(origin: origin, number: number)
  }

  private static func tell(
    _ event: TraceEvent, _ fixture: inout TraceFixture, _ number: Int64?, _ origin: String = "a",
    session: Int? = nil, gap: Bool = false
  ) {
    fixture.tell(event, session, 1) { entry in
      (entry.topic, entry.position) = (topic, number.map { position($0, origin) })
      if gap { entry.reason = "gap" }
    }
  }

  /// A trace with topics, its settle points, and the events that clients received.
  struct TopicHistory: Sendable {
    var fixture = TraceFixture()
    /// The numbers of entries at these points.
    var settlePoints: [Int] = []
    var silent: Set<Int64> = []
    var durable: Set<String> = [InvariantTests.topic]
    var receivedEvents: Set<EventPosition>? = []

    mutating func settle() { settlePoints.append(fixture.entries.count) }

    mutating func restart() { fixture.restart(after: 10) }

    var sentences: [String] {
      var history = InvariantTests.history(fixture)
      var start = 0
      for index in history.runs.indices {
        let count = history.runs[index].entries.count
        history.runs[index].declared.durableTopics = durable
        history.runs[index].settlePoints = settlePoints.filter { start + 1...start + count ~= $0 }
          .map { RunHistory.SettlePoint(entryCount: $0 - start, silent: silent) }
        start += count
      }
      let listener = RunHistory.TopicObserver(process: 1, topic: InvariantTests.topic)
      history.contents.receivedEvents = receivedEvents.map { [listener: $0] } ?? [:]
      return Invariants.violations(in: history).map(\.sentence)
    }

    mutating func post(_ number: Int64, _ origin: String = "a") {
      InvariantTests.tell(.posted, &fixture, number, origin)
    }

    mutating func observe(
      _ number: Int64, _ origin: String = "a", session: Int? = nil, gap: Bool = false
    ) {
      InvariantTests.tell(.observed, &fixture, number, origin, session: session, gap: gap)
    }

    mutating func deliver(
      _ number: Int64, _ origin: String = "a", session: Int? = nil, gap: Bool = false
    ) {
      InvariantTests.tell(.delivered, &fixture, number, origin, session: session, gap: gap)
    }

    mutating func cease() { InvariantTests.tell(.ceased, &fixture, nil) }
  }

  /// A client that observes a topic and has received the first event.
  private static var topics: TopicHistory {
    var topics = TopicHistory()
    topics.fixture.join(1)
    topics.observe(0)
    topics.post(1)
    topics.deliver(1)
    topics.settle()
    return topics
  }

  typealias TopicFault = PlantedFault<TopicHistory>

  static let topicFaults: [TopicFault] = [
    TopicFault("scene 1: event a-3 of News is not the next event after a-1") { $0.post(3) },
    TopicFault("scene 1: event a-3 of News followed a-1, and the broker declared no gap") {
      $0.post(2)
      $0.post(3)
      $0.deliver(3)
    },
    TopicFault("scene 1: event a-1 of News followed a-1, and the broker declared no gap") {
      $0.deliver(1)
    },
    TopicFault("scene 1: the client received an event of News but does not observe the topic") {
      $0.cease()
      $0.post(2)
      $0.deliver(2)
    },
    TopicFault("the broker: event a-2 of News did not reach its observer scene 1") {
      $0.post(2)
      $0.settle()
      // The violation is reported once.
      $0.fixture.join(2)
      $0.settle()
    },
    TopicFault("the broker: event b-1 of News did not reach its observer scene 1") {
      $0.durable = []
      $0.restart()
      $0.fixture.join(1)
      $0.observe(0, "b", gap: true)
      $0.post(1, "b")
      $0.settle()
    },
    TopicFault("packing: event a-2 of News did not reach its observer scene 1") {
      connect(&$0.fixture, 1, generation: 0)
      runCallbacks(&$0.fixture, 1, ["willConnect", "willEnterForeground"])
      $0.observe(1, session: 0)
      $0.post(2)
      $0.deliver(2)
      $0.settle()
    },
    TopicFault("packing: event a-2 of News did not reach its observer scene 1") {
      connect(&$0.fixture, 1, generation: 0)
      runCallbacks(&$0.fixture, 1, ["willConnect"])
      $0.observe(1, session: 0)
      $0.post(2)
      $0.deliver(2)
      $0.settle()
      // A refresh brings the observer of a background scene up to date.
      runCallbacks(&$0.fixture, 1, ["refresh"])
      $0.settle()
    },
    TopicFault("scene 1: event a-1 of News is not the next event after a-1") {
      $0.restart()
      $0.fixture.join(1)
      $0.post(1)
    },
    TopicFault("scene 1: event b-1 of News is not the next event after a-1") {
      $0.restart()
      $0.fixture.join(1)
      $0.post(1, "b")
    },
    TopicFault("scene 1: News is observed from b-0, but its last event is a-1") {
      $0.restart()
      $0.fixture.join(1)
      $0.observe(0, "b", gap: true)
    },
    TopicFault("the broker: event a-2 of News did not reach its observer scene 1") {
      $0.post(2)
      $0.restart()
      $0.fixture.join(1)
      $0.observe(1)
      $0.settle()
    },
    TopicFault(
      "scene 1: scene 1 observes News from a-2; its last event was a-1, and the broker declared no gap"
    ) {
      $0.post(2)
      $0.restart()
      $0.fixture.join(1)
      $0.observe(2)
    },
    TopicFault(
      "scene 1: scene 1 observes News from b-0; its last event was a-1, and the broker declared no gap"
    ) {
      $0.durable = []
      $0.fixture.leave(1)
      $0.fixture.join(1)
      $0.observe(0, "b")
    },
  ]

  @Test("a planted fault with topics is found", arguments: topicFaults)
  func caughtWithTopics(fault: TopicFault) {
    var topics = Self.topics
    #expect(topics.sentences == [])
    fault.plant(&topics)
    #expect(topics.sentences == [fault.sentence])
  }

  @Test("a legal history of topics has no violation")
  func soundTopics() {
    var topics = Self.topics
    // A declared gap, and an observer that ceases.
    topics.post(2)
    topics.post(3)
    topics.deliver(3, gap: true)
    topics.settle()
    topics.cease()
    topics.post(4)
    topics.settle()
    // A scene in the background that becomes active.
    Self.connect(&topics.fixture, 1, generation: 0)
    Self.runCallbacks(&topics.fixture, 1, ["willConnect"])
    topics.observe(4, session: 0)
    topics.post(5)
    topics.settle()
    topics.deliver(5, session: 0)
    Self.runCallbacks(&topics.fixture, 1, ["refresh", "willEnterForeground", "didEnterBackground"])
    topics.post(6)
    topics.fixture.call(0, 1, "willEnterForeground")
    // A callback without an answer suspends the delivery.
    topics.settle()
    topics.fixture.disconnect(0, 1, "watchdog")
    // Entries that a killed broker did not record: a post, and a delivery.
    topics.observe(6)
    topics.post(7)
    topics.restart()
    topics.fixture.join(1)
    topics.receivedEvents = [Self.position(8)]
    topics.observe(8)
    topics.post(9)
    topics.deliver(9)
    topics.settle()
    #expect(topics.sentences == [])
    // A client that does not resume begins at the newest event.
    topics.fixture.leave(1)
    topics.post(10)
    topics.fixture.join(1)
    topics.receivedEvents = nil
    topics.observe(10)
    topics.settle()
    #expect(topics.sentences == [])
  }

  @Test("a frozen process, or one that has lost one of two connections, need not receive events")
  func silentObservers() {
    var topics = Self.topics
    topics.post(2)
    topics.settle()
    #expect(topics.sentences.count == 1)
    topics.silent = [1]
    #expect(topics.sentences == [])
    topics = Self.topics
    topics.fixture.join(1)
    topics.observe(1)
    topics.fixture.leave(1)
    topics.post(2)
    topics.deliver(2)
    topics.settle()
    #expect(topics.sentences == [])
  }

  @Test("the declarations of a manifest are read")
  func manifest() {
    let text =
      #"{"applicationDelegate":"required","topics":{"A":{"durable":true,"keep":3},"B":{"keep":1}}}"#
    var declared = DeclaredManifest(reading: ContiguousArray(text.utf8))
    #expect(declared.durableTopics == ["A"])
    #expect(declared.applicationDelegate == .required)
    declared = DeclaredManifest(reading: ContiguousArray("<plist/>".utf8))
    #expect(declared.durableTopics == [] && declared.applicationDelegate == .builtIn)
    #expect(DeclaredManifest(reading: ContiguousArray("{}".utf8)) == DeclaredManifest())
    #expect(DeclaredManifest().applicationDelegate == .optional)
    let wrapped = #"{"UIApplicationSceneManifest":{"applicationDelegate":"required"}}"#
    declared = DeclaredManifest(reading: ContiguousArray(wrapped.utf8))
    #expect(declared.applicationDelegate == .required)
  }
}
