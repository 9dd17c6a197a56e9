import SceneModel
import ScenePlatform
import Synchronization

/// The token of a process that the broker launched. The broker launched it for one scene, so only
/// one application of the process has the token.
final class LaunchToken: Sendable {
  static let ofProcess = LaunchToken(Environment[Initialize.launchVariable])

  private let token: Mutex<String?>

  init(_ token: String?) { self.token = Mutex(token) }

  /// The token, for the first application that can make scenes.
  func claim(for delegates: [String: SceneApplication.DelegateFactory]) -> String? {
    if delegates.isEmpty { return nil }
    return token.withLock { token in
      defer { token = nil }
      return token
    }
  }
}
