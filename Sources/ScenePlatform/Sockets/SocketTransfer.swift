import CScenePlatform

/// The peer of a connection, as reported by the kernel.
package struct PeerCredentials: Equatable, Sendable {
  package var user: UInt32
  package var group: UInt32
  /// The process that connected. The process may have passed the connection on.
  package var process: Int32

  package init(user: UInt32, group: UInt32, process: Int32) {
    self.user = user
    self.group = group
    self.process = process
  }
}

extension FileDescriptor {
  /// The peer's credentials at the time of the connection.
  package func peerCredentials() throws(SystemError) -> PeerCredentials {
    var peer = platform_peer()
    let number = self.number
    try check("getpeereid") { platform_peer_credentials(number, &peer) }
    return PeerCredentials(user: peer.user, group: peer.group, process: peer.process)
  }

  /// Reads the available bytes of a socket, at most the size of the buffer. `buffer` must not be
  /// empty. A blocking socket waits for bytes if `waits`.
  package func receive(
    into buffer: UnsafeMutableRawBufferPointer, waits: Bool = true
  ) -> ReceiveOutcome {
    precondition(!buffer.isEmpty, "the buffer must not be empty")
    let count = retrying { systemReceive(number, buffer, waits: waits) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    let code = ErrorCode.last
    return code.isWouldBlock ? .wouldBlock : .failed(code)
  }

  /// Sends bytes; raises no SIGPIPE after the peer is gone.
  ///
  /// A blocking socket waits for free space if `waits`. While the kernel lacks memory, the call is
  /// repeated for about 1 s.
  package func send(_ bytes: UnsafeRawBufferPointer, waits: Bool = true) -> SendOutcome {
    var pause: UInt32 = 1_000
    while true {
      let outcome = offer(bytes, waits: waits)
      guard case .failed(let code) = outcome, code.isOutOfMemory, pause < 1_000_000 else {
        return outcome
      }
      usleep(pause)
      pause *= 2
    }
  }

  /// Sends bytes with one call; raises no SIGPIPE after the peer is gone.
  package func send(_ bytes: RawSpan) -> SendOutcome {
    bytes.withUnsafeBytes { offer($0, waits: true) }
  }

  private func offer(_ bytes: UnsafeRawBufferPointer, waits: Bool) -> SendOutcome {
    if bytes.isEmpty { return .bytes(0) }
    let count = retrying { systemSend(number, bytes, waits: waits) }
    if count >= 0 { return .bytes(count) }
    let code = ErrorCode.last
    return code.isWouldBlock ? .wouldBlock : .failed(code)
  }

  /// Ends sending. The socket can still receive.
  package func endSending() throws(SystemError) {
    let number = self.number
    try check("shutdown") { systemShutdown(number) }
  }
}
