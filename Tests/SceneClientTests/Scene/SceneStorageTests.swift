import SceneModel
import Testing

@testable import SceneClient

/// The values that a delegate keeps in its session.
struct SceneStorageTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  private enum Sorting: String { case name, date }

  private class Base {
    @SceneStorage("line") var line = 0
  }

  private final class Storing: Base, SceneDelegate {
    @SceneStorage("title") private var title = "none"
    @SceneStorage("sorting") private var sorting = Sorting.name
    @SceneStorage("ratio") private var ratio: Double?
    @SceneStorage("other") private var other: Sorting?
    private let log: CallbackLog

    init(_ log: CallbackLog) { self.log = log }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws { note() }

    func sceneDidBecomeActive(_ scene: Scene) {
      line += 1
      line += 1
      title = "packing"
      sorting = .date
      ratio = 0.5
      other = .name
      note()
    }

    func sceneWillResignActive(_ scene: Scene) {
      (ratio, other) = (nil, nil)
      title = "packing"
      note()
    }

    func sceneDidEnterBackground(_ scene: Scene) { title = "packing" }

    func scene(
      _ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError
    ) {
      line += 2
      line -= 1
    }

    private func note() {
      log.note(
        "\(line) \(title) \(sorting) \(ratio.map { "\($0)" } ?? "-") "
          + "\(other.map { "\($0)" } ?? "-")")
    }
  }

  private func userInfo(_ json: String) throws -> SetUserInfo {
    SetUserInfo(
      session: packing, userInfo: OpaqueObject(unchecked: try UserInfo(json: json).raw))
  }

  @Test("the values are read from the session, and one message saves all that a method assigns")
  func stored() throws {
    let (application, end) = try connected(["Note": { [log] in Storing(log) }])
    defer { application.stop() }
    guard var connect = Callback.willConnect(packing).message as? WillConnect else { return }
    connect.sceneSession.userInfo = OpaqueObject(
      unchecked: try UserInfo(
        json: #"{"own":1,"sceneStorage":{"line":5,"title":7,"sorting":"unknown"}}"#
      ).raw)
    _ = try end.ask(Callback(.willConnect, connect))
    #expect(log.lines == ["5 none name - -"])
    _ = try end.ask(Callback(.willEnterForeground, of: packing))
    try end.call(Callback(.didBecomeActive, of: packing))
    try end.expect(
      userInfo(
        #"{"own":1,"sceneStorage":{"line":7,"title":"packing","sorting":"date","ratio":0.5,"#
          + #""other":"name"}}"#), reply: Empty())
    _ = try end.answer()
    try end.call(Callback(.willResignActive, of: packing))
    try end.expect(
      userInfo(#"{"own":1,"sceneStorage":{"line":7,"title":"packing","sorting":"date"}}"#),
      reply: Empty())
    _ = try end.answer()
    // An equal value is not saved again.
    #expect(try end.ask(Callback(.didEnterBackground, of: packing)) == "{}")
    #expect(
      log.lines == ["5 none name - -", "7 packing date 0.5 name", "7 packing date - -"])
  }

  @Test("after a refused save, the values are the stored ones again")
  func refused() throws {
    let (application, end) = try connected(["Note": { [log] in Storing(log) }])
    defer { application.stop() }
    _ = try end.ask(Callback.willConnect(packing))
    _ = try end.ask(Callback(.willEnterForeground, of: packing))
    try end.call(Callback(.didBecomeActive, of: packing))
    let (number, _) = try end.request()
    try end.refuse(number, .storageFull)
    _ = try end.answer()
    try end.call(Callback(.willResignActive, of: packing))
    try end.expect(userInfo(#"{"sceneStorage":{"title":"packing"}}"#), reply: Empty())
    _ = try end.answer()
    #expect(log.lines.last == "0 packing name - -")
  }

  @Test("a delegate assigns values also when an activity was not saved")
  func failedSave() throws {
    let (application, end) = try connected(["Note": { [log] in Storing(log) }])
    defer { application.stop() }
    _ = try end.ask(Callback.willConnect(packing))
    let scene = try #require(application.connectedScenes.first)
    scene.userActivity = UserActivity(activityType: "")
    try end.expect(userInfo(#"{"sceneStorage":{"line":1}}"#), reply: Empty())
  }

  @Test("a delegate that no scene has, and a session without values, have the defaults")
  func unbound() {
    let delegate = Base()
    delegate.line = 3
    #expect(delegate.line == 0)
  }
}
