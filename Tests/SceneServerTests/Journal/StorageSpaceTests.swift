import SceneBroker
import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

/// The refusals on a full disk state the current space.
struct StorageSpaceTests {
  private let fixture = EventLoopFixture()

  private func fill(_ storage: DiskRoom = .full, free: Int) {
    fixture.sink.status.storage = storage
    fixture.sink.status.spaceShortage = SpaceShortage(
      place: "/x", neededByteCount: 16 << 20, freeByteCount: free << 20, reason: "full")
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
  }

  @Test("the number of free bytes is from the newest check")
  func number() {
    let client = fixture.client(as: .control)
    fill(free: 3)
    fill(free: 5)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    #expect(fixture.take(client).last?.contains("5 MiB are free") == true)
  }

  @Test(
    "only a refusal because of the disk starts a check of the free space",
    arguments: [DiskRoom.full, .exhausted])
  func wish(storage: DiskRoom) {
    let client = fixture.client(as: .control)
    fill(storage, free: 3)
    fixture.send(Ping(), id: 1, from: client)
    fixture.send(SessionShow(name: "nothing"), id: 2, from: client)
    #expect(fixture.sink.wishes == 0)
    fixture.send(SceneConnect(name: "packing"), id: 3, from: client)
    #expect(fixture.sink.wishes == 1)
    fixture.sink.status.storage = .ok
    fixture.sink.status.spaceShortage = nil
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.send(SceneConnect(name: "packing"), id: 4, from: client)
    #expect(fixture.sink.wishes == 1)
  }
}
