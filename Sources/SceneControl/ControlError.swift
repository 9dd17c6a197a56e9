package import ScenePlatform
package import SceneWire

/// Why a broker could not be asked, or did not do what it was asked for.
package enum ControlError: Error, Equatable, Sendable {
  /// No process listens at the path, or there is no socket.
  case noBroker(path: String, SystemError)
  /// The connection ended before the answer came; the last words of the other side, if there were
  /// any.
  case lost(lastWords: String?)
  /// The broker answered with an error.
  case refused(RemoteError)
  /// No answer came in time.
  case timedOut
  /// What came is not what a broker says.
  case garbled(String)
  case system(SystemError)
}
