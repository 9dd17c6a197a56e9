import CScenePlatform

/// Signals that this process catches, whichever thread receives them. A process has at most one
/// value, and keeps it until it ends.
///
/// In contrast to ``SignalSource``, other threads may already run, and no signal is blocked: a
/// child process gets the default actions.
package final class CaughtSignals: Sendable {
  private let reading: FileDescriptor
  private let writing: FileDescriptor

  package init(_ signals: [Signal]) throws(SystemError) {
    var pair = try FileDescriptor.pipe()
    reading = pair.takeFirst()
    writing = pair.takeSecond()
    // The handler must not wait for a reader.
    try writing.setNonblocking()
    platform_set_signal_pipe(writing.number)
    for signal in signals {
      try check("sigaction") { platform_catch_signal(signal.rawValue) }
    }
  }

  /// Waits for the next signal.
  package func next() throws(SystemError) -> Signal {
    var byte: UInt8 = 0
    try check("read") { retrying { read(reading.number, &byte, 1) } }
    return Signal(rawValue: Int32(byte))
  }
}
