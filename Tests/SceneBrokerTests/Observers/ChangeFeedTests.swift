import SceneModel
import Testing

@testable import SceneBroker

struct ChangeFeedTests {
  private let one = SessionIdentifier(high: 0, low: 1)
  private let two = SessionIdentifier(high: 0, low: 2)
  private var feed = ChangeFeed()

  init() { feed.observers.insert(ConnectionIdentifier(1)) }

  @Test("without observers no change is kept")
  mutating func noObservers() {
    feed.observers = []
    feed.markChanged(one)
    #expect(feed.flush() == [])
  }

  @Test("each session is announced once, in the order of its first change")
  mutating func order() {
    for session in [two, one, two, one] { feed.markChanged(session) }
    #expect(feed.flush() == [two, one])
    #expect(feed.flush() == [])
  }

  @Test("a change waits while the notification before it waits for the disk")
  mutating func waits() {
    feed.announced(one, waitingFor: 5)
    feed.markChanged(one)
    feed.markChanged(two)
    #expect(feed.flush() == [two])
    #expect(feed.awaitedRecords == [5])
    feed.synced(upTo: 4)
    #expect(feed.flush() == [])
    feed.synced(upTo: 5)
    #expect(feed.flush() == [one] && feed.awaitedRecords.isEmpty)
  }

  @Test("a notification whose session has not changed again is not repeated")
  mutating func unchanged() {
    feed.announced(one, waitingFor: 5)
    feed.synced(upTo: 5)
    #expect(feed.flush() == [])
  }

  @Test("all changes go out at once for a reply that must follow them")
  mutating func all() {
    feed.announced(one, waitingFor: 5)
    feed.markChanged(one)
    #expect(feed.flush() == [])
    #expect(feed.flushAll() == [one])
    #expect(feed.flushAll() == [])
  }
}
