import CommandLine
package import SceneModel
import ScenePlatform

/// This process as the application's delegate: it decides what new sessions are made from, and is
/// told how scenes and the application come and go.
///
/// ```swift
/// final class App: ApplicationDelegate {
///   func application(
///     _ application: ApplicationProcess,
///     configurationForConnecting connectingSceneSession: inout SceneSession,
///     options: Scene.ConnectionOptions
///   ) -> SceneConfiguration {
///     SceneConfiguration(name: options.shortcutItem == nil ? "Note" : "Composer")
///   }
/// }
///
/// ApplicationProcess(name: "notes-app", delegate: App()).main()
/// ```
///
/// One process at a time is the delegate of an application. The broker may come and go: the
/// connection comes back by itself, and the delegate is launched once more.
public final class ApplicationProcess: @unchecked Sendable {
  // Used by the one thread that runs.
  private let delegate: any ApplicationDelegate
  private let program: SceneApplication.Program
  private let opening: Result<DelegateClient, SceneError>

  /// Prepares one; nothing is asked of the broker yet. What cannot be is thrown by ``run()``.
  ///
  /// - Parameters:
  ///   - name: what this program is called, in at most 1 KiB.
  ///   - delegate: who is called.
  ///   - socket: where the broker listens; otherwise `$SCENE_SOCKET`, otherwise the user's place
  ///     for the application.
  ///   - application: which of the user's applications, by its name; nil for `default`. Where the
  ///     socket is named as well, a broker of another application is not talked to.
  ///   - waitsForBroker: whether a broker that is not there yet is waited for; otherwise that is an
  ///     error.
  public init(
    name: String, delegate: any ApplicationDelegate, socket: String? = nil,
    application: String? = nil, waitsForBroker: Bool = false
  ) {
    self.delegate = delegate
    program = SceneApplication.Program(name: name, socket: socket, application: application)
    opening = Self.open(name, socket, application, waitsForBroker: waitsForBroker)
  }

  private static func open(
    _ name: String, _ socket: String?, _ application: String?, waitsForBroker: Bool
  ) -> Result<DelegateClient, SceneError> {
    do throws(SceneError) {
      var settings = try BrokerAddress(socket: socket, application: application).settings(
        name: name, hosts: [])
      settings.waitsForBroker = waitsForBroker
      return .success(DelegateClient(settings))
    } catch {
      return .failure(error)
    }
  }

  /// Connects, and calls the delegate until the application ends or ``stop()`` is called.
  ///
  /// - Throws: ``SceneError/Code/brokerUnavailable`` if nobody listens and that is not waited for,
  ///   ``SceneError/Code/wrongApplication`` if it is the broker of another application,
  ///   ``SceneError/Code/delegateInUse`` if another process is the delegate, and
  ///   ``SceneError/Code/invalidParams`` for an application that cannot be called so.
  public func run() throws(SceneError) {
    try opening.get().run(self)
  }

  /// Runs as a whole program: reads the command line, calls the delegate as ``run()`` does, and
  /// reports an error on standard error, with the exit status that scripts know.
  ///
  /// The command line has `--help` and `--version`; any other word ends the process with status 2. A
  /// program with a command line of its own parses that first, and passes `arguments: []`.
  ///
  /// - Parameter arguments: the words to read instead of the process's command line.
  public func main(arguments: [String]? = nil) {
    program.readCommandLine(
      arguments, summary: "Run the delegate of an application.",
      exits: [
        .success: "the application has ended", .failure: "another process is the delegate",
        .noBroker: "no broker answers",
      ])
    do throws(SceneError) {
      try run()
    } catch {
      program.fail(program.explanation(of: error), ExitCode(error))
    }
  }

  /// Leaves the broker; ``run()`` then returns. It may be called from any thread.
  public func stop() {
    if case .success(let client) = opening { client.stop() }
  }
}

extension ApplicationProcess: DelegateHandler {
  package func handle(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer? {
    switch callback {
    case .willFinishLaunching: delegate.applicationWillFinishLaunching(self)
    case .didFinishLaunching(let message):
      let options = Scene.ConnectionOptions(message.options)
      return .launched(
        accepted: delegate.application(self, didFinishLaunchingWithOptions: options))
    case .configurationForConnecting(let message): return configuration(message)
    case .didDiscardSceneSessions(let message): return discard(message)
    case .willTerminate: delegate.applicationWillTerminate(self)
    }
    return .done
  }

  private func configuration(_ message: ConfigurationForConnecting) -> DelegateAnswer {
    var session = SceneSession(message.sceneSession)
    let before = session
    do {
      let configuration = try delegate.application(
        self, configurationForConnecting: &session,
        options: Scene.ConnectionOptions(message.options))
      return .configuration(
        ConfigurationForConnecting.Answer(
          // One that comes back as it went was not chosen: what was asked for may be missing.
          configuration: configuration == before.configuration ? nil : configuration.choice,
          userInfo: session.userInfo == before.userInfo
            ? nil : CarriedObject(unchecked: session.userInfo.raw)))
    } catch {
      return .failed(message: "\(error)")
    }
  }

  private func discard(_ message: DidDiscardSceneSessions) -> DelegateAnswer {
    let report = DiscardReport(id: message.report.description, isFollowed: message.more)
    do {
      try delegate.application(
        self, didDiscardSceneSessions: Set(message.sceneSessions.map { SceneSession($0) }),
        in: report)
      return .done
    } catch {
      return .failed(message: "\(error)")
    }
  }

  package func hear(_ notification: BrokerNotification) {
    switch notification {
    case .memoryWarning: delegate.applicationDidReceiveMemoryWarning(self)
    case .significantTimeChange: delegate.applicationSignificantTimeChange(self)
    case .delegate(let notification): hear(notification)
    case .sessionChanged, .sessionDiscarded, .phaseChanged, .posted, .trace: break
    }
  }

  private func hear(_ notification: DelegateNotification) {
    switch notification {
    case .sceneConnected(let message):
      delegate.application(
        self, sceneDidConnect: message.session.description,
        reason: Scene.ConnectionOptions.Reason(rawValue: message.reason.rawValue))
    case .sceneDisconnected(let message):
      delegate.application(
        self, sceneDidDisconnect: message.session.description,
        reason: Scene.DisconnectReason(rawValue: message.reason.rawValue))
    case .sceneExited(let message):
      delegate.application(
        self, sceneProcessDidEnd: message.session.description, exit: Scene.ProcessExit(message.exit)
      )
    // An answer that comes too late still counts for a report.
    case .overran: break
    }
  }

  package func hearPong() {}

  package func hear(_ phase: LinkPhase) {}
}

extension SceneConfiguration {
  /// As it is said on the wire: one that has no more than a name is the manifest's.
  fileprivate var choice: ConfigurationChoice {
    let description = ConfigurationDescription(
      name: name.isEmpty ? nil : name, role: role.map { Role(rawValue: $0.rawValue) },
      delegateClass: delegateClass, sceneClass: sceneClass, storyboard: storyboard)
    return description == ConfigurationDescription(name: name)
      ? .named(name) : .described(description)
  }
}
