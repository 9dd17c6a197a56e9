import CommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// What a request waits for, for the user who waits for its reply: the broker does not say so by itself.
extension Errand {
  /// After so long a user may wonder what is the matter, in nanoseconds.
  static var wonder: Int64 { 1_000_000_000 }

  private var timeLeft: Int64 { deadline.map { $0 - SystemClock.monotonic() } ?? .max }

  /// Early enough to find out before the time is over.
  var timeToWonder: Int64 { SystemClock.monotonic() + max(0, min(Self.wonder, timeLeft / 2)) }

  /// Whether it pays to say meanwhile what is waited for.
  var isLongWait: Bool { timeLeft > Self.wonder }

  /// Asks the broker what stands in the way; nil where nothing does that it knows.
  func obstacle(until deadline: Int64) -> String? {
    let status = try? ask { broker throws(ControlError) in
      try broker.request(ApplicationStatus(), until: deadline)
    }
    guard let status, status.awaitingDelegate != nil else { return nil }
    return "the broker waits for \(awaitedDelegate(in: status))"
  }

  /// Of a broker where requests wait for the application delegate: who that is, or how to start one.
  func awaitedDelegate(in status: ApplicationStatus.Reply) -> String {
    if let delegate = status.delegate {
      return "the application delegate \(PlainText.escaped(delegate.name)) \(delegate.pid) to "
        + "finish launching"
    }
    return
      "the application delegate that the manifest requires; start the application's delegate, or "
      + "run: \(advice().line("delegate"))"
  }
}
