import SceneCommandLine
import ScenePlatform
import SceneServer

/// The temporary directory of a broker that serves one command.
final class PrivateRuntimeDirectory {
  let path: String
  /// The socket, if it is in this directory.
  private let socket: String?
  /// Removes the directory if this process is killed.
  private var directoryGuard: RuntimeDirectoryGuard?

  /// Chooses the path; nil if the command line sets socket and state.
  init?(for invocation: Invocation) throws {
    guard invocation.value("socket") == nil || invocation.value("state") == nil else { return nil }
    path = Directory.newTemporary(prefix: "scened")
    socket = invocation.value("socket") == nil ? path + Self.socketName : nil
    guard let length = socket?.utf8.count, length > UnixSocket.maximumPathLength else { return }
    throw ProgramError(
      .badConfiguration,
      "cannot make a socket in \(path): its path has \(length) bytes, and the system allows "
        + "\(UnixSocket.maximumPathLength); set TMPDIR to a shorter path")
  }

  static let socketName = "/sock"

  /// Makes the directory, after the guard that removes it.
  func make() throws {
    directoryGuard = try RuntimeDirectoryGuard(of: path, socket: socket)
    try Directory.makeTemporary(at: path)
  }

  /// Records the command, which the kernel signals if this process is killed.
  func note(_ command: HostedCommand) {
    if let pid = command.pid { directoryGuard?.note(pid) }
  }

  func remove(_ log: Log) {
    guard let directoryGuard else { return }
    do throws(SystemError) {
      if File.exists(path) { try Directory.removeTree(path) }
    } catch {
      log.warn("cannot remove the temporary directory: \(error)")
    }
    directoryGuard.dismiss()
  }
}
