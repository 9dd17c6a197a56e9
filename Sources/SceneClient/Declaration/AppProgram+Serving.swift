import CommandLine
import SceneModel
import ScenePlatform
import Synchronization

extension AppProgram {
  /// Serves scenes until the last one is over.
  func serve(_ invocation: Invocation, _ signals: AppSignals?) throws {
    let request = try request(invocation)
    let delegates = Dictionary(
      uniqueKeysWithValues: declarations.scenes.map { ($0.configuration.name, $0.makeDelegate) })
    let application = client(invocation, delegates)
    let start = startCommand(invocation)
    let farewell = Farewell(application, start: start)
    application.host.observeEnds { farewell.hear($0) }
    application.host.observeLeaving { farewell.leave(canAskAgain: $0) }
    signals?.serve(application, farewell)
    follow(application, farewell)
    do throws(SceneError) {
      try application.run(request)
    } catch  where error.meansThatItIsOpen && request.canBeHandedOver {
      bringForward(request, error, client(invocation, [:]), start)
    } catch {
      fail("\(name): \(application.program.explanation(of: error, start: start))", ExitCode(error))
    }
    if let (message, code) = farewell.outcome { fail("\(name): \(message)", code) }
  }

  private func client(
    _ invocation: Invocation, _ delegates: [String: SceneApplication.DelegateFactory]
  ) -> SceneApplication {
    SceneApplication(
      name: name, delegates: delegates, socket: invocation.value("socket"),
      application: invocation.has("application") ? invocation.value("application") : nil)
  }

  /// How a broker of this application is started, in bash or zsh.
  private func startCommand(_ invocation: Invocation) -> String {
    let options = Places.options(
      application: invocation.value("application"), socket: invocation.value("socket"))
    // As it was called, so that the shell finds it again.
    let word = CurrentProcess.calledAs.flatMap { $0.contains("/") ? $0.shellWord : nil } ?? name
    return "scened\(options) --manifest <(\(word) --print-manifest) &"
  }

  /// Tells of the phase, and of a broker that has gone.
  private func follow(_ application: SceneApplication, _ farewell: Farewell) {
    for action in declarations.phaseActions {
      Task {
        var last = ScenePhase.background
        for await phase in application.phase where phase != last {
          // A broker that has just come knows of no scene yet.
          guard application.host.scenes.allSatisfy({ phase.isReached(by: $0.activationState) })
          else { continue }
          last = phase
          action(phase)
        }
      }
    }
    Task {
      var isLost = false
      var hasBeenThere = false
      for await state in application.connectionState {
        switch state {
        case .connected:
          farewell.forgetWarning()
          if isLost { complain("the broker is back") }
          (isLost, hasBeenThere) = (false, true)
        case .waiting where hasBeenThere && !isLost:
          isLost = true
          complain("the broker is gone; what needs it waits for it to come back (Ctrl-C leaves)")
        case .connecting, .waiting, .stopped: break
        }
      }
    }
  }

  private func complain(_ message: String) {
    try? StandardStream.error.write("\(name): \(message)\n")
  }

  // MARK: - A window that is open already

  /// Brings it to the foreground where it is.
  private func bringForward(
    _ request: SceneRequest, _ refusal: SceneError, _ application: SceneApplication,
    _ start: String
  ) {
    let kind = request.configuration ?? declarations.scenes.first?.configuration.name
    do throws(SceneError) {
      try application.start()
      let client = try application.client
      let done = Monitor<Result<SessionIdentifier, SceneError>?>(nil)
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
      fail("\(name): \(application.program.explanation(of: error, start: start))", ExitCode(error))
    }
    application.stop()
    complain(
      refusal.code == .sessionInUse
        ? "\(PlainText.escaped(refusal.message)), and comes to the foreground there"
        : "it is open already, and comes to the foreground where it is")
  }
}

extension ScenePhase {
  /// Whether it is at least what this scene makes it.
  fileprivate func isReached(by state: Scene.ActivationState) -> Bool {
    switch state {
    case .foregroundActive: self == .active
    case .foregroundInactive: self != .background
    case .background, .unattached: true
    }
  }
}

extension SceneRequest {
  /// Whether there is nothing in it that only a scene of this process could take.
  fileprivate var canBeHandedOver: Bool { !takesOver && urlContexts.isEmpty && session != .new }
}

extension SceneRequest.Session {
  fileprivate var name: String? {
    guard case .named(let name) = self else { return nil }
    return name
  }
}
