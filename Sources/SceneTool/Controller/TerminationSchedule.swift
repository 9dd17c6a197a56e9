/// The delays between the signals that end a program.
enum TerminationSchedule {
  /// Nanoseconds from SIGTERM to SIGHUP, and from SIGHUP to SIGKILL.
  static let delays: (hangup: Int64, kill: Int64) = (1_000_000_000, 2_000_000_000)
  static let seconds = 3.0
}
