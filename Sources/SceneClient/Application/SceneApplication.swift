import SceneModel
package import ScenePlatform

/// This process as a client of the application's broker: it makes scenes, and is told of their
/// lives.
///
/// ```swift
/// SceneApplication(name: "notes", delegates: ["NoteDelegate": NoteDelegate.init]).main()
/// ```
///
/// The broker may come and go. The connection comes back by itself, and scenes go on where they
/// were. It may be used from any thread.
public final class SceneApplication: Sendable {
  /// Makes the delegate of one scene.
  public typealias DelegateFactory = @Sendable () -> any SceneDelegate

  let host: SceneHost
  let program: Program
  private let opening: Result<Client, SceneError>

  /// Prepares one; nothing is asked of the broker yet. What cannot be is thrown by ``start()`` and
  /// ``run(_:)``.
  ///
  /// - Parameters:
  ///   - name: what this program is called, in at most 1 KiB; sessions are found again by it.
  ///   - delegates: for each delegate class that the manifest names, how to make one. `*` stands
  ///     for any class. Where a configuration names none, it is the only one that is taken.
  ///   - socket: where the broker listens; otherwise `$SCENE_SOCKET`, otherwise the user's place
  ///     for the application.
  ///   - application: which of the user's applications, by its name; nil for `default`. Where the
  ///     socket is named as well, a broker of another application is not talked to.
  ///   - waitsForBroker: whether a broker that is not there yet is waited for; otherwise that is an
  ///     error.
  public init(
    name: String, delegates: [String: DelegateFactory], socket: String? = nil,
    application: String? = nil, waitsForBroker: Bool = false
  ) {
    let host = SceneHost(delegates)
    self.host = host
    program = Program(name: name, socket: socket, application: application)
    opening = SceneApplication.open(host) { () throws(SceneError) in
      var settings = try BrokerAddress(socket: socket, application: application).settings(
        name: name, hosts: delegates.keys.sorted())
      settings.waitsForBroker = waitsForBroker
      settings.launch = Environment[Initialize.launchVariable]
      return settings
    }
    host.attach(self)
  }

  /// For one that is reached in another way.
  package init(
    name: String, delegates: [String: DelegateFactory], waitsForBroker: Bool = false,
    connecting connect: @escaping @Sendable () throws(SystemError) -> FileDescriptor
  ) {
    let host = SceneHost(delegates)
    self.host = host
    program = Program(name: name)
    opening = SceneApplication.open(host) { () throws(SceneError) in
      var settings = ClientSettings(
        name: name, hosts: delegates.keys.sorted(), open: connect)
      settings.waitsForBroker = waitsForBroker
      return settings
    }
    host.attach(self)
  }

  private static func open(
    _ host: SceneHost, _ settings: () throws(SceneError) -> ClientSettings
  ) -> Result<Client, SceneError> {
    do throws(SceneError) {
      let settings = try settings()
      do throws(SystemError) {
        let client = try Client(settings, handler: host)
        host.attach(client)
        return .success(client)
      } catch {
        throw SceneError(error)
      }
    } catch {
      return .failure(error)
    }
  }

  /// What can be asked of the broker; an error if it could not even be prepared.
  var client: Client {
    get throws(SceneError) { try opening.get() }
  }

  // MARK: - Its life

  /// Connects, asks for a scene, and serves scenes until ``stop()``; the thread waits meanwhile.
  ///
  /// With nil it asks for none: the application brings what it wants. Nor does a program that the
  /// broker has started, which `$SCENE_LAUNCH` tells: it is given the scene that it was started for,
  /// and what it would have asked for itself does not count.
  ///
  /// `run` reads neither the command line nor signals. After the last scene has ended, `run` goes on
  /// until ``stop()``. ``main(_:arguments:)`` does the rest of a program's work.
  ///
  /// - Throws: What ``start()`` throws; ``SceneError/Code/brokerUnavailable`` if no broker answers and
  ///   that is not waited for; the broker's error if it refuses this client; and what
  ///   ``connectScene(_:)`` throws. ``SceneError/Code/noDelegateClass`` if the requested scene needs a
  ///   delegate class that `delegates` lacks; the message lists the classes. The application has
  ///   stopped then.
  public func run(_ request: SceneRequest? = SceneRequest()) throws(SceneError) {
    let client = try client
    // What it prints is for the log of the broker that has started it, which it may outlive.
    if client.settings.launch != nil { Signal.ignoreBrokenPipes() }
    try start()
    let refusal = ConditionMutex<SceneError?>(nil)
    if let request, client.settings.launch == nil {
      client.request(.connect(try request.message)) { [host] result in
        switch result {
        case .success(.connected(let reply)): host.require(reply.session)
        case .success: break
        case .failure(let error) where error.code == .applicationStopped: break
        case .failure(let error):
          refusal.withLock { $0 = error }
          client.stop()
        }
      }
    }
    let error = client.waitUntilStopped() ?? refusal.withLock { $0 } ?? host.refusal
    if let error { throw error }
  }

  /// Begins to look for the broker, and returns. Once it was begun it is not begun again.
  ///
  /// - Throws: ``SceneError/Code/invalidParams`` for an application that cannot be called so,
  ///   ``SceneError/Code/tooLarge`` for a name that is too long, and
  ///   ``SceneError/Code/brokerUnavailable`` if there is no place for the socket or no thread.
  public func start() throws(SceneError) {
    let client = try client
    do throws(SystemError) {
      try client.start()
    } catch {
      throw SceneError(error)
    }
  }

  /// Ends all scenes in order and leaves the broker; ``run(_:)`` then returns.
  ///
  /// Their delegates are called on the way down, for at most 30 s. Without a broker scenes end at
  /// once, as ``Scene/DisconnectReason/connectionLost``.
  public func stop() {
    if case .success(let client) = opening { client.stop() }
  }
}
