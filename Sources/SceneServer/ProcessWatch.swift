package import SceneModel

/// What the edge knows of processes, and a test makes up.
package protocol ProcessWatch {
  func state(of process: ClientProcess) -> ProcessState
  func isDebugged(_ pid: Int64) -> Bool
}

package enum ProcessState: Sendable {
  case running
  /// Killed, or on its way out, but its descriptors may still be open.
  case ending
  case gone
}
