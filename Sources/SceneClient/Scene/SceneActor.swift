import SceneModel
import Synchronization

/// A scene and its delegate. The delegate is used only here, on the queue of the session.
actor SceneActor {
  nonisolated let scene: Scene
  private nonisolated let executor: any SerialExecutor
  private nonisolated let observers: @Sendable () -> [SceneObserver]
  /// The delegate of the scene.
  private let delegate: any SceneDelegate
  /// The delegate, or the translation for a classic application.
  private let callee: any SceneDelegate

  /// The call that may be suspended.
  private nonisolated let longCall = Mutex(LongCall())

  private struct LongCall {
    var task: Task<Void, Never>?
    var answer: OneShot<CallAnswer?>?
    /// Whether the client stops, or the scene has ended. Later calls are cancelled, too.
    var isCancelled = false
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - scene: the new scene.
  ///   - make: makes its delegate.
  ///   - application: the application if it is classic.
  ///   - executor: the queue of the session.
  ///   - observers: who learns of the changes of the scene.
  init(
    _ scene: Scene, _ make: SceneApplication.DelegateFactory,
    classicIn application: SceneApplication?, on executor: any SerialExecutor,
    observers: @escaping @Sendable () -> [SceneObserver]
  ) {
    self.scene = scene
    self.executor = executor
    self.observers = observers
    let delegate = make()
    self.delegate = delegate
    callee =
      if let application, let classic = delegate as? any ClassicApplicationDelegate {
        ClassicCalls(application, classic)
      } else {
        delegate
      }
  }

  /// Starts a call that may suspend, as a task on the queue. Its first part runs before the other
  /// work of the queue.
  func start(
    _ answer: OneShot<CallAnswer?>,
    _ call: @escaping @Sendable (isolated SceneActor) async -> CallAnswer
  ) {
    // Inherits the isolation of this method, so that the task needs no other thread.
    let task = Task {
      answer.complete(await call(self))
      longCall.withLock { if $0.answer === answer { ($0.task, $0.answer) = (nil, nil) } }
    }
    let isCancelled = longCall.withLock { longCall in
      (longCall.task, longCall.answer) = (task, answer)
      return longCall.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task of a suspended call. Returns its answer, which lets the queue continue
  /// without the call.
  @discardableResult
  nonisolated func cancel() -> OneShot<CallAnswer?>? {
    let (task, answer) = longCall.withLock { longCall in
      longCall.isCancelled = true
      return (longCall.task, longCall.answer)
    }
    task?.cancel()
    return answer
  }

  func perform(_ work: (any SceneDelegate) -> Void) { work(delegate) }

  /// Tells the observers of a change.
  func tell(_ change: SceneChange) {
    for observer in observers() { observer(change, scene, delegate) }
  }

  // MARK: - Calls

  /// Connects the scene. An error of the delegate refuses it.
  func connect(_ message: WillConnect) async throws {
    try await callee.scene(
      scene, willConnectTo: scene.session, options: Scene.ConnectionOptions(message))
    // The scene may have ended while the call was suspended.
    guard scene.disconnectReason == nil else { return }
    scene.states.set(.background)
    tell(.connected)
  }

  func perform(_ shortcutItem: ApplicationShortcutItem) async {
    tell(.receivedContent)
    _ = await callee.windowScene(scene, performActionFor: shortcutItem)
  }

  /// Calls the delegate. `connect` and `perform` handle the calls that can suspend.
  func handle(_ callback: Callback) -> CallAnswer {
    // As in UIKit, the state changes before a *did* method, and after a *will* method.
    switch callback {
    case .willConnect, .performActionForShortcutItem: break
    case .willEnterForeground:
      tell(.willEnterForeground)
      callee.sceneWillEnterForeground(scene)
      scene.states.set(.foregroundInactive)
      tell(.enteredForeground)
    case .didBecomeActive:
      scene.states.set(.foregroundActive)
      callee.sceneDidBecomeActive(scene)
      tell(.becameActive)
    case .willResignActive:
      callee.sceneWillResignActive(scene)
      scene.states.set(.foregroundInactive)
    case .didEnterBackground:
      scene.states.set(.background)
      callee.sceneDidEnterBackground(scene)
      tell(.enteredBackground)
    case .stateRestorationActivity: return activity()
    case .didDisconnect(let message):
      scene.end(Scene.DisconnectReason(rawValue: message.reason.rawValue))
      callee.sceneDidDisconnect(scene)
      tell(.ended)
    case .willContinueUserActivity(let message):
      callee.scene(scene, willContinueUserActivityWithType: message.activityType)
    case .continueUserActivity(let message):
      tell(.receivedContent)
      callee.scene(scene, continue: UserActivity(message.userActivity))
    case .openURLContexts(let message):
      tell(.receivedContent)
      callee.scene(scene, openURLContexts: message.urlContexts.map(OpenURLContext.init))
    case .didUpdateUserActivity(let message):
      callee.scene(scene, didUpdate: UserActivity(message.userActivity))
    case .didReceiveNotificationResponse(let message):
      tell(.receivedContent)
      callee.scene(scene, didReceive: NotificationResponse(message.notificationResponse))
    case .refresh: callee.sceneNeedsRefresh(scene)
    }
    return .done
  }

  private func activity() -> CallAnswer {
    guard let activity = callee.stateRestorationActivity(for: scene) else {
      return .activity(.absent)
    }
    do throws(SceneError) {
      return .activity(.value(try activity.checked))
    } catch {
      callee.scene(scene, didFailToSave: activity, error: error)
      return .activity(.absent)
    }
  }

  func couldNotSave(_ activity: Activity?, _ error: SceneError) {
    scene.giveUp(activity, error)
    callee.scene(scene, didFailToSave: activity.map(UserActivity.init), error: error)
  }

  func didReceive(_ notice: SceneApplication.Notice) {
    (callee as? ClassicCalls)?.didReceive(notice)
  }
}
