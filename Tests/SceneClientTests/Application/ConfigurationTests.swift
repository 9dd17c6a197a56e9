import SceneModel
import Testing

@testable import SceneClient

/// The application delegate's choice of a configuration, in UIKit's spelling.
struct ConfigurationTests {
  private final class AppDelegate: ApplicationDelegate {
    func application(
      _ application: ApplicationProcess,
      configurationForConnecting connectingSceneSession: SceneSession,
      options: Scene.ConnectionOptions
    ) -> SceneClient.SceneConfiguration {
      let userInfo = ["type": "list"]
      connectingSceneSession.userInfo = userInfo
      var configuration = SceneClient.SceneConfiguration()
      configuration.delegateClass = "ListDelegate"
      configuration.role = connectingSceneSession.role
      if connectingSceneSession.name == "composer" { configuration.name = "Composer" }
      return configuration
    }
  }

  /// The form from when a session was a value.
  private final class OldDelegate: ApplicationDelegate {
    func application(
      _ application: ApplicationProcess,
      configurationForConnecting connectingSceneSession: inout SceneSession,
      options: Scene.ConnectionOptions
    ) -> SceneClient.SceneConfiguration {
      connectingSceneSession.userInfo["type"] = "old"
      return SceneClient.SceneConfiguration(
        name: "Old", sessionRole: connectingSceneSession.role)
    }
  }

  private final class PlainAppDelegate: ApplicationDelegate {}

  private func answer(
    of delegate: sending any ApplicationDelegate, name: String? = nil
  ) async -> ConfigurationForConnecting.Answer? {
    let process = ApplicationProcess(
      name: "app", delegate: PlainAppDelegate(), socket: "/nowhere")
    let queues = SerialQueues<SessionIdentifier?>("test")
    defer { queues.close() }
    let actor = DelegateActor(delegate, on: QueueExecutor(queues, nil)) { _ in }
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

  @Test("the form with inout is called too, and without a form the manifest decides")
  func otherForms() async {
    #expect(
      await answer(of: OldDelegate())
        == ConfigurationForConnecting.Answer(
          configuration: .named("Old"),
          userInfo: OpaqueObject(unchecked: (["type": "old"] as UserInfo).raw)))
    #expect(
      await answer(of: PlainAppDelegate()) == ConfigurationForConnecting.Answer(configuration: nil))
  }
}
