import SceneApp

class SceneDelegate: WindowSceneDelegate {
  static let activityType = "com.example.recipes.cook"

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession,
    options connectionOptions: Scene.ConnectionOptions
  ) {
    if let activity = session.stateRestorationActivity,
      activity.activityType == SceneDelegate.activityType,
      let recipe = activity.userInfo?["recipe"] as? String
    {
      print("restored", recipe)
      show(recipe, in: scene)
    }
    open(connectionOptions.urlContexts, in: scene)
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    open(urlContexts, in: scene)
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    return scene.userActivity
  }

  private func open(_ urlContexts: some Sequence<OpenURLContext>, in scene: Scene) {
    for urlContext in urlContexts {
      let url = urlContext.url
      let options = urlContext.options
      print("opened", url, options.openInPlace ? "in place" : "as a copy")
      show(url, in: scene)
    }
  }

  private func show(_ recipe: String, in scene: Scene) {
    scene.title = recipe
    var activity = UserActivity(activityType: SceneDelegate.activityType)
    activity.addUserInfoEntries(from: ["recipe": recipe])
    scene.userActivity = activity
  }
}
