import SceneModel
import Testing

@testable import SceneBroker

struct DurabilityBarriersTests {
  private let one = SessionIdentifier(high: 0, low: 1)
  private let two = SessionIdentifier(high: 0, low: 2)
  private var barriers = DurabilityBarriers()

  private mutating func add(_ session: SessionIdentifier) {
    barriers.add(.held(Hold(session: session)), byteCount: 100)
  }

  @Test("a sync leaves the barriers and the bytes of the records behind it")
  mutating func partialSync() {
    for session in [one, two, one] { add(session) }
    barriers.add(.topicEnd(TopicEnd(name: "log")), byteCount: 7)
    #expect(barriers.byteCount == 307)
    barriers.removeSynced(upTo: 2)
    #expect(barriers.flaws == [])
    #expect(barriers.newest(of: one) == 3 && barriers.newest(of: two) == nil)
    #expect(barriers.newest(ofTopic: "log") == 4)
    #expect(barriers.byteCount == 107)
    barriers.removeSynced(upTo: 4)
    #expect(barriers.newest(of: one) == nil && barriers.newest(ofTopic: "log") == nil)
    #expect(barriers.byteCount == 0 && barriers.recordCount == 4)
  }

  @Test("a sync that is older than the last one changes nothing")
  mutating func olderSync() {
    add(one)
    add(two)
    barriers.removeSynced(upTo: 1)
    barriers.removeSynced(upTo: 1)
    barriers.removeSynced(upTo: 0)
    #expect(barriers.byteCount == 100 && barriers.newest(of: two) == 2)
  }

  @Test("a sync of records that do not exist is a flaw")
  mutating func flaws() {
    add(one)
    #expect(barriers.flaws == [])
    barriers.removeSynced(upTo: 2)
    #expect(barriers.flaws == ["2 records are synced, and only 1 exist"])
  }

  @Test("a record about no session and no topic has bytes and no barrier")
  mutating func delegate() {
    barriers.add(.delegateKnown, byteCount: 7)
    #expect(barriers.byteCount == 7 && barriers.recordCount == 1)
    #expect(barriers.newest(of: one) == nil)
  }
}
