import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The requests of a scene that change its session.
struct SessionRequestTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("the requests for userInfo, name and files have the form of the protocol")
  func session() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let object: UserInfo = ["line": 42]
    let script = try Script(end, for: application) {
      let (first, userInfo) = try end.request()
      #expect(
        userInfo
          == .setUserInfo(
            SetUserInfo(
              session: packing,
              userInfo: OpaqueObject(unchecked: object.raw))))
      try end.reply(first, .empty)
      let (second, name) = try end.request()
      #expect(name == .setName(SetName(session: packing, name: "bags")))
      try end.refuse(second, .nameInUse)
      let (third, directory) = try end.request()
      #expect(directory == .dataDirectory(DataDirectory(session: packing)))
      try end.reply(third, .dataDirectory(DataDirectory.Reply(path: "/data/1")))
    }
    try await scene.setUserInfo(object)
    let refusal = await #expect(throws: SceneError.self) { try await scene.setName("bags") }
    #expect(refusal?.code == .nameInUse)
    #expect(try await scene.dataDirectory() == "/data/1")
    try await script.end()
  }

  @Test("an assertion ends by its number")
  func assertion() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let script = try Script(end, for: application) {
      let (first, begin) = try end.request()
      #expect(
        begin
          == .beginAssertion(BeginAssertion(session: packing, name: "upload", seconds: 2.5)))
      try end.reply(first, .asserted(BeginAssertion.Reply(assertion: 7)))
      let (second, finish) = try end.request()
      #expect(finish == .endAssertion(EndAssertion(assertion: 7)))
      try end.reply(second, .empty)
    }
    let assertion = try await scene.beginAssertion(named: "upload", for: .milliseconds(2500))
    await assertion.end()
    try await script.end()
  }
}
