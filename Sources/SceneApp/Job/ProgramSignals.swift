import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The signals of a program: those that end it, and Ctrl-Z.
final class ProgramSignals: Sendable {
  private let source: CaughtSignals

  /// Nanoseconds that the scenes have for the way to the background.
  private static let backgroundTimeout: Int64 = 5_000_000_000

  /// Catches the signals, which wait for `serve`. Nil if the system rejects the signals.
  init?(_ signals: [Signal]) {
    guard let source = try? CaughtSignals(signals) else { return nil }
    self.source = source
  }

  /// Ends a program with scenes by `quitPolicy`. Ctrl-Z moves its scenes to the background first.
  func serve(
    _ application: SceneApplication, _ keys: KeySceneTracker, _ quitPolicy: QuitPolicy
  ) {
    start(
      suspend: { Self.suspend(application, keys) },
      quit: { canAskAgain, cause in
        // The program hands its window to another process, and has no scene to end.
        if case .stopped = application.connectionState {
          CurrentProcess.exit(ExitCode.failure.rawValue)
        }
        return quitPolicy.quit(canAskAgain: canAskAgain, by: cause)
      })
  }

  /// Calls `quit` for a signal that ends the program. The arguments are whether the user can ask
  /// again, and the cause; the result is whether the program ends.
  /// The second signal ends the process at once.
  private func start(
    suspend: @escaping @Sendable () -> Void,
    quit: @escaping @Sendable (Bool, DisconnectCause?) -> Bool
  ) {
    _ = try? Thread("scene.signals") { [source] in
      /// The last interrupt that only warned.
      var warning: JobControl.HandledSignal?
      var end: JobControl.HandledSignal?
      while let signal = try? source.next() {
        let now = SystemClock.monotonic()
        let handled = JobControl.HandledSignal(at: now)
        if signal == .terminalStop {
          suspend()
        } else if let end {
          if !end.isRepeated(at: now) { CurrentProcess.exit(ExitCode.failure.rawValue) }
        } else if signal != .interrupt {
          end = handled
          _ = quit(false, signal.disconnectCause)
        } else if warning?.isRepeated(at: now) != true {
          if quit(true, nil) { end = handled } else { warning = handled }
        }
      }
    }
  }

  /// Ends the process of an application delegate.
  static func serveDelegate(_ application: SceneApplication) {
    let signals = JobControl.signals.filter { $0 != .terminalStop }
    ProgramSignals(signals)?.start(suspend: {}) { _, _ in
      application.stop()
      return true
    }
  }

  /// Moves the scenes to the background, stops the process, and moves the scenes back when the
  /// process continues.
  private static func suspend(_ application: SceneApplication, _ keys: KeySceneTracker) {
    let scenes = keys.sorted(
      application.connectedScenes.filter {
        $0.activationState == .foregroundActive || $0.activationState == .foregroundInactive
      })
    if application.connectionState == .connected {
      let left = ConditionMutex(scenes.count)
      for scene in scenes {
        scene.client.moveForJobControl(scene.identifier, to: .background) { _ in
          left.withLock { $0 -= 1 }
        }
      }
      _ = left.wait(until: SystemClock.monotonic() + backgroundTimeout) { $0 == 0 ? true : nil }
    }
    CurrentProcess.stopAsByKey()
    moveToForeground(scenes[...])
  }

  /// Moves one scene after the other, so that the same scene is key afterwards.
  private static func moveToForeground(_ scenes: ArraySlice<Scene>) {
    guard let scene = scenes.first else { return }
    scene.client.moveForJobControl(scene.identifier, to: .foregroundActive) { _ in
      Self.moveToForeground(scenes.dropFirst())
    }
  }
}
