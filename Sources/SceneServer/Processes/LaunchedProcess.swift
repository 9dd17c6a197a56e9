import SceneModel
import ScenePlatform

/// A process that a broker launched, or a descendant of such a process. The token in its
/// environment identifies the process.
struct LaunchedProcess {
  let process: ProcessIdentity
  /// The token of the launch.
  let token: String

  /// The processes that were launched by brokers on this socket and that run. A broker in another
  /// container may use the same path, but not the same socket.
  static func all(on socket: String) -> [LaunchedProcess] {
    guard let identity = try? FileStatus(of: socket).identity else { return [] }
    return MarkedProcesses.having(Initialize.launchVariable, "SCENE_SOCKET")
      .compactMap { process, values in
        guard let token = values[Initialize.launchVariable], let path = values["SCENE_SOCKET"],
          process.file(at: path) == identity
        else { return nil }
        return LaunchedProcess(process: process, token: token)
      }
  }

  /// Sends SIGTERM, also to a stopped process.
  func terminate() {
    process.send(.terminate)
    process.send(.continue)
  }
}

/// Launched processes that are ending and lead no process group that `ChildProcesses` ends.
struct EndingProcesses {
  private var launched: [LaunchedProcess]
  /// When the remaining processes are killed, by the monotonic clock.
  private(set) var killTime: Int64

  /// Sends SIGTERM to all.
  init(_ launched: [LaunchedProcess], killTime: Int64) {
    self.launched = launched
    self.killTime = killTime
    for one in launched { one.terminate() }
  }

  var isEmpty: Bool { launched.allSatisfy { !$0.process.isAlive } }

  mutating func prolong(by time: Int64) { killTime += time }

  mutating func killNow(at now: Int64) { killTime = min(killTime, now) }

  /// Kills the remaining processes, and processes that they have started meanwhile.
  func kill(on socket: String) {
    let tokens = Set(launched.map(\.token))
    // A process that is killed may have started another one just before.
    for _ in 0..<3 {
      let left = LaunchedProcess.all(on: socket).filter { tokens.contains($0.token) }
      if left.isEmpty { return }
      for one in left { one.process.end() }
    }
  }
}
