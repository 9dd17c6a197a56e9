import SceneModel
import Testing

@testable import SceneScript

/// Faults with topics: what is posted to them, and who is sent it.
extension StandingRuleTests {
  private static let topic = "News"

  /// A position that the broker of this number has given out.
  private static func place(_ number: Int64, _ origin: String = "a") -> EventPosition {
    EventPosition(origin: origin, number: number)
  }

  private static func tell(
    _ event: TraceEvent, _ tale: inout Tale, _ number: Int64?, _ origin: String = "a",
    session: Int? = nil, gap: Bool = false
  ) {
    tale.tell(event, session, 1) { entry in
      (entry.topic, entry.position) = (topic, number.map { place($0, origin) })
      if gap { entry.reason = "gap" }
    }
  }

  /// A story with topics: when nothing was under way, and what was said by others than brokers.
  struct Chronicle: Sendable {
    var tale = Tale()
    /// By how much was told in all.
    var rests: [Int] = []
    var silent: Set<Int64> = []
    var durable: Set<String> = [StandingRuleTests.topic]
    var heard: Set<EventPosition>? = []

    mutating func rest() { rests.append(tale.entries.count) }

    mutating func restart() { tale.restart(after: 10) }

    var sentences: [String] {
      var story = StandingRuleTests.story(tale)
      var start = 0
      for index in story.lives.indices {
        let count = story.lives[index].entries.count
        story.lives[index].declared.durableTopics = durable
        story.lives[index].rests = rests.filter { start + 1...start + count ~= $0 }
          .map { StagedStory.Rest(after: $0 - start, silent: silent) }
        start += count
      }
      let listener = StagedStory.Listener(1, topic: StandingRuleTests.topic)
      story.contents.heard = heard.map { [listener: $0] } ?? [:]
      return StandingRules.breaches(in: story).map(\.sentence)
    }

    mutating func post(_ number: Int64, _ origin: String = "a") {
      StandingRuleTests.tell(.posted, &tale, number, origin)
    }

    mutating func observe(
      _ number: Int64, _ origin: String = "a", session: Int? = nil, gap: Bool = false
    ) {
      StandingRuleTests.tell(.observed, &tale, number, origin, session: session, gap: gap)
    }

    mutating func deliver(
      _ number: Int64, _ origin: String = "a", session: Int? = nil, gap: Bool = false
    ) {
      StandingRuleTests.tell(.delivered, &tale, number, origin, session: session, gap: gap)
    }

    mutating func cease() { StandingRuleTests.tell(.ceased, &tale, nil) }
  }

  /// One client that observes, and has had the first event.
  private static var chronicle: Chronicle {
    var chronicle = Chronicle()
    chronicle.tale.join(1)
    chronicle.observe(0)
    chronicle.post(1)
    chronicle.deliver(1)
    chronicle.rest()
    return chronicle
  }

  typealias TopicFault = Planted<Chronicle>

  static let topicFaults: [TopicFault] = [
    TopicFault("scene 1: the event a-3 of News was posted behind a-1") { $0.post(3) },
    TopicFault("scene 1: the event a-3 of News came behind a-1, and no gap was declared") {
      $0.post(2)
      $0.post(3)
      $0.deliver(3)
    },
    TopicFault("scene 1: the event a-1 of News came behind a-1, and no gap was declared") {
      $0.deliver(1)
    },
    TopicFault("scene 1: an event of News came to who does not observe it") {
      $0.cease()
      $0.post(2)
      $0.deliver(2)
    },
    TopicFault("the broker: the event a-2 of News has not come to scene 1, which observes it") {
      $0.post(2)
      $0.rest()
      // It is told once.
      $0.tale.join(2)
      $0.rest()
    },
    TopicFault("the broker: the event b-1 of News has not come to scene 1, which observes it") {
      $0.durable = []
      $0.restart()
      $0.tale.join(1)
      $0.observe(0, "b", gap: true)
      $0.post(1, "b")
      $0.rest()
    },
    TopicFault("packing: the event a-2 of News has not come to scene 1, which observes it") {
      connect(&$0.tale, 1, generation: 0)
      walk(&$0.tale, 1, ["willConnect", "willEnterForeground"])
      $0.observe(1, session: 0)
      $0.post(2)
      $0.deliver(2)
      $0.rest()
    },
    TopicFault("packing: the event a-2 of News has not come to scene 1, which observes it") {
      connect(&$0.tale, 1, generation: 0)
      walk(&$0.tale, 1, ["willConnect"])
      $0.observe(1, session: 0)
      $0.post(2)
      $0.deliver(2)
      $0.rest()
      // In the background it is brought by a refresh.
      walk(&$0.tale, 1, ["refresh"])
      $0.rest()
    },
    TopicFault("scene 1: the event a-1 of News was posted behind a-1") {
      $0.restart()
      $0.tale.join(1)
      $0.post(1)
    },
    TopicFault("scene 1: the event b-1 of News was posted behind a-1") {
      $0.restart()
      $0.tale.join(1)
      $0.post(1, "b")
    },
    TopicFault("scene 1: News is observed from b-0 on, and a-1 was posted to it") {
      $0.restart()
      $0.tale.join(1)
      $0.observe(0, "b", gap: true)
    },
    TopicFault("the broker: the event a-2 of News has not come to scene 1, which observes it") {
      $0.post(2)
      $0.restart()
      $0.tale.join(1)
      $0.observe(1)
      $0.rest()
    },
    TopicFault(
      "scene 1: scene 1 observes News from a-2 on; it had come to a-1, and no gap was declared"
    ) {
      $0.post(2)
      $0.restart()
      $0.tale.join(1)
      $0.observe(2)
    },
    TopicFault(
      "scene 1: scene 1 observes News from b-0 on; it had come to a-1, and no gap was declared"
    ) {
      $0.durable = []
      $0.tale.leave(1)
      $0.tale.join(1)
      $0.observe(0, "b")
    },
  ]

  @Test("a fault with topics is caught", arguments: topicFaults)
  func caughtWithTopics(fault: TopicFault) {
    var chronicle = Self.chronicle
    #expect(chronicle.sentences == [])
    fault.plant(&chronicle)
    #expect(chronicle.sentences == [fault.sentence])
  }

  @Test("what a broker may do with topics is no fault")
  func soundTopics() {
    var chronicle = Self.chronicle
    // A gap, and one that is told no more.
    chronicle.post(2)
    chronicle.post(3)
    chronicle.deliver(3, gap: true)
    chronicle.rest()
    chronicle.cease()
    chronicle.post(4)
    chronicle.rest()
    // A scene that is in the background, and comes from there.
    Self.connect(&chronicle.tale, 1, generation: 0)
    Self.walk(&chronicle.tale, 1, ["willConnect"])
    chronicle.observe(4, session: 0)
    chronicle.post(5)
    chronicle.rest()
    chronicle.deliver(5, session: 0)
    Self.walk(&chronicle.tale, 1, ["refresh", "willEnterForeground", "didEnterBackground"])
    chronicle.post(6)
    chronicle.tale.call(0, 1, "willEnterForeground")
    // What it hangs in does not count.
    chronicle.rest()
    chronicle.tale.disconnect(0, 1, "watchdog")
    // What a broker kept and did not tell of, and what it sent and did not tell of.
    chronicle.observe(6)
    chronicle.post(7)
    chronicle.restart()
    chronicle.tale.join(1)
    chronicle.heard = [Self.place(8)]
    chronicle.observe(8)
    chronicle.post(9)
    chronicle.deliver(9)
    chronicle.rest()
    #expect(chronicle.sentences == [])
    // Whoever does not say where it left off begins anew.
    chronicle.tale.leave(1)
    chronicle.post(10)
    chronicle.tale.join(1)
    chronicle.heard = nil
    chronicle.observe(10)
    chronicle.rest()
    #expect(chronicle.sentences == [])
  }

  @Test("of a process that stands still, or has lost one of two connections, nothing is wanted")
  func silentObservers() {
    var chronicle = Self.chronicle
    chronicle.post(2)
    chronicle.rest()
    #expect(chronicle.sentences.count == 1)
    chronicle.silent = [1]
    #expect(chronicle.sentences == [])
    chronicle = Self.chronicle
    chronicle.tale.join(1)
    chronicle.observe(1)
    chronicle.tale.leave(1)
    chronicle.post(2)
    chronicle.deliver(2)
    chronicle.rest()
    #expect(chronicle.sentences == [])
  }

  @Test("a manifest is read as far as the rules look at it")
  func manifest() {
    let text =
      #"{"applicationDelegate":"required","topics":{"A":{"durable":true,"keep":3},"B":{"keep":1}}}"#
    var declared = StagedManifest(reading: ContiguousArray(text.utf8))
    #expect(declared.durableTopics == ["A"])
    #expect(declared.applicationDelegate == .required)
    declared = StagedManifest(reading: ContiguousArray("<plist/>".utf8))
    #expect(declared.durableTopics == [] && declared.applicationDelegate == .builtIn)
    #expect(StagedManifest(reading: ContiguousArray("{}".utf8)) == StagedManifest())
    #expect(StagedManifest().applicationDelegate == .optional)
    let wrapped = #"{"UIApplicationSceneManifest":{"applicationDelegate":"required"}}"#
    declared = StagedManifest(reading: ContiguousArray(wrapped.utf8))
    #expect(declared.applicationDelegate == .required)
  }
}
