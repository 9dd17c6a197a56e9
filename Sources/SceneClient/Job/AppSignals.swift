import SceneCommandLine
import SceneModel
import ScenePlatform

/// The signals of an ``App``: those that end it, and Ctrl-Z.
final class AppSignals: Sendable {
  private let source: SignalSource

  /// Nanoseconds that the scenes have for the way to the background.
  private static let backgroundTimeout: Int64 = 5_000_000_000

  /// Must run before any other thread starts. Nil if the system rejects the signals.
  init?() {
    guard let source = try? SignalSource(JobControl.signals) else { return nil }
    self.source = source
  }

  func serve(_ application: SceneApplication, _ quitPolicy: QuitPolicy) {
    _ = try? Thread("scene.signals") { [source] in
      /// The last interrupt that only warned.
      var warning: JobControl.HandledSignal?
      var end: JobControl.HandledSignal?
      while (try? source.wait()) == true {
        guard let signal = try? source.next() else { continue }
        let now = SystemClock.monotonic()
        let handled = JobControl.HandledSignal(at: now)
        if signal == .terminalStop {
          Self.suspend(application)
        } else if let end {
          // The second signal ends the process at once.
          if !end.isRepeated(at: now) { CurrentProcess.exit(ExitCode.failure.rawValue) }
        } else if signal != .interrupt {
          end = handled
          quitPolicy.quit(canAskAgain: false)
        } else if warning?.isRepeated(at: now) != true {
          if quitPolicy.quit(canAskAgain: true) { end = handled } else { warning = handled }
        }
      }
    }
  }

  /// Moves the scenes to the background, stops the process, and moves the scenes back when the
  /// process continues.
  private static func suspend(_ application: SceneApplication) {
    let scenes = application.host.keys.sorted(
      application.host.scenes.filter {
        $0.activationState == .foregroundActive || $0.activationState == .foregroundInactive
      })
    if application.connectionState.current == .connected {
      let left = ConditionMutex(scenes.count)
      for scene in scenes {
        scene.client.moveForJobControl(scene.identifier, to: .background) { _ in
          left.withLock { $0 -= 1 }
        }
      }
      _ = left.wait(until: SystemClock.monotonic() + backgroundTimeout) { $0 == 0 ? true : nil }
    }
    CurrentProcess.stopAsByKey()
    Self.moveToForeground(scenes[...])
  }

  /// Moves one scene after the other, so that the same scene is key afterwards.
  private static func moveToForeground(_ scenes: ArraySlice<Scene>) {
    guard let scene = scenes.first else { return }
    scene.client.moveForJobControl(scene.identifier, to: .foregroundActive) { _ in
      Self.moveToForeground(scenes.dropFirst())
    }
  }
}
