/// The current activity of a process.
package struct ProcessActivity: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// A thread runs, is runnable, or waits for a disk.
    case running
    /// All threads sleep.
    case resting
    /// A signal or a debugger stopped the process.
    case stopped
  }

  package var state: State
  /// The number of context switches of all threads. Equal numbers mean that the process did not run
  /// between two reads.
  package var runs: UInt64

  /// Whether a thread waits for a disk or a network file system. It reacts to no signal.
  package var waitsForDisk = false

  package init(_ state: State, runs: UInt64) {
    self.state = state
    self.runs = runs
  }
}
