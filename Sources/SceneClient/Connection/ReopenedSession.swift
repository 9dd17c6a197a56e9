package import SceneModel
import ScenePlatform

/// The session that `scene` passes to the program that replaces it.
package enum ReopenedSession {
  /// The variable with the process ID of the program and the session. Other processes inherit the
  /// variable, and ignore it.
  package static let variable = "SCENE_REOPEN"

  /// The session that this process was started for; nil if there is none.
  package static var ofThisProcess: SessionIdentifier? {
    Environment[variable].flatMap { session(in: $0, of: ProcessIdentity.currentPID) }
  }

  package static func value(for session: SessionIdentifier, pid: Int32) -> String {
    "\(pid):\(session)"
  }

  static func session(in value: String, of pid: Int32) -> SessionIdentifier? {
    let parts = value.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, Int32(parts[0]) == pid else { return nil }
    return SessionIdentifier(String(parts[1]))
  }
}
