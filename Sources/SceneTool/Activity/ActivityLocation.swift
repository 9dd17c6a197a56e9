import SceneModel
import ScenePlatform

/// A parent of a session's activity directories, and the prefix of their names.
struct ActivityLocation {
  let parent: String
  let prefix: String
  let isTemporary: Bool

  /// The session's data directory, then the directory of temporary files. The second one is for
  /// brokers that cannot make a data directory.
  static func all(of session: SessionIdentifier, dataPath: String?) -> [ActivityLocation] {
    let data = dataPath.map { ActivityLocation(parent: $0, prefix: ".scene", isTemporary: false) }
    let name = "scene-\(session)"
    let temporary = Directory.parent(of: Directory.newTemporary(prefix: name)).map {
      ActivityLocation(parent: $0, prefix: name, isTemporary: true)
    }
    return [data, temporary].compactMap { $0 }
  }

  func makeDirectory() throws(SystemError) -> String {
    let path = Directory.newTemporary(prefix: prefix, in: parent)
    if isTemporary {
      try Directory.makeTemporary(at: path)
    } else {
      try Directory.make(path)
    }
    return path
  }

  /// The existing activity directories.
  var directories: [String] {
    ((try? Directory.list(parent)) ?? []).filter { $0.hasPrefix(prefix + "-") }.map {
      "\(parent)/\($0)"
    }
  }
}
