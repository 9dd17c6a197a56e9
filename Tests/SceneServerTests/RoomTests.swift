import SceneBroker
import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

/// What a client is told of a full disk is what is so now.
struct RoomTests {
  private func fill(_ stage: Stage, free: Int) {
    stage.keeper.news.storage = .full
    stage.keeper.news.spaceShortage = SpaceShortage(
      place: "/x", neededByteCount: 16 << 20, freeByteCount: free << 20, reason: "full")
    stage.round { stage.eventLoop.journalDidProgress() }
  }

  @Test("the room that is free is the one that was seen last")
  func number() {
    let stage = Stage()
    let client = stage.client(as: .control)
    fill(stage, free: 3)
    fill(stage, free: 5)
    stage.send(SceneConnect(name: "packing"), id: 1, from: client)
    #expect(stage.take(client).last?.contains("5 MiB are free") == true)
  }

  @Test("a refusal for want of room has room looked for, anything else has not")
  func wish() {
    let stage = Stage()
    let client = stage.client(as: .control)
    fill(stage, free: 3)
    stage.send(Ping(), id: 1, from: client)
    stage.send(SessionShow(name: "nothing"), id: 2, from: client)
    #expect(stage.keeper.wishes == 0)
    stage.send(SceneConnect(name: "packing"), id: 3, from: client)
    #expect(stage.keeper.wishes == 1)
    stage.keeper.news.storage = .ok
    stage.keeper.news.spaceShortage = nil
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.send(SceneConnect(name: "packing"), id: 4, from: client)
    #expect(stage.keeper.wishes == 1)
  }
}
