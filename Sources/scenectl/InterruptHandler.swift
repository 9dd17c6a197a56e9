import SceneCommandLine
import SceneCommands
import ScenePlatform

/// Ends the process at signals, and when standard output has lost its reader.
enum InterruptHandler {
  /// Waits for Ctrl-C during a long wait for the broker at this path. The process ends as without a
  /// handler; if the broker is stopped, a message says so first. Call this once, before any other
  /// thread starts.
  static func watch(_ path: String, erasing progress: ProgressLine?) {
    guard !Signal.interrupt.isIgnored, let signals = try? SignalSource([.interrupt]) else { return }
    _ = try? Thread("signals") {
      guard (try? signals.wait()) == true else { return }
      progress?.end()
      let holder = LockHolder(readFrom: LockHolder.file(besideSocket: path))
      // Only a stopped broker has advice at once.
      if let advice = holder?.adviceOnSilence(after: 0) {
        let message = "the broker at \(path) does not answer\n\(advice)"
        // The line break follows the ^C that the terminal shows.
        StandardStream.error.offer(
          "\nscenectl: \(PlainText.escapedLines(message))\n", required: true)
      }
      CurrentProcess.end(by: .interrupt)
    }
  }
}
