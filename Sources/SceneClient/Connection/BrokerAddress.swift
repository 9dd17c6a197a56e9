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
    do throws(EnvironmentError) {
      let name = try ApplicationName(application)
      try Environment.check()
      places = RuntimePaths(application: name)
      path = try places.socket(socket)
    } catch {
      throw SceneError(error)
    }
    self.socket = socket
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

extension SceneError {
  fileprivate init(_ error: EnvironmentError) {
    let code: Code =
      switch error {
      case .applicationName: .invalidParams
      case .illFormedVariable, .noHome, .settings, .noArguments: .brokerUnavailable
      }
    self.init(code, error.description)
  }
}
