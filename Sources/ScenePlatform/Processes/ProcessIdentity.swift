/// A process ID with a start time, which tells a process from later ones with the same ID.
package struct ProcessIdentity: Hashable, Sendable {
  package var pid: Int32
  /// The start time, in a system-specific unit; use it only for comparisons.
  package var startTime: UInt64

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

extension ProcessIdentity {
  package static var currentPID: Int32 { getpid() }

  /// This process; nil if the system does not report processes.
  package static var current: ProcessIdentity? { of(getpid()) }

  /// The state of the process, as seen from another process.
  package enum Liveness: Equatable, Sendable {
    case running
    /// The process runs no more code of its program, but its descriptors may still be open.
    case ending
    /// The process does not exist, or another process has its ID.
    case gone
  }

  package var isAlive: Bool { liveness == .running }
}
