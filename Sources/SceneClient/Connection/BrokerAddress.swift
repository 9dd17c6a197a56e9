import SceneModel
import ScenePlatform

/// The address of a broker.
package struct BrokerAddress: Sendable {
  /// The path of the socket.
  package let path: String
  /// The application, if it was named together with a socket: the broker of another application may
  /// listen there.
  package let application: String?
  private let places: RuntimePaths
  private let socket: String?

  /// The named socket, or else the socket of the application, by default `default`.
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

  /// Advice for a user whose socket belongs to the broker of another application.
  package var adviceOnStranger: String { places.adviceOnStranger(at: path, socket) }

  /// The settings of a client that connects to this address.
  package func settings(name: String, hosts: [String]) -> ClientSettings {
    var settings = ClientSettings(name: name, hosts: hosts) { [path] () throws(SystemError) in
      try UnixSocket.connect(toBroker: path)
    }
    settings.application = application
    return settings
  }
}
