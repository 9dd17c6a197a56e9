import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// The wait for the end of a broker during `scenectl shutdown`.
enum ShutdownWait {
  /// The time between two queries, in nanoseconds.
  private static let interval: Int64 = 500_000_000
  private static let longestList = 20

  /// Returns when the broker has closed the connection; false at the deadline.
  static func run(
    _ broker: ControlConnection, of pid: Int64, until deadline: Int64?,
    showing progress: ProgressLine
  ) throws -> Bool {
    let start = SystemClock.monotonic()
    var scenes: (count: Int, labels: [String]) = (0, [])
    while true {
      let next = SystemClock.monotonic() + interval
      if try broker.waitForEnd(until: min(deadline ?? .max, next)) { return true }
      if let deadline, SystemClock.monotonic() >= deadline { return false }
      // A busy broker does not reply in time.
      scenes = (try? self.scenes(of: broker)) ?? scenes
      let seconds = (SystemClock.monotonic() - start) / 1_000_000_000
      let more = scenes.count > scenes.labels.count ? ", …" : ""
      progress.show(
        scenes.count > 0
          ? "waiting \(seconds) s for \(counted(scenes.count, "scene", "scenes")) to disconnect: "
            + scenes.labels.joined(separator: ", ") + more
          : "waiting \(seconds) s for the broker to end; to end it at once: kill \(pid)")
    }
  }

  /// The number of connected scenes, and the labels of some.
  private static func scenes(
    of broker: ControlConnection
  ) throws(ControlError) -> (count: Int, labels: [String]) {
    let deadline = SystemClock.monotonic() + interval
    let count = try broker.request(ApplicationStatus(), until: deadline).scenes
    var labels: [String] = []
    for state in [ActivationState.foregroundActive, .foregroundInactive, .background] {
      let list = SessionList(state: state, limit: longestList)
      labels += try broker.request(list, until: deadline).sessions.map(\.label)
    }
    return (count, labels)
  }
}
