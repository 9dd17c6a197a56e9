import SceneModel
import ScenePlatform

/// This process as the application delegate. It chooses the configuration of new sessions, and
/// receives the changes of scenes and of the application. Corresponds to `UIApplication`.
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
/// await ApplicationProcess(name: "notes-app", delegate: App()).main()
/// ```
///
/// An application has one delegate at a time. After a loss of the broker the client connects again,
/// and the broker repeats the launch.
public final class ApplicationProcess: Sendable {
  /// The name of this program, where it finds its broker, and where it reports.
  package let program: ProgramAddress
  /// This process as a client without scenes, for requests. It connects on first use, and waits for
  /// a broker.
  ///
  /// ```swift
  /// try await application.application.requestSceneSessionDestruction(session)
  /// ```
  public let application: SceneApplication
  private let opening: Result<Client, SceneError>

  /// Prepares a delegate without a connection. `run()` throws the errors of the preparation.
  ///
  /// - Parameters:
  ///   - name: the name of this program, at most 1 KiB.
  ///   - delegate: the delegate. The library calls it on one queue.
  ///   - socket: the path of the broker's socket, at most 107 bytes on Linux; nil for
  ///     `$SCENE_SOCKET` or the user's socket of the application.
  ///   - application: the name of the application: 1 to 64 ASCII letters, digits, `.`, `_` and `-`;
  ///     nil for `default`. With a socket, the client accepts only a broker of this application.
  ///   - waitsForBroker: whether the client waits for a broker that does not run yet; otherwise
  ///     that is an error.
  ///   - log: receives what the library reports by itself, on any thread; nil for standard error.
  ///     One of the warnings is that the manifest leaves this delegate no part.
  public init(
    name: String, delegate: sending any ApplicationDelegate, socket: String? = nil,
    application: String? = nil, waitsForBroker: Bool = false,
    log: (@Sendable (SceneLogRecord) -> Void)? = nil
  ) {
    program = ProgramAddress(name: name, socket: socket, application: application, log: log)
    self.application = SceneApplication(
      name: name, delegates: [:], socket: socket, application: application, waitsForBroker: true,
      log: log)
    let host = DelegateHost()
    opening = Self.open(program, host, waitsForBroker: waitsForBroker)
    if case .success(let client) = opening {
      let actor = DelegateActor(
        delegate, on: client.executor(for: nil), log: client.settings.log)
      host.attach(self, client, actor)
    }
  }

  private static func open(
    _ program: ProgramAddress, _ host: DelegateHost, waitsForBroker: Bool
  ) -> Result<Client, SceneError> {
    Result { () throws(SceneError) in
      var settings = try BrokerAddress(socket: program.socket, application: program.application)
        .settings(name: program.name, hosts: [])
      settings.kind = .applicationDelegate
      settings.waitsForBroker = waitsForBroker
      settings.log = program.log
      return settings
    }.flatMap { settings in
      Result { () throws(SystemError) in try Client(settings, handler: host) }
        .mapError { SceneError($0) }
    }
  }

  /// Connects, and calls the delegate until the application ends or ``stop()`` is called. The task
  /// waits without blocking a thread. If it is cancelled, `run` returns as after ``stop()``.
  /// Corresponds to `UIApplicationMain(_:_:_:_:)`.
  ///
  /// - Throws: ``SceneError/Code/brokerUnavailable`` if no broker answers and the delegate does
  ///   not wait for one, ``SceneError/Code/wrongApplication`` for the broker of another
  ///   application, ``SceneError/Code/delegateInUse`` if another process is the delegate, and
  ///   ``SceneError/Code/invalidParams`` for an invalid application name.
  public func run() async throws(SceneError) {
    let client = try opening.get()
    try client.startOnce()
    let error = await withTaskCancellationHandler {
      await client.untilStopped()
    } onCancel: {
      client.stop()
    }
    application.stop()
    if let error { throw error }
  }

  /// Disconnects; `run()` then returns. Any thread can call it.
  public func stop() {
    if case .success(let client) = opening { client.stop() }
  }
}
