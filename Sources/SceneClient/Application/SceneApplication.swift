package import SceneModel
package import ScenePlatform
import Synchronization

/// This process as a client of the application's broker. It makes scenes and receives their life
/// cycle. Corresponds to `UIApplication`.
///
/// ```swift
/// await SceneApplication(name: "notes", delegates: ["NoteDelegate": NoteDelegate.init]).main()
/// ```
///
/// After a loss of the broker the client connects again, and its scenes resume. Any thread can use
/// the application.
public final class SceneApplication: Sendable {
  /// A function that makes the delegate of one scene.
  public typealias DelegateFactory = @Sendable () -> any SceneDelegate

  package let host: SceneHost
  /// The name of this program, where it finds its broker, and where it reports.
  package let program: ProgramAddress
  private let opening: Result<Client, SceneError>

  /// Prepares an application without a connection. ``run(_:)`` and the requests throw the errors of
  /// the preparation.
  ///
  /// - Parameters:
  ///   - name: the name of this program, at most 1 KiB; nil for the name of its file. The broker
  ///     finds sessions again by it.
  ///   - delegate: makes the delegate of each scene, for any class in the manifest; nil if
  ///     `delegates` has the classes.
  ///   - delegates: the delegate classes, by their names in the manifest. `*` stands for any class.
  ///     If a configuration names no class, the only one is used. All names together have at most
  ///     64 KiB by default; each name counts 16 bytes more.
  ///   - socket: the path of the broker's socket, at most 107 bytes on Linux; nil for
  ///     `$SCENE_SOCKET` or the user's socket of the application.
  ///   - application: the name of the application: 1 to 64 ASCII letters, digits, `.`, `_` and `-`;
  ///     nil for `default`. With a socket, the client accepts only a broker of this application.
  ///   - waitsForBroker: whether the client waits for a broker that does not run yet; otherwise
  ///     that is an error.
  ///   - log: receives what the library reports by itself, on any thread; nil for standard error.
  public init(
    name: String? = nil, delegate: DelegateFactory? = nil,
    delegates: [String: DelegateFactory] = [:], socket: String? = nil,
    application: String? = nil, waitsForBroker: Bool = false,
    log: (@Sendable (SceneLogRecord) -> Void)? = nil
  ) {
    var classes = delegates
    classes["*"] = delegate ?? delegates["*"]
    let (name, delegates) = (name ?? ProgramAddress.defaultName, classes)
    let host = SceneHost(delegates)
    self.host = host
    let program = ProgramAddress(name: name, socket: socket, application: application, log: log)
    self.program = program
    opening = SceneApplication.open(host) { () throws(SceneError) in
      let address = try BrokerAddress(socket: socket, application: application)
      var settings = address.settings(name: name, hosts: delegates.keys.sorted())
      settings.waitsForBroker = waitsForBroker
      settings.launch = { [path = address.path] in
        LaunchToken.ofProcess.claim(for: delegates, at: path)
      }
      settings.log = program.log
      return settings
    }
    host.attach(self)
  }

  /// An application with its own way to connect.
  package init(
    name: String, delegates: [String: DelegateFactory], waitsForBroker: Bool = false,
    log: (@Sendable (SceneLogRecord) -> Void)? = nil,
    connecting connect: @escaping @Sendable () throws(SystemError) -> FileDescriptor
  ) {
    let host = SceneHost(delegates)
    self.host = host
    let program = ProgramAddress(name: name, log: log)
    self.program = program
    opening = SceneApplication.open(host) { () throws(SceneError) in
      var settings = ClientSettings(
        name: name, hosts: delegates.keys.sorted(), open: connect)
      settings.waitsForBroker = waitsForBroker
      settings.log = program.log
      return settings
    }
    host.attach(self)
  }

  private static func open(
    _ host: SceneHost, _ settings: () throws(SceneError) -> ClientSettings
  ) -> Result<Client, SceneError> {
    let made = Result { () throws(SceneError) in try settings() }
    let opening = made.flatMap { settings in
      let client = Result { () throws(SystemError) in try Client(settings, handler: host) }
      return client.map { client in
        host.attach(client)
        return client
      }.mapError { SceneError($0) }
    }
    if case .failure(let error) = opening {
      host.didReceive(.connection(.stopped(error)))
    }
    return opening
  }

  /// The client; throws the error of the preparation.
  package var client: Client {
    get throws(SceneError) { try opening.get() }
  }

  private static let main = Mutex<SceneApplication?>(nil)

  /// The application of this process. Corresponds to `UIApplication.shared`.
  ///
  /// `main` sets it. In a process without `main`, it does not exist, and reading it is a
  /// programming error; use ``Scene/application`` there.
  public static var shared: SceneApplication {
    guard let application = sharedIfPresent else {
      preconditionFailure(
        """
        SceneApplication.shared exists only in a program that runs main(); use scene.application, \
        and event.post(from: scene) instead of event.post()
        """)
    }
    return application
  }

  /// ``shared``, or nil in a process without `main`.
  package static var sharedIfPresent: SceneApplication? { main.withLock { $0 } }

  /// Makes this application ``shared``.
  package func makeShared() { Self.main.withLock { $0 = self } }

  // MARK: - Life cycle

  /// Connects, requests a scene, and serves scenes until ``stop()``. The task waits without
  /// blocking a thread. Corresponds to `UIApplicationMain(_:_:_:_:)`.
  ///
  /// With nil, `run` requests no scene; the application requests its own. In a program that the
  /// broker launched (`$SCENE_LAUNCH`), the first application of this broker with a delegate class
  /// gets the scene of the launch, and `request` has no effect. Such a program prints line by line,
  /// because its standard output is a log.
  ///
  /// If the task is cancelled, all scenes end in order as for ``stop()``, and `run` returns. `run`
  /// reads neither the command line nor signals; a launched program ignores PIPE from then on,
  /// because the reader of its log may end before it. `run` continues after the last
  /// scene has ended, until ``stop()``. The module `SceneApp` has `main`, which does the
  /// rest of the work of a program.
  ///
  /// - Parameter request: the scene to request; nil for none.
  /// - Throws: The errors of ``connectScene(_:)``. ``SceneError/Code/brokerUnavailable`` if no
  ///   broker answers and the application does not wait for one. The error of the broker if it
  ///   rejects this client. ``SceneError/Code/noDelegateClass`` if the requested scene needs a
  ///   delegate class that `delegates` lacks; the message lists the classes. The application has
  ///   stopped then.
  public func run(_ request: SceneRequest? = SceneRequest()) async throws(SceneError) {
    try await run(request) {}
  }

  /// Runs as `run(_:)` does, and calls `didStart` when the request waits for the connection.
  package func run(
    _ request: SceneRequest?, didStart: () -> Void
  ) async throws(SceneError) {
    let client = try client
    let refusal = try begin(request)
    didStart()
    let error = await withTaskCancellationHandler {
      await client.untilStopped()
    } onCancel: {
      client.stop()
    }
    if let error = error ?? refusal.withLock({ $0 }) ?? host.refusal { throw error }
  }

  /// Starts the client, and requests a scene. Returns the error of the request, if it fails later.
  private func begin(_ request: SceneRequest?) throws(SceneError) -> ConditionMutex<SceneError?> {
    let client = try client
    let isLaunched = client.claimLaunch()
    if isLaunched {
      // The broker that launched this process logs its output, and may end before it.
      Signal.ignoreBrokenPipes()
      StandardStream.printLineByLine()
    }
    let message = isLaunched ? nil : try request?.message
    try start()
    let refusal = ConditionMutex<SceneError?>(nil)
    if let message {
      client.request(message) { [host] result in
        switch result {
        case .success(let reply): host.require(reply.session)
        case .failure(let error) where error.code == .applicationStopped: break
        case .failure(let error):
          refusal.withLock { $0 = error }
          client.stop()
        }
      }
    }
    return refusal
  }

  /// Begins to connect, and returns. Later calls have no effect. The first request of an
  /// application also begins to connect.
  package func start() throws(SceneError) {
    try client.startOnce()
  }

  /// Ends all scenes in order and disconnects; `run(_:)` then returns.
  ///
  /// The delegates are called for at most 30 s; a call that hangs then is cancelled after 5 s more,
  /// and delays the end for at most 7 s. Without a broker the scenes end at once, as
  /// ``Scene/DisconnectReason/connectionLost``.
  public func stop() {
    stop(by: nil)
  }

  /// Stops although the user closed no scene; nil is a stop by the user.
  package func stop(by cause: DisconnectCause?) {
    if case .success(let client) = opening { client.stop(by: cause) }
  }
}
