import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform
import Synchronization

/// The scenes of an application that take typed lines. Passes each line to the key scene.
final class TerminalScenes: Sendable {
  let keys: KeySceneTracker
  private weak let host: SceneHost?
  private let client: Client
  /// Ends the application. The argument is whether the user can ask again.
  private let quit: @Sendable (_ canAskAgain: Bool, DisconnectCause?) -> Void
  private let isReading = Mutex(false)

  init(
    _ host: SceneHost, _ client: Client, _ keys: KeySceneTracker,
    quit: @escaping @Sendable (Bool, DisconnectCause?) -> Void
  ) {
    self.host = host
    self.client = client
    self.keys = keys
    self.quit = quit
  }

  /// Observes the scenes. The first one with a terminal delegate begins the reading.
  func begin() {
    host?.observeScenes { [self] change, scene, delegate in
      guard let delegate = delegate as? any TerminalSceneDelegate else { return }
      take(change, of: scene, delegate)
    }
  }

  // MARK: - Scenes

  private func take(
    _ change: SceneChange, of scene: Scene, _ delegate: any TerminalSceneDelegate
  ) {
    switch change {
    case .connected:
      keys.add(scene)
      beginReading()
    case .willEnterForeground: keys.enter(scene)
    case .enteredForeground:
      // A scene on an external display never becomes active, so it never becomes key.
      if scene.session.role == .windowExternalDisplay, keys.receiver === scene {
        typeWaiting(to: scene, delegate)
      }
    case .becameActive: makeKey(scene, delegate)
    case .receivedContent:
      // A scene on its way to the foreground becomes key later.
      if scene.activationState == .foregroundActive { makeKey(scene, delegate) }
    case .enteredBackground, .ended: tellKey(keys.leave(scene))
    }
  }

  private func beginReading() {
    let isFirst = isReading.withLock { isReading in
      defer { isReading = true }
      return !isReading
    }
    if isFirst { TerminalInput(self).start() }
  }

  private func makeKey(_ scene: Scene, _ delegate: any TerminalSceneDelegate) {
    guard keys.makeKey(scene) else { return }
    delegate.sceneDidBecomeKey(scene)
    typeWaiting(to: scene, delegate)
  }

  private func tellKey(_ scene: Scene?) {
    scene?.perform { delegate in
      if let scene { (delegate as? any TerminalSceneDelegate)?.sceneDidBecomeKey(scene) }
    }
  }

  private func typeWaiting(to scene: Scene, _ delegate: any TerminalSceneDelegate) {
    let (lines, isEnd) = keys.takeWaiting()
    for line in lines { delegate.scene(scene, didReceiveLine: line) }
    if isEnd { scene.close() }
  }

  // MARK: - Lines

  /// Whether the client waits for a broker.
  var isAlone: Bool { host?.isAlone == true }

  /// Ends the application.
  func leave(canAskAgain: Bool, by cause: DisconnectCause? = nil) { quit(canAskAgain, cause) }

  /// Passes a line to the key scene, or moves a scene to the foreground for it.
  func deliver(_ line: String) {
    guard let scene = keys.receiver else {
      // An empty line only reactivates the window.
      if !line.isEmpty { wait(line) }
      if let session = keys.takeReclaimed() {
        bringBack(session)
      } else if keys.noteUntaken() {
        complain("line not delivered: no scene is open; Ctrl-D ends this program")
      }
      return
    }
    // In the scene's queue the state of the scene does not change meanwhile.
    keys.queue()
    client.enqueue(scene.identifier) { [self] in
      defer { keys.dequeue() }
      if isOnItsWay(scene) {
        wait(line)
        bringForward(scene)
      } else {
        type(line, to: scene)
      }
    }
  }

  private func type(_ line: String, to scene: Scene) {
    let isConnected = host?.perform(on: scene) { delegate in
      guard let delegate = delegate as? any TerminalSceneDelegate else { return }
      typeWaiting(to: scene, delegate)
      delegate.scene(scene, didReceiveLine: line)
    }
    if isConnected == false { deliver(line) }
  }

  /// Whether the scene becomes key before it takes lines. On an external display it never does.
  private func isOnItsWay(_ scene: Scene) -> Bool {
    switch scene.activationState {
    case .background: true
    case .foregroundInactive: scene.session.role != .windowExternalDisplay && keys.isEntering(scene)
    case .foregroundActive, .unattached: false
    }
  }

  private func wait(_ line: String) {
    if !keys.wait(line) { complain("input queue full; line discarded") }
  }

  /// After the end of the application, an error is no news for the user.
  private func complain(_ error: SceneError) {
    if error.code != .applicationStopped { complain(error.message) }
  }

  func complain(_ message: String) {
    try? StandardStream.error.write(PlainText.escaped(message) + "\n")
  }

  /// Reactivates a reclaimed session, as if the user had returned to the window.
  private func bringBack(_ session: String) {
    // Until the scene connects, lines wait without a message.
    _ = keys.noteUntaken()
    guard let message = try? SceneRequest(.persistentIdentifier(session)).message else { return }
    client.request(.connect(message)) { [self] result in
      guard case .failure(let error) = result else { return }
      keys.giveBack(session)
      complain(error)
    }
  }

  /// Moves a scene to the foreground, where it takes the waiting lines.
  private func bringForward(_ scene: Scene) {
    guard keys.await() else { return }
    let message = SceneTransition(session: scene.identifier, to: .foregroundActive)
    client.request(.transition(message)) { [self] result in
      keys.noteAnswer()
      guard case .failure(let error) = result else { return }
      complain(error)
      if keys.ceaseAwaiting() { scene.close() }
    }
  }

  /// The input has ended: ends the key scene after its lines. Without a scene or a broker, ends
  /// the application.
  func close(canAskAgain: Bool) {
    guard let scene = keys.receiver else { return leave(canAskAgain: canAskAgain) }
    client.enqueue(scene.identifier) { [self] in
      // The scene may have ended before this work began; another one is key then.
      guard scene.disconnectReason == nil else { return close(canAskAgain: canAskAgain) }
      // A scene implies a broker, even before its connection was reported.
      guard !isAlone else { return leave(canAskAgain: canAskAgain) }
      if !keys.endBehindWaiting() { scene.close() }
    }
  }
}
