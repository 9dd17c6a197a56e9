import CScenePlatform

extension ProcessIdentity {
  /// Sends a signal. Returns false if the process is gone, or if another process has the ID.
  ///
  /// The descriptor names one process, also if that process ends between the check and the signal.
  package func signal(_ signal: Signal) throws(SystemError) -> Bool {
    do {
      if let process = openProcess(pid) {
        guard liveness != .gone else { return false }
        try check("pidfd_send_signal") { signalProcess(process.number, signal.rawValue) }
        return true
      }
      // The system has no such descriptors, or this process has no free one.
      guard liveness != .gone else { return false }
      try signal.send(to: pid)
      return true
    } catch let error where error.code == .noSuchProcess {
      return false
    }
  }

  /// Sends a signal, unless another process has the ID.
  package func send(_ signal: Signal) { _ = try? self.signal(signal) }

  /// Kills the process, unless another process has the ID.
  package func end() { send(.kill) }
}
