import CScenePlatform

extension SignalSource {
  static func descriptor(for signals: [Signal]) throws(SystemError) -> FileDescriptor {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.rawValue) }
    try checkCode("pthread_sigmask", nil, pthread_sigmask(SIG_BLOCK, &set, nil))
    let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
    let number = signalfd(-1, &set, flags)
    if number < 0 { throw SystemError("signalfd") }
    return FileDescriptor(adopting: number)
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
}
