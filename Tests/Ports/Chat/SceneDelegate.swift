import SceneApp

class SceneDelegate: WindowSceneDelegate, TerminalSceneDelegate {
  private var name = ""

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession,
    options connectionOptions: Scene.ConnectionOptions
  ) {
    name = session.name ?? "window"
    scene.observe(UpdateEvent.self, as: SceneDelegate.self) { delegate, event in
      delegate.handle(event)
    }
  }

  func scene(_ scene: Scene, didReceiveLine line: String) {
    let message = Message(text: line)
    ChatModelController.shared.add(message: message)
  }

  private func handle(_ event: UpdateEvent) {
    switch event {
    case .newMessage(message: let message):
      print("\(name):", message.text)
    }
  }
}
