import SceneCommandLine
import SceneModel

/// A scene and its delegate. The delegate is used only here, on the queue of the session.
actor SceneActor {
  nonisolated let scene: Scene
  /// The calls of the delegate, on the queue of the session.
  nonisolated let calls: DelegateCalls
  private nonisolated let observers: @Sendable () -> [SceneObserver]
  /// The delegate of the scene.
  private let delegate: any SceneDelegate
  /// The delegate, or the translation for a classic application.
  private let callee: any SceneDelegate
  /// Whether the delegate has refused the scene. It gets no more calls.
  private var isRefused = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    calls.executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - scene: the new scene.
  ///   - make: makes its delegate.
  ///   - application: the application if it is classic.
  ///   - executor: the queue of the session.
  ///   - observers: who learns of the changes of the scene.
  init(
    _ scene: Scene, _ make: SceneApplication.DelegateFactory,
    classicIn application: SceneApplication?, on executor: QueueExecutor<SessionIdentifier?>,
    observers: @escaping @Sendable () -> [SceneObserver]
  ) {
    self.scene = scene
    self.observers = observers
    calls = DelegateCalls(on: executor)
    let delegate = make()
    self.delegate = delegate
    callee =
      if let application, let classic = delegate as? any ClassicApplicationDelegate {
        ClassicCalls(application, classic)
      } else {
        delegate
      }
  }

  func perform(_ work: (any SceneDelegate) -> Void) { work(delegate) }

  func perform(_ work: @Sendable (any SceneDelegate) async -> Void) async { await work(delegate) }

  /// Tells the observers of a change.
  func tell(_ change: SceneChange) async {
    for observer in observers() { await observer(change, scene, delegate) }
  }

  // MARK: - Calls

  /// Connects the scene. An error of the delegate refuses it.
  func connect(_ message: WillConnect) async throws {
    do {
      try await callee.scene(
        scene, willConnectTo: scene.session, options: Scene.ConnectionOptions(message))
    } catch {
      isRefused = true
      throw error
    }
    // The scene may have ended while the call was suspended.
    guard scene.disconnectReason == nil else { return }
    scene.states.set(.background)
    await tell(.connected)
  }

  /// Calls the delegate. An error ends only the call.
  func handle(_ callback: Callback) async -> CallAnswer {
    await begin(callback)
    // The end of the scene had cancelled `willConnectTo`.
    if isRefused { return .done }
    let answer: CallAnswer
    do {
      answer = try await call(callback)
    } catch {
      scene.report(error, of: callback.kind.rawValue)
      answer = .failed(message: "\(error)")
    }
    // The scene may have ended while the call was suspended.
    if callback.kind == .didDisconnect || scene.disconnectReason == nil { await end(callback) }
    return answer
  }

  /// As in UIKit, the state changes before a *did* method.
  private func begin(_ callback: Callback) async {
    switch callback {
    case .willEnterForeground: await tell(.willEnterForeground)
    case .didBecomeActive: scene.states.set(.foregroundActive)
    case .didEnterBackground: scene.states.set(.background)
    case .didDisconnect(let message):
      scene.end(Scene.DisconnectReason(rawValue: message.reason.rawValue))
    case .continueUserActivity, .openURLContexts, .performActionForShortcutItem,
      .didReceiveNotificationResponse:
      await tell(.receivedContent)
    case .willConnect, .willResignActive, .stateRestorationActivity, .willContinueUserActivity,
      .didUpdateUserActivity, .refresh:
      break
    }
  }

  /// As in UIKit, the state changes after a *will* method.
  private func end(_ callback: Callback) async {
    switch callback {
    case .willEnterForeground:
      scene.states.set(.foregroundInactive)
      await tell(.enteredForeground)
    case .didBecomeActive: await tell(.becameActive)
    case .willResignActive: scene.states.set(.foregroundInactive)
    case .didEnterBackground: await tell(.enteredBackground)
    case .didDisconnect: await tell(.ended)
    case .willConnect, .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      break
    }
  }

  private func call(_ callback: Callback) async throws -> CallAnswer {
    switch callback {
    // `connect` handles it.
    case .willConnect: break
    case .willEnterForeground: try await callee.sceneWillEnterForeground(scene)
    case .didBecomeActive: try await callee.sceneDidBecomeActive(scene)
    case .willResignActive: try await callee.sceneWillResignActive(scene)
    case .didEnterBackground: try await callee.sceneDidEnterBackground(scene)
    case .stateRestorationActivity: return try await activity()
    case .didDisconnect: try await callee.sceneDidDisconnect(scene)
    case .willContinueUserActivity(let message):
      try await callee.scene(scene, willContinueUserActivityWithType: message.activityType)
    case .continueUserActivity(let message):
      try await callee.scene(scene, continue: UserActivity(message.userActivity))
    case .openURLContexts(let message):
      try await callee.scene(scene, openURLContexts: message.urlContexts.map(OpenURLContext.init))
    case .didUpdateUserActivity(let message):
      try await callee.scene(scene, didUpdate: UserActivity(message.userActivity))
    case .performActionForShortcutItem(let message):
      _ = try await callee.windowScene(
        scene, performActionFor: ApplicationShortcutItem(message.shortcutItem))
    case .didReceiveNotificationResponse(let message):
      try await callee.scene(
        scene, didReceive: NotificationResponse(message.notificationResponse))
    case .refresh: try await callee.sceneNeedsRefresh(scene)
    }
    return .done
  }

  private func activity() async throws -> CallAnswer {
    guard let activity = try await callee.stateRestorationActivity(for: scene) else {
      return .activity(.absent)
    }
    do throws(SceneError) {
      return .activity(.value(try activity.checked))
    } catch {
      try await callee.scene(scene, didFailToSave: activity, error: error)
      return .activity(.absent)
    }
  }

  /// Tells the delegate that an activity was not saved.
  func didFailToSave(_ activity: UserActivity?, _ error: SceneError) async {
    do {
      try await callee.scene(scene, didFailToSave: activity, error: error)
    } catch {
      scene.report(error, of: "didFailToSave")
    }
  }

  func didReceive(_ notice: SceneApplication.Notice) async {
    do {
      try await (callee as? ClassicCalls)?.didReceive(notice)
    } catch {
      scene.report(error, of: "\(notice)")
    }
  }
}

extension Callback {
  /// The ending that cancels the call of the delegate. A client that stops still moves its scenes
  /// to the background.
  var limit: DelegateCalls.Ending {
    switch self {
    case .willResignActive, .didEnterBackground, .stateRestorationActivity: .endOfScene
    case .didDisconnect: .endOfClient
    case .willConnect, .willEnterForeground, .didBecomeActive, .openURLContexts,
      .willContinueUserActivity, .continueUserActivity, .didUpdateUserActivity,
      .performActionForShortcutItem, .didReceiveNotificationResponse, .refresh:
      .stopOfClient
    }
  }
}
