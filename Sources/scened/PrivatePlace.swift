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
  }

  func remove(_ log: Log) {
    do throws(SystemError) {
      try Directory.removeTree(path)
    } catch {
      log.warn("the temporary directory stays: \(error)")
    }
  }
}
