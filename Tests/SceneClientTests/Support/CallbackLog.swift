import SceneModel
import ScenePlatform
import SceneTestSupport

@testable import SceneClient

/// Logs the callbacks.
final class CallbackLog: Sendable {
  private let content = ConditionMutex<[String]>([])

  func note(_ line: String) { content.withLock { $0.append(line) } }

  var lines: [String] { content.withLock { $0 } }

  /// Waits until the log has `count` lines.
  func wait(for count: Int) throws -> [String] {
    let deadline = SystemClock.monotonic() + ceiling
    let lines = content.wait(until: deadline) { $0.count >= count ? $0 : nil }
    guard let lines else { throw Unmet("waited for \(count) lines; there were \(self.lines)") }
    return lines
  }
}

/// A delegate that runs the closures of a test, and logs each callback with the state of the scene.
final class LoggingDelegate: SceneDelegate {
  let log: CallbackLog
  let willConnect: @Sendable (Scene, Scene.ConnectionOptions) throws -> Void
  let didBecomeActive: @Sendable (Scene) -> Void

  init(
    _ log: CallbackLog,
    willConnect: @escaping @Sendable (Scene, Scene.ConnectionOptions) throws -> Void = {
      _, _ in
    },
    didBecomeActive: @escaping @Sendable (Scene) -> Void = { _ in }
  ) {
    self.log = log
    self.willConnect = willConnect
    self.didBecomeActive = didBecomeActive
  }

  private func note(_ what: String, _ scene: Scene) {
    log.note("\(what) \(scene.activationState)")
  }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) throws {
    note("willConnect \(options.reason)", scene)
    try willConnect(scene, options)
  }
  func sceneWillEnterForeground(_ scene: Scene) { note("willEnterForeground", scene) }
  func sceneDidBecomeActive(_ scene: Scene) {
    note("didBecomeActive", scene)
    didBecomeActive(scene)
  }
  func sceneWillResignActive(_ scene: Scene) { note("willResignActive", scene) }
  func sceneDidEnterBackground(_ scene: Scene) { note("didEnterBackground", scene) }
  func sceneDidDisconnect(_ scene: Scene) {
    note("didDisconnect \(scene.disconnectReason?.rawValue ?? "")", scene)
  }
  func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
    note("willContinue \(type)", scene)
  }
  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    note("continue \(userActivity.userInfo ?? [:])", scene)
  }
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {
    note("didUpdate \(userActivity.userInfo ?? [:])", scene)
  }
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<SceneClient.OpenURLContext>) {
    note("open \(urlContexts.map(\.url))", scene)
  }
  func windowScene(
    _ scene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
  ) -> Bool {
    note("perform \(shortcutItem.type)", scene)
    return true
  }
  func scene(_ scene: Scene, didReceive response: SceneClient.NotificationResponse) {
    note("receive \(response.userInfo ?? [:])", scene)
  }
  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError) {
    note("didFailToSave \(error.code)", scene)
  }
}

/// A delegate with only the default implementations.
final class PlainDelegate: SceneDelegate {}
