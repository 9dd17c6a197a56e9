import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform
import Synchronization

/// Passes callbacks to the delegates of scenes.
final class SceneHost: ClientHandler {
  /// A scene and its delegate. Only the queue of the session uses the delegate.
  private final class Place: @unchecked Sendable {
    let scene: Scene
    /// The delegate of the scene.
    let delegate: any SceneDelegate
    /// The delegate, or the translation for a classic application.
    let callee: any SceneDelegate

    init(_ scene: Scene, _ delegate: any SceneDelegate, classicIn application: SceneApplication?) {
      self.scene = scene
      self.delegate = delegate
      callee =
        if let application, let classic = delegate as? any ClassicApplicationDelegate {
          ClassicCalls(application, classic)
        } else {
          delegate
        }
    }
  }

  private struct Content {
    var places: [SessionIdentifier: Place] = [:]
    weak var client: Client?
    weak var application: SceneApplication?
    var onEnd: (@Sendable (SceneEnd) -> Void)?
    var onLeaving: (@Sendable (Bool) -> Void)?
    var isReading = false
    /// The requested session of ``SceneApplication/run(_:)``, until its scene connects.
    var requested: SessionIdentifier?
    /// Why this program cannot make the scene of the requested session.
    var refusal: SceneError?
  }

  /// The end of a scene whose delegate has been told.
  struct SceneEnd: Sendable {
    var session: SessionIdentifier
    /// The name of the session, or a short identifier.
    var name: String
    var reason: Scene.DisconnectReason
    /// The reason of a refused scene, and whether its delegate refused it.
    var refusal: (message: String, isOfDelegate: Bool)?

    init(
      of session: SessionIdentifier, _ name: String, _ reason: Scene.DisconnectReason,
      refusal: (message: String, isOfDelegate: Bool)? = nil
    ) {
      self.session = session
      self.name = name
      self.reason = reason
      self.refusal = refusal
    }
  }

  private let delegates: [String: @Sendable () -> any SceneDelegate]
  private let content = Mutex(Content())
  let notices = Broadcast<SceneApplication.Notice>(keeping: 16)
  let phases = StateSource(SceneApplication.Phase.background)
  let events = EventStreams()
  let connection = StateSource(SceneApplication.ConnectionState.connecting)
  let keys = KeySceneTracker()

  init(_ delegates: [String: @Sendable () -> any SceneDelegate]) { self.delegates = delegates }

  func attach(_ client: Client) { content.withLock { $0.client = client } }

  func attach(_ application: SceneApplication) {
    content.withLock { $0.application = application }
  }

  /// Observes the ends of all scenes, also of refused ones.
  func observeEnds(_ body: @escaping @Sendable (SceneEnd) -> Void) {
    content.withLock { $0.onEnd = body }
  }

  private func tell(_ end: SceneEnd) { content.withLock { $0.onEnd }?(end) }

  /// Makes ``SceneApplication/run(_:)`` fail if the scene of this session cannot be made.
  func require(_ session: SessionIdentifier) { content.withLock { $0.requested = session } }

  /// Why the requested scene cannot be made here.
  var refusal: SceneError? { content.withLock { $0.refusal } }

  /// Sets the handler for a user who ends the application. The handler receives whether the user
  /// can ask again.
  func observeLeaving(_ body: @escaping @Sendable (Bool) -> Void) {
    content.withLock { $0.onLeaving = body }
  }

  /// The user ends the application.
  func leave(canAskAgain: Bool) {
    let (onLeaving, client) = content.withLock { ($0.onLeaving, $0.client) }
    if let onLeaving { onLeaving(canAskAgain) } else { client?.stop() }
  }

  var scenes: [Scene] { content.withLock { $0.places.values.map(\.scene) } }

  /// Returns whether the scene exists.
  @discardableResult
  func perform(on scene: Scene, _ work: (any SceneDelegate) -> Void) -> Bool {
    guard let place = place(scene.identifier), place.scene === scene else { return false }
    work(place.delegate)
    return true
  }

  private func place(_ session: SessionIdentifier) -> Place? {
    content.withLock { $0.places[session] }
  }

  // MARK: - Callbacks

  func handle(_ callback: Callback) -> CallAnswer? {
    if case .willConnect(let message) = callback { return connect(message) }
    guard let place = place(callback.session) else {
      return .failed(message: "this client has no scene of \(callback.session)")
    }
    return handle(callback, place.scene, place.callee)
  }

  private func handle(
    _ callback: Callback, _ scene: Scene, _ delegate: any SceneDelegate
  ) -> CallAnswer {
    // As in UIKit, the state changes before a *did* method, and after a *will* method.
    switch callback {
    case .willConnect: break
    case .willEnterForeground:
      keys.enter(scene)
      delegate.sceneWillEnterForeground(scene)
      scene.states.set(.foregroundInactive)
      typeToExternalDisplay(scene)
    case .didBecomeActive:
      scene.states.set(.foregroundActive)
      delegate.sceneDidBecomeActive(scene)
      makeKey(scene)
    case .willResignActive:
      delegate.sceneWillResignActive(scene)
      scene.states.set(.foregroundInactive)
    case .didEnterBackground:
      scene.states.set(.background)
      delegate.sceneDidEnterBackground(scene)
      tellKey(keys.leave(scene))
    case .stateRestorationActivity: return activity(of: scene, delegate)
    case .didDisconnect(let message): end(scene, delegate, message.reason)
    case .willContinueUserActivity(let message):
      delegate.scene(scene, willContinueUserActivityWithType: message.activityType)
    case .continueUserActivity(let message):
      bringForward(scene)
      delegate.scene(scene, continue: UserActivity(message.userActivity))
    case .openURLContexts(let message):
      bringForward(scene)
      delegate.scene(scene, openURLContexts: message.urlContexts.map(OpenURLContext.init))
    case .didUpdateUserActivity(let message):
      didSave(message.userActivity, of: message.session)
      delegate.scene(scene, didUpdate: UserActivity(message.userActivity))
    case .performActionForShortcutItem(let message):
      bringForward(scene)
      delegate.scene(scene, performActionFor: ApplicationShortcutItem(message.shortcutItem))
    case .didReceiveNotificationResponse(let message):
      bringForward(scene)
      delegate.scene(scene, didReceive: NotificationResponse(message.notificationResponse))
    case .refresh: delegate.sceneNeedsRefresh(scene)
    }
    return .done
  }

  private func connect(_ message: WillConnect) -> CallAnswer {
    let (client, application) = content.withLock { ($0.client, $0.application) }
    guard let client else {
      return .failed(message: "the application has ended")
    }
    let configuration = message.sceneSession.configuration
    guard let make = delegate(for: configuration.delegateClass) else {
      let error = SceneError.noDelegateClass(for: configuration, among: delegates.keys.sorted())
      return refuse(message, error, client)
    }
    let scene = Scene(message, client: client, host: self)
    let place = Place(scene, make(), classicIn: client.isClassic ? application : nil)
    content.withLock { $0.places[message.session] = place }
    do {
      try place.callee.scene(
        scene, willConnectTo: scene.session, options: Scene.ConnectionOptions(message))
    } catch {
      content.withLock { $0.places[message.session] = nil }
      scene.end(.refused)
      let text = (error as? SceneError)?.message ?? "\(error)"
      // After the answer: otherwise the exit of this program would leave the session with the
      // broker.
      client.enqueue(message.session) { [self] in
        tell(
          SceneEnd(
            of: message.session, message.name, .refused, refusal: (text, isOfDelegate: true)))
      }
      return .failed(message: "\(error)")
    }
    content.withLock { if $0.requested == message.session { $0.requested = nil } }
    scene.states.set(.background)
    if place.delegate is any TerminalSceneDelegate {
      keys.add(scene)
      beginReading(client)
    }
    return .done
  }

  /// The named delegate class; without a name, the only one.
  private func delegate(for name: String?) -> (@Sendable () -> any SceneDelegate)? {
    if let name, let named = delegates[name] { return named }
    if let any = delegates["*"] { return any }
    return name == nil && delegates.count == 1 ? delegates.values.first : nil
  }

  /// Reports a scene that this program cannot make. Ends the client if ``SceneApplication/run(_:)``
  /// requested it.
  private func refuse(
    _ message: WillConnect, _ error: SceneError, _ client: Client
  ) -> CallAnswer {
    let (isRequested, isObserved) = content.withLock { content in
      let isRequested = content.requested == message.session
      if isRequested { content.refusal = error }
      return (isRequested, content.onEnd != nil)
    }
    // After the answer, which tells the broker the reason.
    if isRequested {
      client.enqueue(message.session) { client.stop() }
    } else if isObserved {
      let refusal = (error.message, isOfDelegate: false)
      client.enqueue(message.session) { [self] in
        tell(SceneEnd(of: message.session, message.name, .refused, refusal: refusal))
      }
    } else {
      try? StandardStream.error.write(PlainText.escaped(error.message) + "\n")
    }
    return .failed(message: error.message)
  }

  private func activity(of scene: Scene, _ delegate: any SceneDelegate) -> CallAnswer {
    guard let activity = delegate.stateRestorationActivity(for: scene) else {
      return .activity(.absent)
    }
    do throws(SceneError) {
      return .activity(.value(try activity.checked))
    } catch {
      delegate.scene(scene, didFailToSave: activity, error: error)
      return .activity(.absent)
    }
  }

  private func end(
    _ scene: Scene, _ delegate: any SceneDelegate, _ reason: DisconnectReason
  ) {
    scene.end(Scene.DisconnectReason(rawValue: reason.rawValue))
    content.withLock { $0.places[scene.identifier] = nil }
    let next = keys.leave(scene)
    delegate.sceneDidDisconnect(scene)
    tellKey(next)
    tell(
      SceneEnd(
        of: scene.identifier, scene.session.name ?? scene.identifier.short,
        Scene.DisconnectReason(rawValue: reason.rawValue)))
  }

  // MARK: - Typed lines

  private func beginReading(_ client: Client) {
    let isFirst = content.withLock { content in
      defer { content.isReading = true }
      return !content.isReading
    }
    guard isFirst else { return }
    TerminalInput(self, client).start()
  }

  private func makeKey(_ scene: Scene) {
    guard let delegate = place(scene.identifier)?.delegate as? any TerminalSceneDelegate,
      keys.makeKey(scene)
    else { return }
    delegate.sceneDidBecomeKey(scene)
    typeWaiting(to: scene, delegate)
  }

  /// Such a scene never becomes active, so it never becomes key.
  private func typeToExternalDisplay(_ scene: Scene) {
    guard scene.session.role == .windowExternalDisplay, keys.receiver === scene,
      let delegate = place(scene.identifier)?.delegate as? any TerminalSceneDelegate
    else { return }
    typeWaiting(to: scene, delegate)
  }

  private func typeWaiting(to scene: Scene, _ delegate: any TerminalSceneDelegate) {
    let (lines, isEnd) = keys.takeWaiting()
    for line in lines { delegate.scene(scene, didReceiveLine: line) }
    if isEnd { scene.close() }
  }

  /// Content for an active scene makes it key; a scene on its way becomes key later.
  private func bringForward(_ scene: Scene) {
    if scene.activationState == .foregroundActive { makeKey(scene) }
  }

  /// The user turns to a scene, which may be active already. Returns whether this process has it.
  func bringForward(_ session: SessionIdentifier) -> Bool {
    guard let scene = place(session)?.scene else { return false }
    scene.perform { [weak self] _ in self?.bringForward(scene) }
    return true
  }

  private func tellKey(_ scene: Scene?) {
    scene?.perform { delegate in
      if let scene { (delegate as? any TerminalSceneDelegate)?.sceneDidBecomeKey(scene) }
    }
  }

  /// Whether the scene becomes key before it takes lines. On an external display it never does.
  private func isOnItsWay(_ scene: Scene) -> Bool {
    switch scene.activationState {
    case .background: true
    case .foregroundInactive: scene.session.role != .windowExternalDisplay && keys.isEntering(scene)
    case .foregroundActive, .unattached: false
    }
  }

  /// The result of a typed line.
  enum Typed {
    case received
    /// The scene must move to the foreground first.
    case isInBackground
    /// The scene has ended.
    case isOver
  }

  /// Passes a line to a scene, after the waiting lines.
  func type(_ line: String, to scene: Scene) -> Typed {
    if isOnItsWay(scene) { return .isInBackground }
    let isThere = perform(on: scene) { delegate in
      guard let delegate = delegate as? any TerminalSceneDelegate else { return }
      typeWaiting(to: scene, delegate)
      delegate.scene(scene, didReceiveLine: line)
    }
    return isThere ? .received : .isOver
  }

  func couldNotSave(
    _ activity: Activity?, of session: SessionIdentifier, _ error: SceneError
  ) {
    guard let place = place(session) else { return }
    place.scene.giveUp(activity, error)
    place.callee.scene(
      place.scene, didFailToSave: activity.map(UserActivity.init), error: error)
  }

  func didSave(_ activity: Activity?, of session: SessionIdentifier) {
    place(session)?.scene.session.didSave(activity.map(UserActivity.init))
  }

  // MARK: - The application

  func didReceive(_ update: ObservationUpdate, of source: EventSource) {
    events.take(update, of: source)
  }

  func didReceive(_ notice: SceneApplication.Notice, in session: SessionIdentifier) {
    (place(session)?.callee as? ClassicCalls)?.didReceive(notice)
  }

  func didReceive(_ update: ClientUpdate) {
    switch update {
    case .phase(let phase): phases.set(SceneApplication.Phase(phase))
    case .connection(.stopped):
      connection.finish(.stopped)
      phases.finish()
      notices.finish()
    case .notice(let notice): notices.post(notice)
    case .connection(let phase): connection.set(SceneApplication.ConnectionState(phase))
    case .notReturned(let session, let error):
      tell(
        SceneEnd(
          of: session, session.short, .refused, refusal: (error.message, isOfDelegate: true)))
    case .rejected, .resumed, .discarded, .delegate: break
    }
  }
}

extension Scene {
  /// Ends the scene for the user.
  func close() {
    client.request(
      .transition(SceneTransition(session: identifier, to: .unattached, reason: .clientRequest)))
  }
}

extension WillConnect {
  /// The name of the session, or a short identifier.
  fileprivate var name: String { sceneSession.name ?? session.short }
}
