import CScenePlatform

/// Delivers signals through a descriptor instead of interrupting or ending the process.
///
/// Make it before any other thread starts, and keep it until the process ends. Children of
/// ``ChildProcess`` start with no blocked signals.
package final class SignalSource: Sendable {
  let descriptor: FileDescriptor
  private let signals: [Signal]

  /// The descriptor to add to a poller, as readable.
  package var number: Int32 { descriptor.number }

  package init(_ signals: [Signal]) throws(SystemError) {
    descriptor = try Self.descriptor(for: signals)
    self.signals = signals
  }

  /// Gives the signals their default action in this thread, before another program replaces this
  /// process.
  package func restore() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals {
      sigaddset(&set, signal.rawValue)
      _ = ScenePlatform.signal(signal.rawValue, SIG_DFL)
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    Signal.restoreBrokenPipes()
  }

  /// The signals that end a program: SIGINT, SIGTERM and SIGHUP. Ignored signals stay ignored.
  package static func ofEnding() throws(SystemError) -> SignalSource {
    try SignalSource(Signal.ending.filter { !$0.isIgnored })
  }

  /// Waits at most `nanoseconds` for a signal. Returns whether one is pending.
  package func wait(nanoseconds: Int64? = nil) throws(SystemError) -> Bool {
    try descriptor.waitReadable(nanoseconds: nanoseconds)
  }

  /// The next pending signal, or nil.
  package func next() throws(SystemError) -> Signal? { try nextDelivery()?.signal }

  /// A received signal.
  package struct Delivery: Sendable {
    package var signal: Signal
    /// Whether a key of the terminal sent the signal, so that the whole foreground group received
    /// it.
    package var isFromKeyboard: Bool

    static var keys: [Signal] { [.interrupt, .quit, .terminalStop] }
  }
}
