import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// Changes of a session on a full disk: those that do not grow it take effect.
struct FullDiskTests {
  private let fixture = BrokerFixture()

  /// A session with something in every place.
  private func packed() -> (Client, SessionIdentifier) {
    let scene = fixture.client()
    let session = scene.become(
      SceneConnect(name: "packing", title: "Packing", userInfo: object(#"{"a":1}"#)))
    return (scene, session)
  }

  private func changes(_ session: SessionIdentifier, _ title: String) -> [any RequestMessage] {
    [
      SceneUpdate(session: session, title: .value(title)),
      SetName(session: session, name: title),
    ]
  }

  @Test("a full disk refuses records that grow, and takes others")
  func full() {
    let (scene, session) = packed()
    fixture.handle(.storage(.full))
    for request in changes(session, "unpacking") {
      scene.ask(request)
      #expect(scene.lastError?.reason == .storageFull)
    }
    #expect(
      scene.hears(SceneUpdate(session: session, title: .value("Unpacks"))) == ["5 {}"])
    #expect(scene.hears(SceneUpdate(session: session, title: .null)) == ["6 {}"])
    #expect(scene.hears(SetName(session: session, name: nil)) == ["7 {}"])
    #expect(
      scene.hears(SetUserInfo(session: session, userInfo: object(#"{"a":12}"#)))
        == ["8 storageFull later"])
    #expect(
      scene.hears(SetUserInfo(session: session, userInfo: object(#"{"b":2}"#)))
        == ["9 {}"])
    let attributes = fixture.stored(session)?.attributes
    #expect(attributes?.title == nil)
    #expect(attributes?.name == nil)
    #expect(attributes?.userInfo == object(#"{"b":2}"#))
  }

  @Test(
    "a request that changes nothing needs no disk",
    arguments: [StorageCapacity.full, .exhausted, .behind])
  func nothing(storage: StorageCapacity) {
    let (scene, session) = packed()
    fixture.handle(.storage(storage))
    #expect(
      scene.hears(SceneUpdate(session: session, title: .value("Packing"))) == ["3 {}"])
  }

  @Test(
    "a disk that is used up or behind takes no change at all",
    arguments: [(StorageCapacity.exhausted, "storageFull later"), (.behind, "tooMany now")])
  func noRecord(storage: StorageCapacity, refusal: String) {
    let (scene, session) = packed()
    fixture.handle(.storage(storage))
    let count = fixture.records.count
    #expect(
      scene.hears(SceneUpdate(session: session, title: .null)) == ["3 \(refusal)"])
    #expect(
      scene.hears(SetName(session: session, name: nil)) == ["4 \(refusal)"])
    #expect(fixture.records.count == count)
  }

  @Test("a full disk does not refuse a connect whose title it cannot store")
  func titleOnConnect() throws {
    let (scene, session) = packed()
    scene.close()
    fixture.handle(.storage(.full))
    let next = fixture.client()
    #expect(
      next.hears(SceneConnect(session: session, title: "Unpacking")).first
        == "2 S1 recover 2")
    let message = try #require(next.callbacks.first?.callback.message as? WillConnect)
    #expect(message.sceneSession.title == "Packing")
    let told = fixture.trace.last { $0.event == .connected }
    #expect(told?.detail?.hasPrefix("the new title is not stored: ") == true)
    next.close()
    #expect(
      fixture.client().hears(SceneConnect(session: session, title: "Pack")).first
        == "2 S1 recover 3")
    #expect(fixture.stored(session)?.attributes.title == "Pack")
  }

  @Test("the limit of stored bytes does not refuse a connect whose title exceeds it")
  func titleBeyondStoredBytes() {
    let fixture = BrokerFixture(limits: .with(\.storedBytes, SessionAttributes.baseByteCount + 20))
    let session = fixture.client().become(SceneConnect(new: true, title: "Packing"))
    let long = String(repeating: "x", count: 100)
    #expect(
      fixture.client().hears(
        SceneConnect(session: session, takeOver: true, title: long)
      ).first == "2 S1 recover 2")
    #expect(fixture.stored(session)?.attributes.title == "Packing")
  }
}
