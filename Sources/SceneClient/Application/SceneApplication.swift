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
  /// The client of the application delegate; nil in a process without one.
  private let delegateOpening: Result<Client, SceneError>?

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
  public convenience init(
    name: String? = nil, delegate: DelegateFactory? = nil,
    delegates: [String: DelegateFactory] = [:], socket: String? = nil,
    application: String? = nil, waitsForBroker: Bool = false,
    log: (@Sendable (SceneLogRecord) -> Void)? = nil
  ) {
    var classes = delegates
    classes["*"] = delegate ?? delegates["*"]
    self.init(
      makers: classes.mapValues { make in { _ in make() } }, waitsForBroker: waitsForBroker,
      ProgramAddress(
        name: name ?? ProgramAddress.defaultName, socket: socket, application: application,
        log: log))
  }

  /// Makes a delegate for a new scene.
  package typealias DelegateMaker = @Sendable (Scene) -> any SceneDelegate

  /// An application whose delegates depend on their scenes.
  package init(
    makers: [String: DelegateMaker], waitsForBroker: Bool = false, _ program: ProgramAddress
  ) {
    self.program = program
    host = SceneHost(makers)
    opening = Self.open(host) { () throws(SceneError) in
      try program.settings(makers, waitsForBroker: waitsForBroker)
    }
    delegateOpening = nil
    host.attach(self, opening)
  }

  /// Prepares the process of the application delegate, without a connection. The delegate chooses
  /// the configuration of new sessions, and receives the changes of scenes and of the application.
  /// ``run(_:)`` throws the errors of the preparation.
  ///
  /// ```swift
  /// final class App: ApplicationDelegate {
  ///   func application(
  ///     _ application: SceneApplication,
  ///     configurationForConnecting connectingSceneSession: SceneSession,
  ///     options: Scene.ConnectionOptions
  ///   ) -> SceneConfiguration {
  ///     SceneConfiguration(name: options.shortcutItem == nil ? "Note" : "Composer")
  ///   }
  /// }
  ///
  /// await SceneApplication(name: "notes-app", delegate: App()).main()
  /// ```
  ///
  /// An application has one delegate at a time. After a loss of the broker the client connects
  /// again, and the broker repeats the launch. The requests and the states of this application are
  /// those of a second client without scenes. It connects on first use, and waits for a broker.
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
    let program = ProgramAddress(name: name, socket: socket, application: application, log: log)
    self.program = program
    host = SceneHost([:])
    opening = Self.open(host) { () throws(SceneError) in
      try program.settings([:], waitsForBroker: true)
    }
    let delegateHost = DelegateHost()
    let delegateOpening = Self.open(delegateHost) { () throws(SceneError) in
      var settings = try program.settings([:], waitsForBroker: waitsForBroker)
      settings.kind = .applicationDelegate
      return settings
    }
    self.delegateOpening = delegateOpening
    host.attach(self, opening)
    if case .success(let client) = delegateOpening {
      let actor = DelegateActor(delegate, client.calls(of: nil), log: program.log)
      delegateHost.attach(self, client, actor)
    }
  }

  /// An application with its own way to connect.
  package init(
    name: String, delegates: [String: DelegateFactory], waitsForBroker: Bool = false,
    log: (@Sendable (SceneLogRecord) -> Void)? = nil,
    connecting connect: @escaping @Sendable () throws(SystemError) -> FileDescriptor
  ) {
    let program = ProgramAddress(name: name, log: log)
    self.program = program
    host = SceneHost(delegates.mapValues { make in { _ in make() } })
    opening = Self.open(host) { () throws(SceneError) in
      var settings = ClientSettings(
        name: name, hosts: delegates.keys.sorted(), open: connect)
      settings.waitsForBroker = waitsForBroker
      settings.log = program.log
      return settings
    }
    delegateOpening = nil
    host.attach(self, opening)
  }

  private static func open(
    _ handler: any ClientHandler, _ settings: () throws(SceneError) -> ClientSettings
  ) -> Result<Client, SceneError> {
    Result { () throws(SceneError) in try settings() }.flatMap { settings in
      Result { () throws(SystemError) in try Client(settings, handler: handler) }
        .mapError { SceneError($0) }
    }
  }

  /// Whether this is the process of the application delegate.
  package var isDelegate: Bool { delegateOpening != nil }

  /// The client; throws the error of the preparation.
  package var client: Client {
    get throws(SceneError) { try opening.get() }
  }

  /// The client that `run(_:)` serves.
  private var served: Result<Client, SceneError> { delegateOpening ?? opening }

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
  /// With nil, `run` requests no scene; the application requests its own. In the process of the
  /// application delegate, `run` calls the delegate until the application ends. In a program that
  /// the broker launched (`$SCENE_LAUNCH`), the first application of this broker with a delegate
  /// class gets the scene of the launch, and `request` has no effect. Such a program prints line by
  /// line, because its standard output is a log.
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
  ///   delegate class that `delegates` lacks; the message lists the classes.
  ///   ``SceneError/Code/delegateInUse`` if another process is the application delegate. The
  ///   application has stopped then.
  public func run(_ request: SceneRequest? = SceneRequest()) async throws(SceneError) {
    try await run(request) {}
  }

  /// Runs as `run(_:)` does, and calls `didStart` when the request waits for the connection.
  package func run(
    _ request: SceneRequest?, didStart: () -> Void
  ) async throws(SceneError) {
    let served = try served.get()
    let refusal = try begin(request)
    didStart()
    let error = await withTaskCancellationHandler {
      await served.untilStopped()
    } onCancel: {
      served.stop()
    }
    if isDelegate { try? client.stop() }
    if let error = error ?? refusal.withLock({ $0 }) ?? host.refusal { throw error }
  }

  /// Starts the client, and requests a scene. Returns the error of the request, if it fails later.
  private func begin(_ request: SceneRequest?) throws(SceneError) -> ConditionMutex<SceneError?> {
    let refusal = ConditionMutex<SceneError?>(nil)
    if let delegateOpening {
      try delegateOpening.get().startOnce()
      return refusal
    }
    let client = try client
    let isLaunched = client.claimLaunch()
    if isLaunched {
      // The broker that launched this process logs its output, and may end before it.
      Signal.ignoreBrokenPipes()
      StandardStream.printLineByLine()
    }
    let message = isLaunched ? nil : try request?.message
    try start()
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
    if case .success(let client) = served { client.stop(by: cause) }
  }
}
