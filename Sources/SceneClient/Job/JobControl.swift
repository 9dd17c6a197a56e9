package import SceneModel
package import ScenePlatform

/// Job control for a program with scenes: the rules that `scene` and the programs of an ``App`` share.
package enum JobControl {
  /// The signals that a scene's program handles: those that end it, and Ctrl-Z. Ignored signals stay
  /// ignored, as under `nohup`.
  package static var signals: [Signal] {
    [.interrupt, .terminate, .hangup, .terminalStop].filter { !$0.isIgnored }
  }

  /// Nanoseconds between two checks for the foreground: a shell sends no signal to a running job that
  /// it moves there.
  package static let foregroundCheckDelay: Int64 = 200_000_000

  /// A signal that was handled.
  package struct HandledSignal: Sendable {
    private let time: Int64

    /// Takes times of `SystemClock.monotonic()`.
    package init(at time: Int64) { self.time = time }

    /// Whether a signal at this time is the same one again: `timeout` signals the process and its
    /// group.
    package func isRepeated(at time: Int64) -> Bool { time <= self.time + 500_000_000 }
  }

  /// The result of a move for Ctrl-Z.
  package enum MoveResult: Sendable {
    /// The broker has all answers of the scene.
    case settled
    /// The scene has returned to the foreground meanwhile.
    case returned
  }
}

extension Client {
  /// Moves a scene to the background before this process stops, or back. Calls `completion` when the
  /// broker has the answers of the scene, so that the process can stop.
  package func moveForJobControl(
    _ session: SessionIdentifier, to state: SceneModel.ActivationState,
    completion: @escaping @Sendable (JobControl.MoveResult) -> Void
  ) {
    request(.transition(SceneTransition(session: session, to: state))) { [self] result in
      guard case .success = result else { return completion(.settled) }
      awaitAnswers(of: session, in: state, rounds: 3, completion)
    }
  }

  /// Waits until the broker has processed the answers, by `rounds` requests. After round 1 the broker
  /// has the answer to the last step. After round 2 it has the activity, which it may request
  /// meanwhile. After round 3 it has the answer to the notice of the save.
  private func awaitAnswers(
    of session: SessionIdentifier, in state: SceneModel.ActivationState, rounds: Int,
    _ completion: @escaping @Sendable (JobControl.MoveResult) -> Void
  ) {
    enqueue(session) { [self] in
      request(.show(SessionShow(session: session))) { [self] result in
        guard case .success(.shown(let details)) = result else { return completion(.settled) }
        if state == .background, details.summary.state > .background {
          completion(.returned)
        } else if rounds > 1 {
          awaitAnswers(of: session, in: state, rounds: rounds - 1, completion)
        } else {
          completion(.settled)
        }
      }
    }
  }
}
