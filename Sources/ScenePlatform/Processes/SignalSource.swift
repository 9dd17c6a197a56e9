import CScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Delivers signals through a descriptor instead of interrupting or ending the process.
///
/// Make it before any other thread starts, and keep it until the process ends. Children of
/// ``ChildProcess`` start with no blocked signals. `spawn` resets ignored signals; see
/// `spawnForegroundJob` for its rule.
package final class SignalSource: Sendable {
  private let descriptor: FileDescriptor
  private let signals: [Signal]

  /// The descriptor to add to a poller, as readable.
  package var number: Int32 { descriptor.number }

  #if canImport(Darwin)
    package init(_ signals: [Signal]) throws(SystemError) {
      let queue = FileDescriptor(adopting: try check("kqueue") { kqueue() })
      try queue.setCloseOnExec()
      let number = queue.number
      for signal in signals {
        var change = kevent64_s()
        change.ident = UInt64(signal.rawValue)
        change.filter = Int16(EVFILT_SIGNAL)
        change.flags = UInt16(EV_ADD)
        try check("kevent") { kevent64(number, &change, 1, nil, 0, 0, nil) }
        // A kqueue reports ignored signals too. An ignored SIGCHLD would lose exit statuses, and
        // its default action is harmless.
        if signal != .child { _ = systemSignal(signal.rawValue, SIG_IGN) }
      }
      descriptor = queue
      self.signals = signals
    }

    /// The next pending signal, or nil.
    package func nextDelivery() throws(SystemError) -> Delivery? {
      var event = kevent64_s()
      var now = timespec()
      let number = descriptor.number
      let count = try check("kevent") { kevent64(number, nil, 0, &event, 1, 0, &now) }
      guard count == 1 else { return nil }
      let signal = Signal(rawValue: Int32(event.ident))
      // A kqueue does not report the sender. In the foreground, the keyboard is the likeliest
      // source.
      let isForeground = (0...2).contains { Terminal.foregroundGroup(of: $0) == getpgrp() }
      return Delivery(
        signal: signal, isFromKeyboard: isForeground && Delivery.keys.contains(signal))
    }
  #else
    package init(_ signals: [Signal]) throws(SystemError) {
      var set = sigset_t()
      sigemptyset(&set)
      for signal in signals { sigaddset(&set, signal.rawValue) }
      try checkCode("pthread_sigmask", nil, pthread_sigmask(SIG_BLOCK, &set, nil))
      let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
      let number = signalfd(-1, &set, flags)
      if number < 0 { throw SystemError("signalfd") }
      descriptor = FileDescriptor(adopting: number)
      self.signals = signals
    }

    /// The next pending signal, or nil. Equal signals may be merged.
    package func nextDelivery() throws(SystemError) -> Delivery? {
      var information = signalfd_siginfo()
      let size = MemoryLayout<signalfd_siginfo>.size
      let count = withUnsafeMutableBytes(of: &information) { buffer in
        retrying { read(descriptor.number, buffer.baseAddress, buffer.count) }
      }
      if count == size {
        let signal = Signal(rawValue: Int32(information.ssi_signo))
        let isFromKernel = information.ssi_code == 0x80
        return Delivery(
          signal: signal, isFromKeyboard: isFromKernel && Delivery.keys.contains(signal))
      }
      if count < 0 && !ErrorCode.last.isWouldBlock { throw SystemError("read") }
      return nil
    }
  #endif

  /// Gives the signals their default action in this thread, before another program replaces this
  /// process.
  package func restore() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals {
      sigaddset(&set, signal.rawValue)
      _ = systemSignal(signal.rawValue, SIG_DFL)
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

    fileprivate static var keys: [Signal] { [.interrupt, .quit, .terminalStop] }
  }
}

/// Calls `signal` under a name that is no type.
func systemSignal(
  _ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?
) -> (@convention(c) (Int32) -> Void)? {
  signal(number, handler)
}
