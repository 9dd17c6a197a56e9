import SceneModel
import Testing

@testable import SceneClient

/// Sequences of events report missing events.
struct UpdateEventsTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private func at(_ number: Int64) -> EventPosition { EventPosition(origin: "A", number: number) }

  private func event(_ number: Int64) -> ObservationUpdate {
    var event = EventPosted()
    event.topic = "news"
    event.position = at(number)
    return .event(event)
  }

  /// The number of gaps in the updates.
  private func gaps(_ updates: [ObservationUpdate]) -> Int {
    var gaps = GapDetector()
    return updates.count { gaps.take($0).isGap }
  }

  @Test("a gap is reported at the beginning, between two events, and once if the broker reports it")
  func missing() {
    #expect(gaps([.began(at(4)), event(5), event(6)]) == 0)
    #expect(gaps([event(5), event(6)]) == 1, "the beginning was dropped")
    #expect(gaps([.began(at(4)), event(6), event(7)]) == 1)
    #expect(gaps([.began(at(4)), event(5), event(7)]) == 1)
    #expect(gaps([.began(at(4)), .gap, event(9), event(10)]) == 1)
    #expect(gaps([.began(at(4)), event(5), .began(at(5)), event(6)]) == 0)
    #expect(gaps([event(5), .began(at(7)), event(8)]) == 2)
  }

  @Test("an observer that joins others begins at their position")
  func joining() async throws {
    let application = try application()
    defer { application.stop() }
    _ = try broker.meet()
    let (streams, source) = (EventStreams(), EventSource(topic: "news"))
    var first = streams.open(source, try application.client).makeAsyncIterator()
    streams.take(.began(at(4)), of: source)
    streams.take(event(5), of: source)
    var second = streams.open(source, try application.client).makeAsyncIterator()
    #expect(await first.next() == .began(at(4)))
    #expect(await second.next() == .began(at(5)))
  }
}
