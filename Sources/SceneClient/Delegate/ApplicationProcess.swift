import SceneCommandLine
package import SceneModel
import ScenePlatform

/// This process as the application delegate. It chooses the configuration of new sessions, and
/// receives the changes of scenes and of the application.
///
/// ```swift
/// final class App: ApplicationDelegate {
///   func application(
///     _ application: ApplicationProcess,
///     configurationForConnecting connectingSceneSession: SceneSession,
///     options: Scene.ConnectionOptions
///   ) -> SceneConfiguration {
///     SceneConfiguration(name: options.shortcutItem == nil ? "Note" : "Composer")
///   }
/// }
///
/// ApplicationProcess(name: "notes-app", delegate: App()).main()
/// ```
///
/// An application has one delegate at a time. After a loss of the broker the client connects again,
/// and the broker repeats the launch.
public final class ApplicationProcess: @unchecked Sendable {
  // Used by the thread of `run` only.
  private let delegate: any ApplicationDelegate
  private let program: SceneApplication.Program
  private let opening: Result<DelegateClient, SceneError>

  /// Prepares a delegate without a connection. ``run()`` throws the errors of the preparation.
  ///
  /// - Parameters:
  ///   - name: the name of this program, at most 1 KiB.
  ///   - delegate: the delegate.
  ///   - socket: the path of the broker's socket; nil for `$SCENE_SOCKET` or the user's socket of
  ///     the application.
  ///   - application: the name of the application; nil for `default`. With a socket, the client
  ///     accepts only a broker of this application.
  ///   - waitsForBroker: whether the client waits for a broker that does not run yet; otherwise
  ///     that is an error.
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
    Result { () throws(SceneError) in
      var settings = try BrokerAddress(socket: socket, application: application).settings(
        name: name, hosts: [])
      settings.waitsForBroker = waitsForBroker
      return DelegateClient(settings)
    }
  }

  /// Connects, and calls the delegate until the application ends or ``stop()`` is called.
  ///
  /// - Throws: ``SceneError/Code/brokerUnavailable`` if no broker answers and the delegate does
  ///   not wait for one, ``SceneError/Code/wrongApplication`` for the broker of another
  ///   application, ``SceneError/Code/delegateInUse`` if another process is the delegate, and
  ///   ``SceneError/Code/invalidParams`` for an invalid application name.
  public func run() throws(SceneError) {
    try opening.get().run(self)
  }

  /// Runs the whole program: reads the command line, calls the delegate, and reports an error on
  /// standard error with an exit status.
  ///
  /// The command line has `--help` and `--version`; any other word ends the process with status 2.
  /// A program with its own command line parses it first, and passes `arguments: []`.
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

  /// Disconnects; ``run()`` then returns. Any thread can call it.
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
    let (known, userInfo) = (session.configuration, session.userInfo)
    do {
      let configuration = try delegate.application(
        self, configurationForConnecting: &session,
        options: Scene.ConnectionOptions(message.options))
      return .configuration(
        ConfigurationForConnecting.Answer(
          // An unchanged configuration was not chosen: the manifest may lack the requested one.
          configuration: configuration == known ? nil : configuration.choice,
          userInfo: session.userInfo == userInfo
            ? nil : OpaqueObject(unchecked: (session.userInfo ?? [:]).raw)))
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

  package func didReceive(_ notification: BrokerNotification) {
    switch notification {
    case .memoryWarning: delegate.applicationDidReceiveMemoryWarning(self)
    case .significantTimeChange: delegate.applicationSignificantTimeChange(self)
    case .delegate(let notification): didReceive(notification)
    case .sessionChanged, .sessionDiscarded, .phaseChanged, .posted, .trace: break
    }
  }

  private func didReceive(_ notification: DelegateNotification) {
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
    // A late answer still counts for a report.
    case .overran: break
    }
  }

  package func didReceivePong() {}

  package func didReceive(_ phase: LinkPhase) {}
}

extension SceneConfiguration {
  /// The wire form: a configuration with only a name is that of the manifest.
  fileprivate var choice: ConfigurationChoice {
    let name = self.name == "" ? nil : self.name
    let description = ConfigurationDescription(
      name: name, role: role.map { Role(rawValue: $0.rawValue) },
      delegateClass: delegateClass, sceneClass: sceneClass, storyboard: storyboard)
    if let name, description == ConfigurationDescription(name: name) { return .named(name) }
    return .described(description)
  }
}
