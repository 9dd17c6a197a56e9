import SceneModel
import Testing

@testable import SceneClient

/// The application delegate's choice of a configuration, in UIKit's spelling.
struct ConfigurationTests {
  private final class AppDelegate: ApplicationDelegate {
    func application(
      _ application: SceneApplication,
      configurationForConnecting connectingSceneSession: SceneSession,
      options: Scene.ConnectionOptions
    ) -> SceneClient.SceneConfiguration {
      connectingSceneSession.userInfo = ["type": "list"]
      var configuration = SceneClient.SceneConfiguration()
      configuration.delegateClass = "ListDelegate"
      configuration.role = connectingSceneSession.role
      if connectingSceneSession.name == "composer" { configuration.name = "Composer" }
      return configuration
    }
  }

  private final class PlainAppDelegate: ApplicationDelegate {}

  private func answer(
    of delegate: sending any ApplicationDelegate, name: String? = nil
  ) async -> ConfigurationForConnecting.Answer? {
    let process = SceneApplication(
      name: "app", delegate: PlainAppDelegate(), socket: "/nowhere")
    let queues = SerialQueues<SessionIdentifier?>("test")
    defer { queues.close() }
    let actor = DelegateActor(delegate, DelegateCalls(queues, nil)) { _ in }
    var message = ConfigurationForConnecting()
    message.sceneSession.persistentIdentifier = packing
    message.sceneSession.name = name
    message.sceneSession.configuration = SceneModel.SceneConfiguration(name: "Note")
    let question = Callback(.configurationForConnecting, message)
    guard case .configuration(let answer) = await actor.answer(question, in: process) else {
      return nil
    }
    return answer
  }

  @Test("a delegate in UIKit's spelling changes the new session and chooses the configuration")
  func chosen() async {
    let userInfo = OpaqueObject(unchecked: (["type": "list"] as UserInfo).raw)
    let members = ConfigurationDescription(
      name: nil, role: .windowApplication, delegateClass: "ListDelegate")
    #expect(
      await answer(of: AppDelegate())
        == ConfigurationForConnecting.Answer(
          configuration: .described(members), userInfo: userInfo))
    var named = members
    named.name = "Composer"
    #expect(
      await answer(of: AppDelegate(), name: "composer")
        == ConfigurationForConnecting.Answer(configuration: .described(named), userInfo: userInfo))
  }

  @Test("without the method the manifest decides")
  func unchosen() async {
    #expect(
      await answer(of: PlainAppDelegate()) == ConfigurationForConnecting.Answer(configuration: nil))
  }
}
