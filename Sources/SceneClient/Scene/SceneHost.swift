import SceneCommandLine
import SceneJSON
package import SceneModel
import ScenePlatform
import Synchronization

/// A change of a scene of this process, for the part of the program that reads a terminal.
package enum SceneChange: Sendable {
  /// The delegate has accepted the scene.
  case connected
  case becameActive
  case enteredBackground
  /// The scene receives content, or the user turns to it.
  case receivedContent
  /// The delegate has been told of the end.
  case ended
}

/// Receives a change in the order of the scene, with the scene's delegate.
package typealias SceneObserver = @Sendable (SceneChange, Scene, any SceneDelegate) async -> Void

/// Passes callbacks to the delegates of scenes.
package final class SceneHost: ClientHandler {
  private struct Content {
    var actors: [SessionIdentifier: SceneActor] = [:]
    /// The calls of the scenes whose delegates learn of the end.
    var endingCalls: [SessionIdentifier: DelegateCalls] = [:]
    weak var client: Client?
    weak var application: SceneApplication?
    var onEnd: (@Sendable (SceneEnd) -> Void)?
    var observers: [SceneObserver] = []
    var updateObservers: [@Sendable (ClientUpdate) -> Void] = []
    /// The requested session of ``SceneApplication/run(_:)``, until its scene connects.
    var requested: SessionIdentifier?
    /// Why this program cannot make the scene of the requested session.
    var refusal: SceneError?
    /// Whether the client stops.
    var isStopping = false
  }

  private let delegates: [String: SceneApplication.DelegateMaker]
  private let content = Mutex(Content())
  let notices = Broadcast<SceneApplication.Notice>(keeping: 16)
  let phases = StateSource(SceneApplication.Phase.background)
  let events = EventStreams()
  let connection = StateSource(SceneApplication.ConnectionState.connecting)

  init(_ delegates: [String: SceneApplication.DelegateMaker]) { self.delegates = delegates }

  var application: SceneApplication? { content.withLock(\.application) }

  func attach(_ application: SceneApplication, _ opening: Result<Client, SceneError>) {
    content.withLock { ($0.application, $0.client) = (application, try? opening.get()) }
    if case .failure(let error) = opening { didEnd(error) }
  }

  /// Observes the ends of all scenes, also of refused ones.
  package func observeEnds(_ body: @escaping @Sendable (SceneEnd) -> Void) {
    content.withLock { $0.onEnd = body }
  }

  private func tell(_ end: SceneEnd) { content.withLock { $0.onEnd }?(end) }

  /// Makes ``SceneApplication/run(_:)`` fail if the scene of this session cannot be made.
  func require(_ session: SessionIdentifier) { content.withLock { $0.requested = session } }

  /// Why the requested scene cannot be made here.
  var refusal: SceneError? { content.withLock { $0.refusal } }

  /// Observes the changes of all scenes, in the order of each scene.
  package func observeScenes(_ body: @escaping SceneObserver) {
    content.withLock { $0.observers.append(body) }
  }

  /// Observes all changes of the application, in order and one at a time. A sequence would skip
  /// changes.
  package func observeUpdates(_ body: @escaping @Sendable (ClientUpdate) -> Void) {
    content.withLock { $0.updateObservers.append(body) }
  }

  /// Whether the client waits for a broker.
  package var isAlone: Bool { connection.value == .waiting }

  package var scenes: [Scene] { content.withLock { $0.actors.values.map(\.scene) } }

  /// The delegate for code on the queue of the scene; nil if the scene has ended.
  func delegate(of scene: Scene) -> (any SceneDelegate)? {
    guard let actor = actor(of: scene.identifier), actor.scene === scene else { return nil }
    actor.preconditionIsolated("use Scene.perform(as:_:) outside of the delegate's calls")
    nonisolated(unsafe) var delegate: (any SceneDelegate)?
    actor.assumeIsolated { delegate = $0.delegate }
    return delegate
  }

  /// Runs `work` on the queue of the scene, if the scene has not ended. Returns whether it ran.
  @discardableResult
  package func perform(
    on scene: Scene, _ work: @Sendable (any SceneDelegate) -> Void
  ) -> Bool {
    guard let actor = actor(of: scene.identifier), actor.scene === scene else { return false }
    actor.assumeIsolated { $0.perform(work) }
    return true
  }

  /// Runs `work` with the delegate after the received calls, unless the scene has ended by then.
  package func enqueue(
    on scene: Scene, _ work: @escaping @Sendable (any SceneDelegate) async -> Void
  ) {
    enqueue(on: scene, until: .stopOfClient) { await $0.perform(work) }
  }

  private func enqueue(
    on scene: Scene, until limit: DelegateCalls.Ending,
    _ work: @escaping @Sendable (SceneActor) async -> Void
  ) {
    scene.client.enqueueCall(scene.identifier) { [weak self] finish in
      guard let actor = self?.actor(of: scene.identifier), actor.scene === scene else {
        return finish()
      }
      actor.start(until: limit, answer: { _ in finish() }, work)
    }
  }

  private func actor(of session: SessionIdentifier) -> SceneActor? {
    content.withLock { $0.actors[session] }
  }

  // MARK: - Callbacks

  package func handle(
    _ callback: Callback, answer: @escaping @Sendable (CallAnswer?) -> Void
  ) {
    if let message = callback.message as? WillConnect { return connect(message, answer) }
    guard let actor = actor(of: callback.session) else {
      return answer(.failed(message: "this client has no scene of \(callback.session)"))
    }
    if callback.kind == .didUpdateUserActivity,
      let message = callback.message as? UserActivityMessage
    {
      didSave(message.userActivity, of: message.session)
    }
    var answer = answer
    if let message = callback.message as? DidDisconnect {
      content.withLock { content in
        content.actors[message.session] = nil
        content.endingCalls[message.session] = actor.calls
      }
      let scene = actor.scene
      // After the answer: otherwise the exit of this program would leave the scene to the broker.
      answer = { [self, answer] value in
        content.withLock { $0.endingCalls[message.session] = nil }
        answer(value)
        tell(
          SceneEnd(
            session: scene.identifier, name: scene.session.name ?? scene.identifier.short,
            reason: Scene.DisconnectReason(message.reason)))
      }
    }
    actor.start(until: callback.limit, answer: answer) { await $0.handle(callback) }
  }

  private func connect(
    _ message: WillConnect, _ answer: @escaping @Sendable (CallAnswer?) -> Void
  ) {
    let (client, application) = content.withLock { ($0.client, $0.application) }
    guard let client else {
      return answer(.failed(message: "the application has ended"))
    }
    let configuration = message.sceneSession.configuration
    guard let make = delegate(for: configuration.delegateClass) else {
      let error = SceneError.noDelegateClass(for: configuration, among: delegates.keys.sorted())
      return answer(refuse(message, error, client))
    }
    let actor = SceneActor(
      WindowScene(message, client: client, host: self), make,
      classicIn: client.isClassic ? application : nil, client.calls(of: message.session)
    ) { [weak self] in self?.content.withLock(\.observers) ?? [] }
    let isStopping = content.withLock { content in
      content.actors[message.session] = actor
      return content.isStopping
    }
    if isStopping { actor.calls.cancel(.stopOfClient) }
    actor.start(until: .stopOfClient, answer: answer) { [self] actor in
      do {
        try await actor.connect(message)
        content.withLock { if $0.requested == message.session { $0.requested = nil } }
        return .done
      } catch {
        return fail(actor.scene, message, error, client)
      }
    }
  }

  package func willEnd(_ session: SessionIdentifier) -> (@Sendable () -> Void)? {
    guard let actor = actor(of: session) else { return nil }
    return { actor.calls.cancel(.endOfScene) }
  }

  package func willStop() {
    let actors = content.withLock { content in
      content.isStopping = true
      return Array(content.actors.values)
    }
    for actor in actors { actor.calls.cancel(.stopOfClient) }
  }

  package func cancelCalls() {
    let calls = content.withLock { $0.actors.values.map(\.calls) + $0.endingCalls.values }
    for call in calls { call.cancel(.endOfClient) }
  }

  package func didEnd(_ error: SceneError?) {
    connection.finish(.stopped(error))
    phases.finish()
    notices.finish()
    events.finish()
  }

  /// The delegate has refused a scene, or the end of the scene or of the client has cancelled
  /// `willConnectTo`.
  private func fail(
    _ scene: Scene, _ message: WillConnect, _ error: any Error, _ client: Client
  ) -> CallAnswer {
    let answer = CallAnswer.failed(message: "\(error)")
    let isRefusal = !Task.isCancelled
    // The callback of the end of a scene has its reason.
    guard scene.disconnectReason == nil, isRefusal || content.withLock(\.isStopping) else {
      return answer
    }
    content.withLock { $0.actors[message.session] = nil }
    var end = SceneEnd(session: message.session, name: message.name, reason: .clientRequest)
    if isRefusal {
      end.reason = .refused
      end.refusal = (SceneError.message(of: error), isOfDelegate: true)
    }
    scene.end(end.reason)
    // After the answer: otherwise the exit of this program would leave the session with the broker.
    client.enqueue(message.session) { [self, end] in tell(end) }
    return answer
  }

  /// The named delegate class; without a name, the only one.
  private func delegate(for name: String?) -> SceneApplication.DelegateMaker? {
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
        tell(
          SceneEnd(session: message.session, name: message.name, reason: .refused, refusal: refusal)
        )
      }
    } else {
      client.settings.log(
        SceneLogRecord(.warning, PlainText.escaped(error.message), error: error))
    }
    return .failed(message: error.message)
  }

  /// The user turns to a scene, which may be active already. Returns whether this process has it.
  func bringForward(_ session: SessionIdentifier) -> Bool {
    guard let actor = actor(of: session) else { return false }
    enqueue(on: actor.scene, until: .stopOfClient) { await $0.tell(.receivedContent) }
    return true
  }

  package func couldNotSave(
    _ activity: Activity?, of session: SessionIdentifier, _ error: SceneError,
    finish: @escaping @Sendable () -> Void
  ) {
    guard let actor = actor(of: session) else { return finish() }
    actor.scene.giveUp(activity, error)
    actor.start(until: .endOfScene, answer: { _ in finish() }) {
      await $0.didFailToSave(activity.map(UserActivity.init), error)
    }
  }

  /// Tells the delegate of a scene, after the received calls, that an activity was not saved.
  func didFailToSave(_ activity: UserActivity?, of scene: Scene, _ error: SceneError) {
    enqueue(on: scene, until: .endOfScene) { await $0.didFailToSave(activity, error) }
  }

  package func didSave(_ activity: Activity?, of session: SessionIdentifier) {
    actor(of: session)?.scene.session.didSave(activity.map(UserActivity.init))
  }

  // MARK: - The application

  package func didReceive(_ update: ObservationUpdate, of source: EventSource) {
    if case .refused(let error) = update {
      content.withLock(\.client)?.settings.log(
        error.record("events of topic \(source.topic) not observed"))
    }
    events.take(update, of: source)
  }

  package func didReceive(
    _ notice: SceneApplication.Notice, in session: SessionIdentifier,
    finish: @escaping @Sendable () -> Void
  ) {
    guard let actor = actor(of: session) else { return finish() }
    actor.start(until: .stopOfClient, answer: { _ in finish() }) { await $0.didReceive(notice) }
  }

  package func didReceive(_ update: ClientUpdate) {
    switch update {
    case .phase(let phase): phases.set(phase)
    case .connection(.stopped(let error)): didEnd(error)
    case .notice(let notice): notices.post(notice)
    case .connection(let phase): connection.set(phase)
    case .notReturned(let session, let error):
      tell(
        SceneEnd(
          session: session, name: session.short, reason: .refused,
          refusal: (error.message, isOfDelegate: true)))
    case .rejected, .resumed, .discarded, .activated: break
    }
    for observer in content.withLock(\.updateObservers) { observer(update) }
  }
}

extension Scene {
  /// Ends the scene for the user.
  package func close() {
    client.request(
      SceneTransition(session: identifier, to: .unattached, reason: .clientRequest))
  }
}

extension Scene {
  /// Logs the error of a call of the delegate, except that of its cancellation.
  package func report(_ error: any Error, of call: String) {
    SceneLogRecord(error, ofCall: call, of: session.name ?? identifier.short)
      .map(client.settings.log)
  }
}

extension WillConnect {
  /// The name of the session, or a short identifier.
  fileprivate var name: String { sceneSession.name ?? session.short }
}
