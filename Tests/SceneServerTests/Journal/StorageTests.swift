import SceneJournal
import SceneModel
import Testing

@testable import SceneServer

/// The messages to clients about a full disk.
struct StorageTests {
  @Test("a disk that was full at the start of the broker is full for the first request")
  func fullAtTheStart() {
    var status = JournalStatus()
    status.storage = .full
    let fixture = EventLoopFixture(status: status)
    let connection = fixture.connect()
    fixture.iterate {
      let initialize = Initialize(client: ClientName(name: "test", version: ""), as: .scene)
      for bytes in [
        EventLoopFixture.frame(initialize, id: 0),
        EventLoopFixture.frame(SceneConnect(new: true), id: 1),
      ] {
        fixture.eventLoop.receive(bytes.span, from: connection)
      }
    }
    #expect(fixture.take(connection).last?.contains(#""reason":"storageFull""#) == true)
  }

  @Test("the error on a full disk states the directory and the missing space")
  func full() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.sink.status.storage = .full
    fixture.sink.status.spaceShortage = SpaceShortage(
      place: "/my state", neededByteCount: 16 << 20, freeByteCount: 3 << 20,
      reason: "No space left on device")
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.send(SceneConnect(new: true), id: 1, from: client)
    let refusal = fixture.take(client).first ?? ""
    #expect(refusal.contains(#""reason":"storageFull","retry":"later""#))
    #expect(
      refusal.contains(
        "the disk is full: the journal in /my state needs 16 MiB, and 3 MiB are free (No space left "
          + "on device); the broker uses its reserved space only to move, close and discard scenes; free "
          + "some space and try again"), "\(refusal)")
    fixture.sink.status.storage = .exhausted
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.send(SceneConnect(new: true), id: 2, from: client)
    let last = fixture.take(client).first ?? ""
    #expect(last.contains("the broker uses its reserved space only for scenes that end"), "\(last)")
    fixture.sink.status = JournalStatus()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    fixture.send(SceneConnect(new: true), id: 3, from: client)
    fixture.sync()
    #expect(fixture.take(client).first?.contains(#""id":3,"result""#) == true)
  }
}
