import SceneCommandLine
import SceneJournalTools
import SceneModel
import ScenePlatform

/// `scenectl reopen --hint`, for a shell profile.
extension CommandContext {
  /// Nanoseconds to connect and for the reply of the broker. A login shell waits for the hint.
  private static let hintTimeout: Int64 = 200_000_000

  /// Reads the journal if no broker answers. Any error means that there is nothing to print.
  func printHint() -> ExitCode {
    horizon = SystemClock.monotonic() + Self.hintTimeout
    let sessions = try? sessionsToReopen()
    let count = sessions?.count ?? offlineCount()
    if count > 0 {
      let windows = counted(count, "window was", "windows were")
      let start = sessions == nil ? " --start" : ""
      let (reopen, close) = (suggestions().line("reopen"), suggestions().line("close NAME"))
      console.print("\(windows) not closed: \(reopen)\(start), or \(close)\(start)")
    }
    return .success
  }

  private func offlineCount() -> Int {
    guard let directory = try? stateDirectory(),
      let sessions = try? OfflineSessions.wasOpen(in: directory)
    else { return 0 }
    return sessions.count { $0.attributes.program?.reopens != false }
  }
}
