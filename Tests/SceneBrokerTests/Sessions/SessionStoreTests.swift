import SceneModel
import Testing

@testable import SceneBroker

struct SessionStoreTests {
  private let packing = SessionIdentifier(high: 0, low: 1)
  private var store = SessionStore(recovered: StoredState(), Limits())

  private func attributes(title: String? = nil) -> Record {
    .session(
      SessionAttributes(identifier: packing, configuration: SceneConfiguration(), title: title))
  }

  @Test("a message about a topic waits for the newer record of its topic and its session")
  mutating func topicBarrier() {
    store.commit(attributes(), byteCount: 100)
    store.commit(
      .topic(TopicAttributes(name: "news", origin: "A", after: 0, keep: 1, keepBytes: 100)),
      byteCount: 100)
    #expect(store.barrier(nil, topic: "news") == 2)
    #expect(store.barrier(packing, topic: "news") == 2)
    store.commit(attributes(title: "t"), byteCount: 100)
    #expect(store.barrier(packing, topic: "news") == 3)
    #expect(store.barrier(SessionIdentifier(high: 0, low: 2), topic: "other") == 0)
  }

  @Test("a disk with too many unsynced bytes is behind until it has them")
  mutating func behind() {
    var limits = Limits()
    limits.unsyncedBytes = 0
    store = SessionStore(recovered: StoredState(), limits)
    #expect(store.room == .ok)
    store.commit(attributes(), byteCount: 100)
    #expect(store.room == .behind && store.admission(of: .bounded)?.reason == .tooMany)
    store.synced(upTo: 1)
    #expect(store.room == .ok && store.admission(of: .growing) == nil)
  }
}
