import CommandLine
import ScenePlatform
import SceneServer

/// A temporary directory for what a broker around one command keeps.
final class PrivatePlace {
  let path: String
  /// Where the broker listens, if that is here, and so nobody else's.
  private let socket: String?
  /// Sees to it that nothing stays when this process is killed.
  private var keeper: PlaceKeeper?

  /// Where it is to be; nil if the command line says where everything is to lie.
  init?(for invocation: Invocation) throws {
    guard invocation.value("socket") == nil || invocation.value("state") == nil else { return nil }
    path = Directory.newTemporary(prefix: "scened")
    socket = invocation.value("socket") == nil ? path + Self.socketName : nil
    guard let length = socket?.utf8.count, length > UnixSocket.maximumPathLength else { return }
    throw ServerError(
      .badConfiguration,
      "a socket in \(path) would have a path of \(length) bytes, and the system allows "
        + "\(UnixSocket.maximumPathLength); set TMPDIR to a shorter path")
  }

  static let socketName = "/sock"

  /// Makes it. Whoever removes it if this process is killed is there first.
  func make() throws {
    keeper = try PlaceKeeper(of: path, socket: socket)
    try Directory.makeTemporary(at: path)
  }

  /// The command runs, and hears by itself when this process is killed.
  func note(_ command: HostedCommand) {
    if let pid = command.pid { keeper?.note(pid) }
  }

  func remove(_ log: Log) {
    guard let keeper else { return }
    do throws(SystemError) {
      if File.exists(path) { try Directory.removeTree(path) }
    } catch {
      log.warn("the temporary directory stays: \(error)")
    }
    keeper.dismiss()
  }
}
