import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

/// What clients are told of a disk that takes no more.
struct StorageTests {
  @Test("a disk that was full when the broker began is known to be full from the first request on")
  func fullAtTheStart() {
    var news = JournalStatus()
    news.storage = .full
    let stage = Stage(news: news)
    let connection = stage.connect()
    stage.round {
      let initialize = Initialize(client: ClientName(name: "test", version: ""), as: .scene)
      for bytes in [
        Stage.frame(initialize, id: 0), Stage.frame(SceneConnect(new: true), id: 1),
      ] {
        stage.eventLoop.receive(bytes.span, from: connection)
      }
    }
    #expect(stage.take(connection).last?.contains(#""reason":"storageFull""#) == true)
  }

  @Test("a full disk is told with what is missing, where, until there is room")
  func full() {
    let stage = Stage()
    let client = stage.client()
    stage.keeper.news.storage = .full
    stage.keeper.news.spaceShortage = SpaceShortage(
      place: "/my state", neededByteCount: 16 << 20, freeByteCount: 3 << 20,
      reason: "No space left on device")
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.send(SceneConnect(new: true), id: 1, from: client)
    let refusal = stage.take(client).first ?? ""
    #expect(refusal.contains(#""reason":"storageFull","retry":"later""#))
    #expect(
      refusal.contains(
        "the disk is full: the journal in /my state needs 16 MiB, and 3 MiB are free (No space left "
          + "on device); the broker uses its reserved space only to move, close and discard scenes; free "
          + "some space and try again"), "\(refusal)")
    stage.keeper.news.storage = .exhausted
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.send(SceneConnect(new: true), id: 2, from: client)
    let last = stage.take(client).first ?? ""
    #expect(last.contains("the broker uses its reserved space only for scenes that end"), "\(last)")
    stage.keeper.news = JournalStatus()
    stage.round { stage.eventLoop.journalDidProgress() }
    stage.send(SceneConnect(new: true), id: 3, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(client).first?.contains(#""id":3,"result""#) == true)
  }
}
