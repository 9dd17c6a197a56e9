import CommandLine
import ScenePlatform

/// Ctrl-C while an answer is waited for. A person who gives up on a broker that is stopped is told
/// that it is; otherwise the process ends without a word, as it would by itself.
enum Interruption {
  /// To be called before any other thread is started, and once.
  static func watch(_ path: String, erasing progress: ProgressLine?) {
    guard !Signal.interrupt.isIgnored, let signals = try? SignalSource([.interrupt]) else { return }
    _ = try? Thread("signals") {
      guard (try? signals.wait()) == true else { return }
      progress?.end()
      let holder = LockHolder(readFrom: LockHolder.file(besideSocket: path))
      if let holder, holder.isStopped {
        let message = "the broker at \(path) does not answer\n\(holder.adviceOnSilence)"
        // Behind the ^C that the terminal shows.
        try? StandardStream.error.write("\nscenectl: \(PlainText.escapedLines(message))\n")
      }
      CurrentProcess.end(by: .interrupt)
    }
  }

  /// Erases the line when a signal ends the process. To be called before any other thread is started,
  /// and once.
  static func watch(erasing progress: ProgressLine) {
    guard let signals = try? SignalSource.ofEnding() else { return }
    _ = try? Thread("signals") {
      guard (try? signals.wait()) == true, let signal = try? signals.next() else { return }
      progress.end()
      CurrentProcess.end(by: signal)
    }
  }
}

extension Verb {
  /// Whether Ctrl-C means something of its own to it.
  var heedsInterrupts: Bool { [.record, .test, .conform].contains(self) }
}
