import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform
import Synchronization

extension AppProgram {
  /// Serves scenes until the last one has ended.
  func serve(_ invocation: Invocation) async throws {
    let request = try request(invocation)
    let application = client(invocation, delegates)
    WindowValue.register(declarations.scenes)
    let start = startCommand(invocation)
    let keys = KeySceneTracker()
    let quitPolicy = QuitPolicy(application, keys, start: start)
    followPhase(of: application)
    do throws(SceneError) {
      try await application.serve(request, keys, quitPolicy)
    } catch  where error.meansThatItIsOpen && request.canBeHandedOver {
      await bringForward(request, error, client(invocation, [:]), start)
    } catch {
      application.program.fail(error, start: start)
    }
    if let (message, code) = quitPolicy.outcome { application.program.fail(message, code) }
  }

  /// Runs the declared application delegate.
  func serveDelegate(
    _ delegate: sending any ApplicationDelegate, _ invocation: Invocation
  ) async {
    let application = SceneApplication(
      name: name, delegate: delegate, socket: invocation.value("socket"),
      application: invocation.has("application") ? invocation.value("application") : nil, log: log)
    await application.serveDelegate(start: startCommand(invocation))
  }

  private var delegates: [String: SceneApplication.DelegateMaker] {
    Dictionary(
      declarations.scenes.map { declaration in
        (
          declaration.configuration.name,
          { @Sendable scene in
            if let title = declaration.title, scene.isNew { scene.title = title }
            return declaration.makeDelegate(scene)
          }
        )
      },
      uniquingKeysWith: { first, _ in first })
  }

  private func client(
    _ invocation: Invocation, _ delegates: [String: SceneApplication.DelegateMaker]
  ) -> SceneApplication {
    SceneApplication(
      makers: delegates,
      ProgramAddress(
        name: name, socket: invocation.value("socket"),
        application: invocation.has("application") ? invocation.value("application") : nil,
        log: log))
  }

  /// The shell command that starts a broker with the manifest of this application.
  private func startCommand(_ invocation: Invocation) -> String {
    let options = RuntimePaths.options(
      application: invocation.value("application"), socket: invocation.value("socket"))
    // As the user called it, so that the shell finds it.
    let word = CurrentProcess.calledAs.flatMap { $0.contains("/") ? $0.shellWord : nil } ?? name
    // A file, because the broker reads the manifest again at a reload.
    let file = "\(name).json".shellWord
    return "\(word) --print-manifest > \(file); scened\(options) --manifest \(file) &"
  }

  /// Runs the actions for the phase from the first scene of this process on. A process that hands
  /// its window to another process has no scene.
  func followPhase(of application: SceneApplication) {
    let actions = declarations.phaseActions
    guard !actions.isEmpty else { return }
    let followed = Mutex(FollowedPhase())
    // On the application's queue, which is empty when `run` returns.
    let begin: @Sendable () -> Void = { [weak application] in
      guard let application else { return }
      let phase = application.applicationState
      guard followed.withLock({ $0.begin(with: phase) }) else { return }
      for action in actions where action.isInitial { action.run(phase, phase) }
    }
    // With a capture list, Swift 6.3 takes the closure for a concurrent one.
    weak let client = try? application.client
    application.host.observeScenes { change, _, _ in
      if change == .connected { client?.enqueue(nil, begin) }
    }
    application.host.observeUpdates { [weak application] update in
      guard let application else { return }
      switch update {
      case .connection(.waiting): followed.withLock { $0.isReturning = true }
      case .phase:
        let states = application.connectedScenes.map(\.activationState)
        let phase = application.applicationState
        guard let old = followed.withLock({ $0.change(to: phase, states) }) else { return }
        for action in actions { action.run(old, phase) }
      default: break
      }
    }
  }

  // MARK: - An open window

  /// Moves the open window to the foreground.
  private func bringForward(
    _ request: SceneRequest, _ refusal: SceneError, _ application: SceneApplication,
    _ start: String
  ) async {
    let kind = request.configuration ?? declarations.scenes.first?.configuration.name
    do throws(SceneError) {
      _ = try await application.client.bringForward(request.session.name, kind, refused: refusal)
    } catch {
      application.program.fail(error, start: start)
    }
    application.stop()
    application.program.report(
      .notice,
      refusal.code == .sessionInUse
        ? "\(PlainText.escaped(refusal.message)); its scene comes to the foreground"
        : "the window is already open and comes to the foreground")
  }
}

/// The phase that the actions of an application have seen.
private struct FollowedPhase {
  /// Nil before the first scene.
  var last: ScenePhase?
  /// Whether the broker was lost. A restarted broker does not know the scenes yet.
  var isReturning = false

  /// Returns whether this is the first scene.
  mutating func begin(with phase: ScenePhase) -> Bool {
    guard last == nil else { return false }
    last = phase
    return true
  }

  /// Returns the old phase if the actions run.
  mutating func change(to phase: ScenePhase, _ states: [Scene.ActivationState]) -> ScenePhase? {
    if isReturning {
      guard states.allSatisfy(phase.isReached(by:)) else { return nil }
      isReturning = false
    }
    guard let old = last, old != phase else { return nil }
    last = phase
    return old
  }
}

extension ScenePhase {
  /// Whether the phase is at least the phase of a scene in this state.
  fileprivate func isReached(by state: Scene.ActivationState) -> Bool {
    switch state {
    case .foregroundActive: self == .active
    case .foregroundInactive: self != .background
    case .background, .unattached: true
    }
  }
}

extension SceneRequest {
  /// Whether another process can handle the request.
  fileprivate var canBeHandedOver: Bool { !takesOver && urlContexts.isEmpty && session != .new }
}

extension SceneRequest.Session {
  fileprivate var name: String? {
    guard case .named(let name) = self else { return nil }
    return name
  }
}
