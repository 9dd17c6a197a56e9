import CommandLine
import SceneModel
import ScenePlatform

/// The signals that an ``App`` hears: those that end it, and the home gesture.
final class AppSignals: Sendable {
  private let source: SignalSource

  /// For so long a signal that comes behind another is the same one, told twice.
  private static let echo: Int64 = 500_000_000
  /// For scenes to get home.
  private static let patience: Int64 = 5_000_000_000

  /// Before any other thread is started; nil where the system will not.
  init?() {
    // What was ignored at the start, as under `nohup`, stays so.
    let heeded = [Signal.interrupt, .terminate, .hangup, .terminalStop].filter { !$0.isIgnored }
    guard let source = try? SignalSource(heeded) else { return nil }
    self.source = source
  }

  func serve(_ application: SceneApplication, _ farewell: Farewell) {
    _ = try? Thread("scene.signals") { [source] in
      /// When an interrupt came that ended nothing.
      var warned: Int64?
      var firstEnd: Int64?
      while (try? source.wait()) == true {
        guard let signal = try? source.next() else { continue }
        let now = SystemClock.monotonic()
        if signal == .terminalStop {
          Self.goHome(application)
        } else if let firstEnd {
          // Nothing is waited for any more.
          if now > firstEnd + Self.echo { CurrentProcess.exit(ExitCode.failure.rawValue) }
        } else if signal != .interrupt {
          firstEnd = now
          farewell.leave(canAskAgain: false)
        } else if warned.map({ now > $0 + Self.echo }) ?? true {
          if farewell.leave(canAskAgain: true) { firstEnd = now } else { warned = now }
        }
      }
    }
  }

  /// Scenes in front go to the background, the process stops, and when it goes on they come back.
  private static func goHome(_ application: SceneApplication) {
    let scenes = application.host.keys.sorted(
      application.host.scenes.filter {
        $0.activationState == .foregroundActive || $0.activationState == .foregroundInactive
      })
    if application.connectionState.current == .connected {
      let left = ConditionMutex(scenes.count)
      for scene in scenes {
        Task {
          try? await scene.move(to: .background)
          await scene.comeToRest()
          left.withLock { $0 -= 1 }
        }
      }
      _ = left.wait(until: SystemClock.monotonic() + patience) { $0 == 0 ? true : nil }
    }
    CurrentProcess.stopAsByKey()
    // One after the other, so that the one in front of them all is again.
    Task {
      for scene in scenes {
        try? await scene.move(to: .foregroundActive)
        await scene.comeToRest()
      }
    }
  }
}

extension Scene {
  /// Waits until the broker has its answers. On its way home: that it is in the background, then the
  /// activity that it is asked for in between, then that this was saved. On its way back, of each step.
  fileprivate func comeToRest() async {
    for _ in 0..<3 {
      await withCheckedContinuation { continuation in
        client.enqueue(identifier) { continuation.resume() }
      }
      guard (try? await client.reply(to: .show(SessionShow(session: identifier)))) != nil else {
        return
      }
    }
  }
}
