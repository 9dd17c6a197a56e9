import ScenePlatform

/// The signals and the end of the process. Inside another program, which keeps its own signals, no
/// method has an effect.
struct ProcessControl: Sendable {
  /// Whether the verb is the whole program.
  let ownsProcess: Bool

  /// The end of the process after a signal.
  enum SignalEnd {
    /// By the default action of the signal.
    case signal
    /// With 128 and the number of the signal.
    case status
  }

  /// Runs the cleanup at the first signal that ends the process, and ends the process. Call this
  /// before any other thread starts.
  func onEndingSignal(
    _ cleanup: @escaping @Sendable (Signal) -> SignalEnd
  ) throws(SystemError) {
    guard ownsProcess else { return }
    let signals = try SignalSource.ofEnding()
    _ = try Thread("signals") {
      while (try? signals.wait()) == true {
        guard let signal = try? signals.next() else { continue }
        switch cleanup(signal) {
        case .signal: CurrentProcess.end(by: signal)
        case .status: CurrentProcess.exit(128 + signal.rawValue)
        }
      }
    }
  }

  /// Runs the cleanup when standard output has lost its reader, and ends the process.
  func onLostReader(_ cleanup: @escaping @Sendable () -> Void) throws(SystemError) {
    guard ownsProcess else { return }
    _ = try Thread("reader") {
      guard StandardStream.output.waitUntilUnread() else { return }
      cleanup()
      CurrentProcess.endByBrokenPipe()
    }
  }

  /// Delivers those of these signals that the process does not ignore, for a verb that handles them
  /// itself. Call this before any other thread starts.
  func signals(_ signals: [Signal]) throws(SystemError) -> SignalSource {
    try SignalSource(ownsProcess ? signals.filter { !$0.isIgnored } : [])
  }

  /// Stops the process as Ctrl-Z does. Returns when the process continues.
  func stop() { if ownsProcess { CurrentProcess.stopAsByKey() } }

  /// Ends the process by the default action of a signal.
  func end(_ signal: Signal) { if ownsProcess { CurrentProcess.end(by: signal) } }

  /// Ends the process with the status of another program.
  func exit(_ status: Int32) { if ownsProcess { CurrentProcess.exit(status) } }
}
