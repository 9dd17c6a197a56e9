import SceneBroker
import SceneModel
import ScenePlatform

/// A process that a virtual clock waits for: it owes the reply to a callback, or it was started and
/// has not connected.
enum AwaitedProcess: Hashable {
  case client(ConnectionIdentifier)
  case program(ClientProcess)
}

/// Decides which awaited processes will not answer: those that did not run for some time, although
/// they had all they need.
///
/// Only such a process exceeds a budget of a virtual clock, however busy the machine is.
struct IdleDetector {
  private struct Sample {
    /// ``ProcessActivity/runs`` of the process.
    var runs: UInt64
    /// When the process was first seen with this count, by the machine's monotonic clock.
    var since: Int64
  }

  private var samples: [AwaitedProcess: Sample] = [:]

  /// How long a process must not run.
  private static let idleTime = Interval.milliseconds(50)
  /// The same on a system that does not tell whether a process runs.
  private static let idleTimeWithoutActivity = Interval.seconds(1)

  /// Forgets all other processes.
  mutating func keepOnly(_ awaited: [AwaitedProcess]) {
    samples = samples.filter { awaited.contains($0.key) }
  }

  mutating func removeAll() { samples.removeAll() }

  /// Whether the process has been idle for long enough. `isCaughtUp` states that neither
  /// the process nor the broker has unread bytes of the other. Otherwise, the time starts again.
  mutating func isIdle(
    _ awaited: AwaitedProcess, isCaughtUp: Bool, activity: ProcessActivity?, at now: Int64
  ) -> Bool {
    guard isCaughtUp, activity?.state != .running else {
      samples[awaited] = nil
      return false
    }
    let runs = activity?.runs ?? 0
    guard let sample = samples[awaited], sample.runs == runs else {
      samples[awaited] = Sample(runs: runs, since: now)
      return false
    }
    let time = activity == nil ? Self.idleTimeWithoutActivity : Self.idleTime
    return now - sample.since >= time.nanoseconds
  }
}
