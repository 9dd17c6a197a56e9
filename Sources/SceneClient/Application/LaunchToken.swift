import SceneModel
import ScenePlatform
import Synchronization

/// The token of a process that the broker launched. The broker launched it for one scene, so only
/// one application of the process has the token.
final class LaunchToken: Sendable {
  static let ofProcess = LaunchToken(Environment[Initialize.launchVariable])

  private let token: Mutex<String?>

  init(_ token: String?) { self.token = Mutex(token) }

  /// The token, for the first application that can make scenes and connects to the broker of the
  /// launch.
  ///
  /// - Parameters:
  ///   - delegates: the delegate classes of the application.
  ///   - path: the path of the application's socket.
  ///   - launcher: the path of the socket of the broker that launched the process.
  /// - Returns: The token; nil for another application.
  func claim<Delegate>(
    for delegates: [String: Delegate], at path: String,
    launcher: String? = Environment["SCENE_SOCKET"]
  ) -> String? {
    if delegates.isEmpty { return nil }
    if let launcher, !Self.isSameFile(path, launcher) { return nil }
    return token.withLock { $0.take() }
  }

  private static func isSameFile(_ path: String, _ other: String) -> Bool {
    if path == other { return true }
    guard let file = try? FileStatus(of: path) else { return false }
    return file.identity == (try? FileStatus(of: other))?.identity
  }
}
