import SceneBroker
import SceneModel
import ScenePlatform

/// A process that a virtual clock waits for: it owes the reply to a callback, or it was started and
/// has not connected.
enum AwaitedProcess: Hashable {
  case client(ConnectionIdentifier)
  case program(ClientProcess)
}

/// The system's report about an awaited process.
struct ProcessSample {
  let process: AwaitedProcess
  /// Whether neither the process nor the broker has unread bytes of the other.
  let isCaughtUp: Bool
  /// Nil on a system that does not tell.
  let activity: ProcessActivity?
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

  mutating func removeAll() { samples.removeAll() }

  /// Whether all these processes have been idle for long enough. Forgets all other processes. Each
  /// process is looked at in each call, so that all idle times run in parallel.
  mutating func areIdle(_ sampled: [ProcessSample], at now: Int64) -> Bool {
    samples = samples.filter { entry in sampled.contains { $0.process == entry.key } }
    var areIdle = true
    for sample in sampled where !isIdle(sample, at: now) { areIdle = false }
    return areIdle
  }

  /// The time starts again for a process that has run, or that has something to read.
  private mutating func isIdle(_ sampled: ProcessSample, at now: Int64) -> Bool {
    guard sampled.isCaughtUp, sampled.activity?.state != .running else {
      samples[sampled.process] = nil
      return false
    }
    let runs = sampled.activity?.runs ?? 0
    guard let sample = samples[sampled.process], sample.runs == runs else {
      samples[sampled.process] = Sample(runs: runs, since: now)
      return false
    }
    let time = sampled.activity == nil ? Self.idleTimeWithoutActivity : Self.idleTime
    return now - sample.since >= time.nanoseconds
  }
}
