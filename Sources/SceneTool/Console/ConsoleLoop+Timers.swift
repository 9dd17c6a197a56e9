import SceneApp

/// The timers of the loop, and the tokens of its descriptors.
extension ConsoleLoop {
  enum Timer {
    /// Until the warning that the broker does not answer.
    case answer
    /// Until the next check for the foreground.
    case keys
    /// Until the program's file is read: the program may still write it.
    case file
    /// Until the next attempt to move the program to the foreground.
    case foreground
    /// Until SIGHUP to a program that did not end.
    case hangup
    /// Until SIGKILL to the program.
    case kill
    /// Until the last request is abandoned.
    case lastRequest
    /// Until the next look at the place of the window.
    case placement
    /// Until a failed program runs again.
    case retry
    /// Until the process stops for Ctrl-Z, although the broker has not answered.
    case suspension
  }

  /// The time of a timer, in nanoseconds.
  func delay(of timer: Timer) -> Int64 {
    switch timer {
    // A healthy broker accepts a connection within this time.
    case .answer: 1_000_000_000
    case .keys, .foreground: JobControl.foregroundCheckDelay
    case .file: 200_000_000
    case .hangup: TerminationSchedule.delays.hangup
    case .kill: TerminationSchedule.delays.kill
    case .lastRequest: 2_000_000_000
    case .placement: 30_000_000_000
    case .retry: hosted?.retryDelay?.nanoseconds ?? 0
    case .suspension: 10_000_000_000
    }
  }

  enum Token {
    static let input: UInt64 = 0
    static let signals: UInt64 = 1
    static let scene: UInt64 = 2
    static let output: UInt64 = 3
    static let file: UInt64 = 4
    static let events: UInt64 = 5
  }
}
