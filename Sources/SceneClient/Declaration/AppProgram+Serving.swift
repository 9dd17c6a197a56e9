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
    signals?.serve(application, farewell)
    follow(application)
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
    let word = CommandLine.arguments.first.flatMap { $0.contains("/") ? $0.shellWord : nil } ?? name
    return "scened\(options) --manifest <(\(word) --print-manifest) &"
  }

  /// Tells of the phase, and of a broker that has gone.
  private func follow(_ application: SceneApplication) {
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

/// Ends the application with its last scene, and keeps why.
final class Farewell: Sendable {
  private struct Content {
    var isAsked = false
    var outcome: (message: String, code: ExitCode)?
  }

  private let content = Mutex(Content())
  private let application: SceneApplication
  /// How a broker of this application is started.
  private let start: String

  init(_ application: SceneApplication, start: String) {
    self.application = application
    self.start = start
  }

  /// What is to be said at the end; nil where all is well.
  var outcome: (message: String, code: ExitCode)? { content.withLock { $0.outcome } }

  /// Whoever presses Ctrl-C may not know that what a window is at would be lost with it now: says
  /// so; false if there is no such window.
  func warn() -> Bool {
    let unsaved = (try? application.client.unsavedSessions) ?? []
    let names = application.host.scenes.filter { unsaved.contains($0.identifier) }
      .map { PlainText.escaped($0.session.name ?? $0.identifier.short) }.sorted()
    guard !names.isEmpty else { return false }
    complain(
      """
      without a broker nobody keeps where \(names.joined(separator: ", ")) is
      Start one with: \(start)
      Ctrl-C again leaves all the same
      """)
    return true
  }

  /// Somebody wants it to end.
  func ask() {
    content.withLock { $0.isAsked = true }
    application.stop()
  }

  func hear(_ end: SceneHost.SceneEnd) {
    let isLast = application.host.scenes.isEmpty
    switch end.reason {
    case .reclaimed, .shutdown: return
    case .clientRequest: break
    case .discarded: complain("\(PlainText.escaped(end.name)) was discarded")
    default:
      let message = explanation(of: end)
      let isNews = content.withLock { content in
        guard !content.isAsked, isLast else { return !content.isAsked }
        content.outcome = (message, .no)
        return false
      }
      if isNews { complain(message) }
    }
    if isLast { application.stop() }
  }

  private func complain(_ message: String) {
    try? StandardStream.error.write("\(application.program.name): \(message)\n")
  }

  private func explanation(of end: SceneHost.SceneEnd) -> String {
    guard let refusal = end.refusal else {
      return "\(PlainText.escaped(end.name)) has ended: \(end.reason)"
    }
    let message = PlainText.escaped(refusal.message)
    guard !refusal.isOfDelegate else { return message }
    return """
      the broker does not know this application's scenes: \(message)
      Start one that does with: \(start)
      """
  }
}
