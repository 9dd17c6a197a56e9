import SceneModel
import ScenePlatform

/// A file beside the data directory of a discarded session. It stays until the directory has
/// another name, so that the next broker removes the directory if this one ends first. The journal
/// may no longer have the record of the discard then.
///
/// A power loss, or a disk without room for the file, can leave the directory.
enum DiscardMark {
  private static let prefix = ".discarded-"

  private static func path(of session: SessionIdentifier, in root: String) -> String {
    "\(root)/\(prefix)\(session)"
  }

  /// The session of a mark with this name; nil for another file.
  static func session(_ name: String) -> SessionIdentifier? {
    name.hasPrefix(prefix) ? SessionIdentifier(String(name.dropFirst(prefix.count))) : nil
  }

  /// Does nothing without a directory, and if the mark exists.
  static func make(of session: SessionIdentifier, in root: String) {
    guard File.exists("\(root)/\(session)") else { return }
    // A link or a pipe at this path is not opened.
    _ = try? File.open(path(of: session, in: root), [.write, .create, .exclusive, .noFollow])
  }

  static func remove(of session: SessionIdentifier, in root: String) {
    try? File.removeIfPresent(path(of: session, in: root))
  }
}
