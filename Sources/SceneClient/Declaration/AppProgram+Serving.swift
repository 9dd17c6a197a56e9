import SceneCommandLine
import SceneModel
import ScenePlatform
import Synchronization

extension AppProgram {
  /// Serves scenes until the last one has ended.
  func serve(_ invocation: Invocation, _ signals: AppSignals?) throws {
    let request = try request(invocation)
    let delegates = Dictionary(
      uniqueKeysWithValues: declarations.scenes.map { ($0.configuration.name, $0.makeDelegate) })
    let application = client(invocation, delegates)
    let start = startCommand(invocation)
    let quitPolicy = QuitPolicy(application, start: start)
    signals?.serve(application, quitPolicy)
    followPhase(of: application)
    do throws(SceneError) {
      try application.serve(request, quitPolicy)
    } catch  where error.meansThatItIsOpen && request.canBeHandedOver {
      bringForward(request, error, client(invocation, [:]), start)
    } catch {
      let program = application.program
      program.fail(program.explanation(of: error, start: start), ExitCode(error))
    }
    if let (message, code) = quitPolicy.outcome { application.program.fail(message, code) }
  }

  private func client(
    _ invocation: Invocation, _ delegates: [String: SceneApplication.DelegateFactory]
  ) -> SceneApplication {
    SceneApplication(
      name: name, delegates: delegates, socket: invocation.value("socket"),
      application: invocation.has("application") ? invocation.value("application") : nil)
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

  private func followPhase(of application: SceneApplication) {
    for action in declarations.phaseActions {
      Task {
        var last = ScenePhase.background
        for await phase in application.phase where phase != last {
          // A restarted broker does not know the scenes yet.
          guard application.host.scenes.allSatisfy({ phase.isReached(by: $0.activationState) })
          else { continue }
          last = phase
          action(phase)
        }
      }
    }
  }

  // MARK: - An open window

  /// Moves the open window to the foreground.
  private func bringForward(
    _ request: SceneRequest, _ refusal: SceneError, _ application: SceneApplication,
    _ start: String
  ) {
    let kind = request.configuration ?? declarations.scenes.first?.configuration.name
    do throws(SceneError) {
      try application.start()
      let client = try application.client
      let done = ConditionMutex<Result<SessionIdentifier, SceneError>?>(nil)
      Task {
        let outcome: Result<SessionIdentifier, SceneError>
        do throws(SceneError) {
          outcome = .success(
            try await client.bringForward(request.session.name, kind, refused: refusal))
        } catch {
          outcome = .failure(error)
        }
        done.withLock { $0 = outcome }
      }
      _ = try done.wait { $0 }?.get()
    } catch {
      let program = application.program
      program.fail(program.explanation(of: error, start: start), ExitCode(error))
    }
    application.stop()
    application.program.complain(
      refusal.code == .sessionInUse
        ? "\(PlainText.escaped(refusal.message)); its scene comes to the foreground"
        : "the window is already open and comes to the foreground")
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
