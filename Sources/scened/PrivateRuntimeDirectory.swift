import SceneCommandLine
import ScenePlatform
import SceneServer

/// The temporary directory of a broker that serves one command.
final class PrivateRuntimeDirectory {
  let path: String
  private var isMade = false

  /// Chooses the path; nil if the command line sets socket and state.
  init?(for invocation: Invocation) throws {
    guard invocation.value("socket") == nil || invocation.value("state") == nil else { return nil }
    path = Directory.newTemporary(prefix: "scened")
    let length = (path + Self.socketName).utf8.count
    guard invocation.value("socket") == nil, length > UnixSocket.maximumPathLength else { return }
    throw ProgramError(
      .badConfiguration,
      "cannot make a socket in \(path): its path has \(length) bytes, and the system allows "
        + "\(UnixSocket.maximumPathLength); set TMPDIR to a shorter path")
  }

  static let socketName = "/sock"

  func make() throws(SystemError) {
    try Directory.makeTemporary(at: path)
    isMade = true
  }

  func remove(_ log: Log) {
    do throws(SystemError) {
      if isMade, File.exists(path) { try Directory.removeTree(path) }
    } catch {
      log.warn("cannot remove the temporary directory: \(error)")
    }
  }
}
