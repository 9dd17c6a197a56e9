package import SceneBroker
package import SceneModel
package import ScenePlatform

/// The state of processes, as the system or a test reports it.
package protocol ProcessInspector {
  func state(of process: ClientProcess) -> ProcessState
  func isDebugged(_ pid: Int64) -> Bool
  /// Nil where the system does not tell.
  func activity(of pid: Int64) -> ProcessActivity?
  /// Of all processes in the group that one leads, as if they were one.
  func groupActivity(of pid: Int64) -> ProcessActivity?
  /// Sends a signal, by its name or its number.
  func send(_ signal: String, to process: ClientProcess) -> SignalOutcome
}

extension ProcessInspector {
  package func groupActivity(of pid: Int64) -> ProcessActivity? { activity(of: pid) }

  /// Made-up processes cannot be signalled.
  package func send(_ signal: String, to process: ClientProcess) -> SignalOutcome { .gone }
}

package enum ProcessState: Sendable {
  case running
  /// Killed, or on its way out, but its descriptors may still be open.
  case ending
  case gone
}
