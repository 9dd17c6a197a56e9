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
    // With a capture list, Swift 6.3 takes the closure for a concurrent one.
    host?.observeScenes { change, scene, delegate in
      guard let delegate = delegate as? any TerminalSceneDelegate else { return }
      await self.take(change, of: scene, delegate)
    }
  }

  // MARK: - Scenes

  private func take(
    _ change: SceneChange, of scene: Scene, _ delegate: any TerminalSceneDelegate
  ) async {
    switch change {
    case .connected:
      keys.add(scene)
      beginReading()
    case .becameActive: await makeKey(scene, delegate)
    case .receivedContent:
      // A scene on its way to the foreground becomes key later.
      if scene.activationState == .foregroundActive { await makeKey(scene, delegate) }
    case .enteredBackground, .ended:
      guard let next = keys.leave(scene) else { return }
      perform(on: next) { await self.tellKey(next, $0) }
    }
  }

  private func beginReading() {
    let isFirst = isReading.withLock { !exchange(&$0, with: true) }
    if isFirst { TerminalInput(self).start() }
  }

  private func makeKey(_ scene: Scene, _ delegate: any TerminalSceneDelegate) async {
    if keys.makeKey(scene) { await tellKey(scene, delegate) }
  }

  private func tellKey(_ scene: Scene, _ delegate: any TerminalSceneDelegate) async {
    do {
      try await delegate.sceneDidBecomeKey(scene)
    } catch {
      scene.report(error, of: "didBecomeKey")
    }
    typeLines(to: scene)
  }

  /// Passes the waiting lines to the scene, or moves it to the foreground. Between two lines, the
  /// scene answers its callbacks.
  private func typeLines(to scene: Scene) {
    perform(on: scene) { delegate in
      guard self.keys.waitingCount > 0 else { return }
      guard self.keys.isTaking(scene), let line = self.keys.takeLine() else {
        return self.bringForward(scene)
      }
      do {
        try await delegate.scene(scene, didReceiveLine: line)
      } catch {
        scene.report(error, of: "didReceiveLine")
      }
      if self.keys.waitingCount > 0 {
        self.typeLines(to: scene)
      } else if self.keys.takeEnd() {
        scene.close()
      }
    }
  }

  /// Runs `work` with the delegate on the queue of the scene, if the scene has not ended.
  private func perform(
    on scene: Scene, _ work: @escaping @Sendable (any TerminalSceneDelegate) async -> Void
  ) {
    host?.enqueue(on: scene) { delegate in
      if let delegate = delegate as? any TerminalSceneDelegate { await work(delegate) }
    }
  }

  // MARK: - Lines

  /// Whether the client waits for a broker.
  private var isAlone: Bool { host?.isAlone == true }

  /// Ends the application.
  func leave(canAskAgain: Bool, by cause: DisconnectCause? = nil) { quit(canAskAgain, cause) }

  /// Passes a line to the key scene, and brings it to the foreground. A reclaimed scene returns.
  func deliver(_ line: String) {
    let scene = keys.receiver
    // Without a scene, an empty line only brings the window back.
    if scene != nil || !line.isEmpty, !keys.add(line) {
      complain("input queue full; line discarded")
    }
    if let scene {
      typeLines(to: scene)
    } else if let session = keys.takeReclaimed() {
      bringBack(session)
    } else if keys.noteUntaken() {
      complain("line not delivered: no scene is open; Ctrl-D ends this program")
    }
  }

  /// After the end of the application, an error is no news for the user.
  private func complain(_ error: SceneError) {
    if error.code != .applicationStopped { complain(error.message) }
  }

  func complain(_ message: String) {
    StandardStream.error.offer(PlainText.escaped(message) + "\n")
  }

  /// Connects a reclaimed session, as if the user had returned to the window.
  private func bringBack(_ session: String) {
    // Until the scene connects, lines wait without a message.
    _ = keys.noteUntaken()
    guard let message = try? SceneRequest(.persistentIdentifier(session)).message else { return }
    client.request(message) { [self] result in
      guard case .failure(let error) = result else { return }
      keys.giveBack(session)
      complain(error)
    }
  }

  /// Moves a scene to the foreground, where it takes the waiting lines.
  private func bringForward(_ scene: Scene) {
    guard keys.ask() else { return }
    let message = SceneTransition(session: scene.identifier, to: .foregroundActive)
    client.request(message) { [self] result in
      keys.noteAnswer()
      guard case .failure(let error) = result else { return }
      complain(error)
      if keys.takeEnd() { scene.close() }
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
      if !keys.endAfterLines() { scene.close() }
    }
  }
}
