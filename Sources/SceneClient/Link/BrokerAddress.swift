import SceneModel
import ScenePlatform

/// Where a program looks for its broker.
package struct BrokerAddress: Sendable {
  /// Of its socket.
  package let path: String
  /// The application that was named beside a socket: at that path there may be the broker of
  /// another one.
  package let application: String?
  private let places: RuntimePaths
  private let socket: String?

  /// The socket that was named, or else the place of the application, or of the one called
  /// `default`.
  package init(socket: String?, application: String?) throws(SceneError) {
    let name: ApplicationName
    do throws(ApplicationNameError) {
      name =
        try application.map { text throws(ApplicationNameError) in
          try ApplicationName(text)
        } ?? .default
    } catch {
      throw SceneError(.invalidParams, error.description)
    }
    do throws(EnvironmentError) {
      try Environment.check()
    } catch {
      throw SceneError(.brokerUnavailable, error.description)
    }
    self.socket = socket
    places = RuntimePaths(application: name, environment: Environment.all, home: User.home)
    do throws(RuntimePathsError) {
      path = try places.socket(socket)
    } catch {
      throw SceneError(.brokerUnavailable, error.description)
    }
    self.application = places.namesSocket(socket) ? application : nil
  }

  /// What to do where the broker of another application listens.
  package var adviceOnStranger: String { places.adviceOnStranger(at: path, socket) }

  /// How it is connected to.
  package func settings(name: String, hosts: [String]) -> ClientSettings {
    var settings = ClientSettings(name: name, hosts: hosts) { [path] () throws(SystemError) in
      try UnixSocket.connect(toBroker: path)
    }
    settings.application = application
    return settings
  }
}
