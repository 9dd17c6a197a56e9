import SceneCommandLine
import SceneModel

/// A scene and its delegate. The delegate is used only here, on the queue of the session.
actor SceneActor {
  nonisolated let scene: WindowScene
  /// The calls of the delegate, on the queue of the session.
  nonisolated let calls: DelegateCalls
  private nonisolated let observers: @Sendable () -> [SceneObserver]
  /// The delegate of the scene.
  let delegate: any SceneDelegate
  /// The delegate, or the translation for a classic application.
  private let callee: any SceneDelegate
  /// The values of the delegate's ``SceneStorage`` properties; nil if it has none.
  private nonisolated let storedValues: StoredValues?
  /// Whether the delegate has refused the scene. It gets no more calls.
  private var isRefused = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    calls.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - scene: the new scene.
  ///   - make: makes its delegate.
  ///   - application: the application if it is classic.
  ///   - calls: the calls of the delegate, on the queue of the session.
  ///   - observers: who learns of the changes of the scene.
  init(
    _ scene: WindowScene, _ make: SceneApplication.DelegateMaker,
    classicIn application: SceneApplication?, _ calls: DelegateCalls,
    observers: @escaping @Sendable () -> [SceneObserver]
  ) {
    self.scene = scene
    self.observers = observers
    self.calls = calls
    let delegate = make(scene)
    self.delegate = delegate
    storedValues = StoredValues.bind(delegate, to: scene.session)
    callee =
      if let application, let classic = delegate as? any ClassicApplicationDelegate {
        ClassicCalls(application, classic)
      } else {
        delegate
      }
  }

  func perform(_ work: (any SceneDelegate) -> Void) {
    storedValues?.beginCall()
    work(delegate)
    storedValues?.endCall()
  }

  func perform(_ work: @Sendable (any SceneDelegate) async -> Void) async { await work(delegate) }

  /// Starts a call. The assignments to ``SceneStorage`` properties are saved before its answer,
  /// which can end the scene.
  nonisolated func start<Answer: Sendable>(
    until limit: DelegateCalls.Ending, answer: @escaping @Sendable (Answer?) -> Void,
    _ call: @escaping @Sendable (SceneActor) async -> Answer
  ) {
    calls.start(until: limit, answer: answer) { [self] in
      storedValues?.beginCall()
      defer { storedValues?.endCall() }
      return await call(self)
    }
  }

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
      try await scene.restoration.end()
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
      answer = try await callee.call(callback, of: scene)
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
    switch callback.kind {
    case .didBecomeActive: scene.states.set(.foregroundActive)
    case .didEnterBackground: scene.states.set(.background)
    case .didDisconnect:
      guard let message = callback.message as? DidDisconnect else { break }
      scene.end(Scene.DisconnectReason(message.reason), message.dismissalAnimation)
    case .continueUserActivity, .openURLContexts, .performActionForShortcutItem,
      .didReceiveNotificationResponse:
      await tell(.receivedContent)
    default: break
    }
  }

  /// As in UIKit, the state changes after a *will* method.
  private func end(_ callback: Callback) async {
    switch callback.kind {
    case .willEnterForeground: scene.states.set(.foregroundInactive)
    case .didBecomeActive: await tell(.becameActive)
    case .willResignActive: scene.states.set(.foregroundInactive)
    case .didEnterBackground: await tell(.enteredBackground)
    case .didDisconnect: await tell(.ended)
    default: break
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
    switch kind {
    case .willResignActive, .didEnterBackground, .stateRestorationActivity: .endOfScene
    case .didDisconnect: .endOfClient
    default: .stopOfClient
    }
  }
}
