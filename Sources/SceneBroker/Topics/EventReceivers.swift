import SceneModel

/// The observers that get their events now.
enum EventReceivers {
  case all
  case connection(ConnectionIdentifier)
  case scene(ConnectionIdentifier, SessionIdentifier)

  /// The only connection that gets events.
  var connection: ConnectionIdentifier? {
    switch self {
    case .all: nil
    case .connection(let connection), .scene(let connection, _): connection
    }
  }

  /// Whether observations of this scene, or of no scene, get events.
  func includes(_ session: SessionIdentifier?) -> Bool {
    switch self {
    case .all, .connection: true
    case .scene(_, let scene): scene == session
    }
  }
}
