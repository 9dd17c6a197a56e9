import Foundation
import SceneApp
import SceneFoundation

class SceneDelegate: WindowSceneDelegate {
  var editor: Editor?

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession,
    options connectionOptions: Scene.ConnectionOptions
  ) {
    guard let windowScene = scene as? WindowScene else { return }
    editor = Editor(windowScene)
    let document = session.name ?? "untitled"
    scene.activationConditions.canActivateForTargetContentIdentifierPredicate =
      ScenePredicate(value: false)
    scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
      ScenePredicate(format: "self == %@", document)
    if let userActivity = connectionOptions.userActivities.first {
      self.scene(scene, continue: userActivity)
    }
    if let shortcutItem = connectionOptions.shortcutItem {
      handle(shortcutItem)
    }
    self.scene(scene, openURLContexts: connectionOptions.urlContexts)
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    guard let context = urlContexts.first, let host = context.url.host() else { return }
    print("open", host, context.url.lastPathComponent)
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    guard userActivity.activityType == UserActivity.browsingWeb,
      let url = userActivity.webpageURL,
      let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return }
    print("page", components.path)
  }

  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
  ) -> Bool {
    handle(shortcutItem)
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) {
    guard let message = response.userInfo?["message"] as? String else { return }
    print("message", message)
  }

  func sceneDidBecomeActive(_ scene: Scene) {
    scene.userActivity?.becomeCurrent()
    editor?.show()
  }

  func sceneWillResignActive(_ scene: Scene) {
    scene.userActivity?.resignCurrent()
  }

  @discardableResult
  private func handle(_ shortcutItem: ApplicationShortcutItem) -> Bool {
    guard let note = shortcutItem.userInfo?["note"] as? String else { return false }
    print("shortcut", note)
    return true
  }
}

/// The view code of the program.
nonisolated class Editor {
  private let windowScene: WindowScene

  init(_ windowScene: WindowScene) { self.windowScene = windowScene }

  func show() {
    guard let delegate = windowScene.delegate as? SceneDelegate else { return }
    print("shows", delegate.editor === self)
  }
}
