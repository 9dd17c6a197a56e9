package import ScenePlatform

/// The parts of the process that belong to the main program: its signals and its end.
///
/// A verb passes the code that cleans up. The main program runs this code and ends the process.
package struct ProcessControl: Sendable {
  /// The end of the process after a signal.
  package enum SignalEnd: Sendable {
    /// By the default action of the signal.
    case signal
    /// With 128 and the number of the signal.
    case status
  }

  package typealias SignalCleanup = @Sendable (Signal) -> SignalEnd

  /// Runs the cleanup at the first signal that ends the process, and ends the process. Call this
  /// before any other thread starts.
  package var onEndingSignal: @Sendable (@escaping SignalCleanup) throws(SystemError) -> Void
  /// Runs the cleanup when standard output has lost its reader, and ends the process.
  package var onLostReader: @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> Void
  /// Delivers those of these signals that the process does not ignore, for a verb that handles them
  /// itself. Call this before any other thread starts.
  package var signals: @Sendable ([Signal]) throws(SystemError) -> SignalSource
  /// Stops the process as Ctrl-Z does. Returns when the process continues.
  package var stop: @Sendable () -> Void
  /// Ends the process by the default action of a signal.
  package var end: @Sendable (Signal) -> Void
  /// Ends the process with the status of another program.
  package var exit: @Sendable (Int32) -> Void

  package init(
    onEndingSignal: @escaping @Sendable (@escaping SignalCleanup) throws(SystemError) -> Void,
    onLostReader: @escaping @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> Void,
    signals: @escaping @Sendable ([Signal]) throws(SystemError) -> SignalSource,
    stop: @escaping @Sendable () -> Void, end: @escaping @Sendable (Signal) -> Void,
    exit: @escaping @Sendable (Int32) -> Void
  ) {
    self.onEndingSignal = onEndingSignal
    self.onLostReader = onLostReader
    self.signals = signals
    self.stop = stop
    self.end = end
    self.exit = exit
  }

  /// For a verb inside another program, which keeps its own signals.
  package static let none = ProcessControl(
    onEndingSignal: { _ in }, onLostReader: { _ in },
    signals: { (_) throws(SystemError) in try SignalSource([]) }, stop: {}, end: { _ in },
    exit: { _ in })
}
