import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// The reason why a reply takes long. The broker does not send it unasked.
extension CommandContext {
  /// The time before the verb asks for the reason, in nanoseconds.
  static var diagnosisDelay: Int64 { 1_000_000_000 }

  private var timeLeft: Int64 { deadline.map { $0 - SystemClock.monotonic() } ?? .max }

  /// The time to ask for the reason: early enough for a reply before the timeout.
  var diagnosisTime: Int64 {
    SystemClock.monotonic() + max(0, min(Self.diagnosisDelay, timeLeft / 2))
  }

  /// Whether enough time is left to print the reason.
  var isLongWait: Bool { timeLeft > Self.diagnosisDelay }

  /// Asks the broker for the reason; nil if it knows none.
  func waitDiagnosis(until deadline: Int64) -> String? {
    let status = try? broker.request(ApplicationStatus(), until: deadline)
    guard let status, status.awaitingDelegate != nil else { return nil }
    return "the broker waits for \(awaitedDelegate(in: status))"
  }

  /// The application delegate that requests wait for, or how to start one.
  func awaitedDelegate(in status: ApplicationStatus.Reply) -> String {
    if let delegate = status.delegate {
      return "the application delegate \(PlainText.escaped(delegate.label)) to "
        + "finish launching"
    }
    return
      "the application delegate that the manifest requires; start the application's delegate, or "
      + "run: \(suggestions().line("delegate"))"
  }
}
