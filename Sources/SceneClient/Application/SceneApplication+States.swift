public import SceneModel

extension SceneApplication {
  /// The highest state of all scenes of the application, in any client. Corresponds to
  /// `ScenePhase` and `UIApplication.State`.
  public typealias Phase = ApplicationPhase

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

  /// The phase of the application, as the broker reports it. Corresponds to
  /// `UIApplication.applicationState`.
  public var applicationState: Phase { host.phases.value }

  /// The phase of the application, and its changes until the end of this application. A slow reader
  /// gets the newest value.
  public var applicationStates: some AsyncSequence<Phase, Never> & Sendable {
    host.phases.stream()
  }

  /// A notice that concerns the whole application. Corresponds to `Notification.Name`.
  public enum Notice: String, Hashable, Sendable {
    /// The memory is short: release data that can be made again. The broker disconnects scenes in
    /// the background next. Corresponds to `UIApplication.didReceiveMemoryWarningNotification`.
    case didReceiveMemoryWarning
    /// The day or the time zone has changed, or the clock was set. Corresponds to
    /// `UIApplication.significantTimeChangeNotification`.
    case significantTimeChange
  }

  /// The notices from now on, until the end of this application. A slow reader gets the newest 16.
  /// Corresponds to `NotificationCenter.notifications(named:object:)`.
  public var notices: some AsyncSequence<Notice, Never> & Sendable { host.notices.stream() }

  /// The state of the connection. Scenes resume without help when the broker returns.
  public var connectionState: ConnectionState { host.connection.value }

  /// The state of the connection and its changes. The sequence ends with
  /// ``ConnectionState/stopped(_:)``. A slow reader gets the newest value.
  public var connectionStates: some AsyncSequence<ConnectionState, Never> & Sendable {
    host.connection.stream()
  }

  /// The scenes of this process: from before ``SceneDelegate/scene(_:willConnectTo:options:)``
  /// until before ``SceneDelegate/sceneDidDisconnect(_:)``. Corresponds to
  /// `UIApplication.connectedScenes`.
  public var connectedScenes: Set<Scene> { Set(host.scenes) }
}
