import SceneApp

class SceneDelegate: WindowSceneDelegate, TerminalSceneDelegate {
  func scene(_ scene: Scene, didReceiveLine line: String) async throws {
    try await updateListViews()
    print("updated")
  }

  func sceneNeedsRefresh(_ scene: Scene) {
    print("refreshed", scene.session.name ?? "")
  }
}

func updateListViews() async throws {
  let scenes = SceneApplication.shared.connectedScenes
  let filteredScenes = scenes.filter { scene in
    guard
      let userInfo = scene.session.userInfo,
      let sceneType = userInfo["type"] as? String,
      sceneType == "list"
    else {
      return false
    }

    return true
  }
  for scene in filteredScenes {
    try await SceneApplication.shared.requestSceneSessionRefresh(scene.session)
  }
}
