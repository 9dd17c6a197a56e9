import CommandLine
import ScenePlatform
import SceneServer

/// A temporary directory for what a broker around one command keeps.
struct PrivatePlace {
  let path: String

  /// Makes one; nil if the command line says where everything is to lie.
  init?(for invocation: Invocation) throws {
    guard invocation.value("socket") == nil || invocation.value("state") == nil else { return nil }
    path = try Directory.makeTemporary(prefix: "scened")
    guard invocation.value("socket") == nil else { return }
    let length = (path + Self.socketName).utf8.count
    guard length > UnixSocket.maximumPathLength else { return }
    try? Directory.removeTree(path)
    throw ServerError(
      .badConfiguration,
      "a socket in \(path) would have a path of \(length) bytes, and the system allows "
        + "\(UnixSocket.maximumPathLength); set TMPDIR to a shorter path")
  }

  static let socketName = "/sock"

  func remove(_ log: Log) {
    do throws(SystemError) {
      try Directory.removeTree(path)
    } catch {
      log.warn("the temporary directory stays: \(error)")
    }
  }
}
