import SceneModel

extension SceneApplication {
  /// The highest state of all scenes of the application, in any client. Corresponds to
  /// `ScenePhase` and `UIApplication.State`.
  public enum Phase: Hashable, Sendable {
    /// A scene is in the foreground and takes input. Corresponds to `ScenePhase.active`.
    case active
    /// A scene is in the foreground, and no scene takes input. Corresponds to
    /// `ScenePhase.inactive`.
    case inactive
    /// No scene is in the foreground. Corresponds to `ScenePhase.background`.
    case background
  }

  /// The state of the connection to the broker.
  public enum ConnectionState: Hashable, Sendable {
    /// The first attempt to connect.
    case connecting
    /// The broker has accepted this client.
    case connected
    /// The broker does not run, or was lost. The client tries again, first after at most 20 ms,
    /// later after at most 2 s.
    case waiting
    /// This application has ended and makes no more attempts. The error is the cause; nil after
    /// ``SceneApplication/stop()``.
    case stopped(SceneError?)
  }

  /// The phase of the application and its changes, as the broker reports them. The sequence ends
  /// with this application. Corresponds to `UIApplication.applicationState`.
  public var phase: StateSequence<Phase> { StateSequence(host.phases) }

  /// A notice that concerns the whole application. Corresponds to `Notification.Name`.
  public struct Notice: RawRepresentable, Hashable, Sendable {
    /// The name of the notice in the protocol. Corresponds to `Notification.Name.rawValue`.
    public let rawValue: String
    /// Makes a notice from its name, also an unknown one. Corresponds to
    /// `Notification.Name.init(rawValue:)`.
    ///
    /// - Parameter rawValue: the name in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The memory is short: release data that can be made again. The broker disconnects scenes in
    /// the background next. Corresponds to `UIApplication.didReceiveMemoryWarningNotification`.
    public static let didReceiveMemoryWarning = Notice(rawValue: "didReceiveMemoryWarning")
    /// The day or the time zone has changed, or the clock was set. Corresponds to
    /// `UIApplication.significantTimeChangeNotification`.
    public static let significantTimeChange = Notice(rawValue: "significantTimeChange")
  }

  /// The notices from now on. Corresponds to `UIApplication.didReceiveMemoryWarningNotification`
  /// and `UIApplication.significantTimeChangeNotification`.
  public var notices: Notices { Notices(stream: host.notices.stream()) }

  /// The notices since the sequence was read from ``SceneApplication/notices``. Corresponds to
  /// `NotificationCenter.Notifications`.
  ///
  /// The sequence ends with the application. A slow reader gets the newest 16.
  public struct Notices: AsyncSequence, Sendable {
    fileprivate let stream: AsyncStream<Notice>

    /// Makes an iterator of the notices. Each notice goes to one reader of the sequence.
    /// Corresponds to `NotificationCenter.Notifications.makeAsyncIterator()`.
    ///
    /// - Returns: The iterator. It begins with the notices that no other reader has taken.
    public func makeAsyncIterator() -> Iterator { Iterator(notices: stream.makeAsyncIterator()) }

    /// The iterator of the notices. Corresponds to `NotificationCenter.Notifications.Iterator`.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var notices: AsyncStream<Notice>.Iterator

      /// Waits for the next notice. Corresponds to
      /// `NotificationCenter.Notifications.Iterator.next()`.
      ///
      /// - Parameter actor: the actor of the caller.
      /// - Returns: The notice; nil at the end.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Notice? { await notices.next(isolation: actor) }
    }
  }

  /// The state of the connection and its changes. Scenes resume without help when the broker
  /// returns. The sequence ends with ``ConnectionState/stopped(_:)``.
  public var connectionState: StateSequence<ConnectionState> { StateSequence(host.connection) }

  /// The scenes of this process: from before ``SceneDelegate/scene(_:willConnectTo:options:)``
  /// until before ``SceneDelegate/sceneDidDisconnect(_:)``. Corresponds to
  /// `UIApplication.connectedScenes`.
  public var connectedScenes: Set<Scene> { Set(host.scenes) }
}

extension SceneApplication.Phase {
  init(_ phase: ApplicationPhase) {
    switch phase {
    case .active: self = .active
    case .inactive: self = .inactive
    case .background: self = .background
    }
  }
}

extension SceneApplication.ConnectionState {
  init(_ phase: LinkPhase) {
    switch phase {
    case .connecting: self = .connecting
    case .connected: self = .connected
    case .waiting: self = .waiting
    case .stopped(let error): self = .stopped(error)
    }
  }
}
