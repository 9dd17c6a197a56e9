import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes signals readable from a descriptor, instead of letting them interrupt or end the process.
///
/// Make it before any other thread is started. It stays for the life of the process. Children made
/// by ``ChildProcess`` start with nothing blocked; what is ignored here, `spawn` lets them hear
/// again, and `spawnCompanion` says which it does.
package final class SignalSource: Sendable {
  private let descriptor: FileDescriptor

  /// What to add to the poller, as readable.
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
        // The queue hears of ignored signals too. Ignoring SIGCHLD would lose exit statuses, and
        // its default does nothing anyway.
        if signal != .child { _ = systemSignal(signal.rawValue, SIG_IGN) }
      }
      descriptor = queue
    }

    /// The next signal that has come, or nil.
    package func nextDelivery() throws(SystemError) -> Delivery? {
      var event = kevent64_s()
      var now = timespec()
      let number = descriptor.number
      let count = try check("kevent") { kevent64(number, nil, 0, &event, 1, 0, &now) }
      guard count == 1 else { return nil }
      let signal = Signal(rawValue: Int32(event.ident))
      // It is not told who sent it; while this is in the foreground, the keyboard is likeliest.
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
    }

    /// The next signal that has come, or nil. Several of one kind may have become one.
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

  /// Of those by which somebody ends a program in order: Ctrl-C, TERM and a terminal that goes. What
  /// whoever started this process had ignored stays so.
  package static func ofEnding() throws(SystemError) -> SignalSource {
    try SignalSource([.interrupt, .terminate, .hangup].filter { !$0.isIgnored })
  }

  /// Waits until one has come, or for this many nanoseconds; tells which.
  package func wait(nanoseconds: Int64? = nil) throws(SystemError) -> Bool {
    try descriptor.waitReadable(nanoseconds: nanoseconds)
  }

  /// The next signal that has come, whoever sent it, or nil.
  package func next() throws(SystemError) -> Signal? { try nextDelivery()?.signal }

  /// A signal that has come.
  package struct Delivery: Sendable {
    package var signal: Signal
    /// Whether it came of a key, so that the terminal's whole foreground group got it.
    package var isFromKeyboard: Bool

    fileprivate static var keys: [Signal] { [.interrupt, .quit, .terminalStop] }
  }
}

/// `signal` under a name that is not a type's.
func systemSignal(
  _ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?
) -> (@convention(c) (Int32) -> Void)? {
  signal(number, handler)
}
