package import SceneModel
package import ScenePlatform

extension Signal {
  /// The cause of the end of a program's scenes; nil for a signal of the user.
  package var disconnectCause: DisconnectCause? {
    switch self {
    case .hangup: .hangup
    case .terminate: .terminated
    default: nil
    }
  }
}
