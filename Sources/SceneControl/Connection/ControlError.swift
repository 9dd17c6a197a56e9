package import ScenePlatform
package import SceneWire

/// The error of a request to a broker.
package enum ControlError: Error, Equatable, Sendable {
  /// No process listens at the path, or there is no socket.
  case noBroker(path: String, SystemError)
  /// The connection ended before the reply; with the last error of the broker, if it sent one.
  case lost(lastWords: String?)
  /// The broker answered with an error.
  case refused(RemoteError)
  /// The reply did not arrive before the deadline.
  case timedOut
  /// The other side is not a broker.
  case garbled(String)
  case system(SystemError)
  /// The broker has another application than the command line. The text is for people.
  case otherApplication(String)
  /// Standard output lost its reader during a wait for the next broker.
  case unread
}
