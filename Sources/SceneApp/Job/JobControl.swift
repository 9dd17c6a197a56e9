package import SceneClient
package import SceneModel
package import ScenePlatform

/// Job control for a program with scenes: the rules that `scene` and the programs of an ``App``
/// share.
package enum JobControl {
  /// The signals that a scene's program handles: those that end it, and Ctrl-Z. Ignored signals
  /// stay ignored, as under `nohup`.
  package static var signals: [Signal] {
    [.interrupt, .terminate, .hangup, .terminalStop].filter { !$0.isIgnored }
  }

  /// Nanoseconds between two checks for the foreground: a shell sends no signal to a running job
  /// that it moves there.
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
    /// The scene is not in the background: another request moves it, or a callback has no answer.
    case isInForeground
  }

  /// The broker accepts a move at once, and its callbacks follow. A round trip ends after the next
  /// callback was received, and the next round trip begins after its answer. Before the process
  /// stops, the broker must have the answers to `willResignActive`, `didEnterBackground`,
  /// `stateRestorationActivity` and the notice of the save, and receive one more request.
  fileprivate static let roundTrips = 5
}

extension Client {
  /// Moves a scene to the background before this process stops, or back. Calls `completion` when
  /// the broker has the answers of the scene, so that the process can stop.
  package func moveForJobControl(
    _ session: SessionIdentifier, to state: SceneModel.ActivationState,
    completion: @escaping @Sendable (JobControl.MoveResult) -> Void
  ) {
    request(SceneTransition(session: session, to: state)) { [self] result in
      guard case .success = result else { return completion(.settled) }
      awaitAnswers(of: session, in: state, JobControl.roundTrips, completion)
    }
  }

  private func awaitAnswers(
    of session: SessionIdentifier, in state: SceneModel.ActivationState, _ roundTrips: Int,
    _ completion: @escaping @Sendable (JobControl.MoveResult) -> Void
  ) {
    enqueue(session) { [self] in
      request(SessionShow(session: session)) { [self] result in
        guard case .success(let details) = result else { return completion(.settled) }
        let left = roundTrips - 1
        let reached = left == 0 ? details.summary.state : details.summary.target
        if state == .background, reached > .background {
          completion(.isInForeground)
        } else if left > 0 {
          awaitAnswers(of: session, in: state, left, completion)
        } else {
          completion(.settled)
        }
      }
    }
  }
}
