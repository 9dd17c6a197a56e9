import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// A fault that a script injects into its broker: the broker exits at a fault point.
struct InjectedFault: Equatable, Sendable {
  enum State: Equatable, Sendable {
    /// The broker is running and can still reach the point.
    case pending
    /// The broker exited at the point during the current line.
    case occurred
    /// The broker exited elsewhere, or another fault replaced this one.
    case missed
  }

  /// The options of `scenectl fault`, such as `--before recordAppended`.
  var point: String
  /// Nil in a test in Swift.
  var line: Script.Line?
  var state = State.pending
  /// The fault that replaced this one before it occurred.
  var replacement: String?
}

extension ScriptEnvironment {
  /// A broker has one fault at a time, so a second fault fails the first one at once.
  func expectFault(at point: String) throws(StepFailure) {
    if injectedFault?.state == .pending {
      injectedFault?.state = .missed
      injectedFault?.replacement = point
    }
    if let missedFault { throw .unrunnable(missedFault.sentence) }
    injectedFault = InjectedFault(point: point, line: scriptLine)
  }

  func clearOccurredFault() {
    if injectedFault?.state == .occurred { injectedFault = nil }
  }

  var isFaultPending: Bool { broker != nil && injectedFault?.state == .pending }

  func markFaultMissed() {
    if injectedFault?.state == .pending { injectedFault?.state = .missed }
  }

  /// Decides from the exit of the broker, and from the signal that the script sent, whether the
  /// fault occurred.
  func resolveFault(_ end: ProcessEnd, by signal: Signal?) {
    guard injectedFault?.state == .pending else { return }
    injectedFault?.state = end == .signalled(.kill) && signal != .kill ? .occurred : .missed
  }

  /// Whether the broker exited at the fault point during this line. A ping detects an exit that was
  /// not yet noticed.
  func hasFaultOccurred() -> Bool {
    if isFaultPending, let broker {
      do throws(ControlError) {
        _ = try broker.control.request(Ping(), until: deadline)
      } catch {
        _ = brokerFailure(error)
      }
    }
    return injectedFault?.state == .occurred
  }

  var missedFault: InvariantViolation? {
    guard let injectedFault, injectedFault.state == .missed else { return nil }
    let why =
      injectedFault.replacement.map {
        "the fault \(PlainText.escaped($0)) replaced it first"
      } ?? "the broker ended before it reached this point"
    return InvariantViolation(
      sentence: "the fault \(PlainText.escaped(injectedFault.point)) did not occur: \(why)",
      line: injectedFault.line)
  }
}
