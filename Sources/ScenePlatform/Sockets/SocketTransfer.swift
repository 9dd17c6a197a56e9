import CScenePlatform

/// The peer of a connection, as reported by the kernel.
package struct PeerCredentials: Equatable, Sendable {
  package var user: UInt32
  package var group: UInt32
  /// The process that connected. The process may have passed the connection on.
  package var process: Int32
}

extension FileDescriptor {
  /// The peer's credentials at the time of the connection.
  package func peerCredentials() throws(SystemError) -> PeerCredentials {
    var peer = platform_peer()
    try check("getpeereid") { platform_peer_credentials(number, &peer) }
    return PeerCredentials(user: peer.user, group: peer.group, process: peer.process)
  }

  /// Reads the available bytes of a socket, at most the size of the buffer. `buffer` must not be
  /// empty. A blocking socket waits for bytes if `waits`.
  package func receive(
    into buffer: UnsafeMutableRawBufferPointer, waits: Bool = true
  ) -> ReceiveOutcome {
    precondition(!buffer.isEmpty, "the buffer must not be empty")
    let flags = waits ? 0 : Int32(MSG_DONTWAIT)
    return ReceiveOutcome(retrying { recv(number, buffer.baseAddress, buffer.count, flags) })
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
    let flags = sendFlags | (waits ? 0 : Int32(MSG_DONTWAIT))
    return SendOutcome(
      retrying { ScenePlatform.send(number, bytes.baseAddress, bytes.count, flags) })
  }

  /// Refuses what the other end sends from now on. What it has sent can still be received.
  package func endReceiving() { shutdown(number, Int32(SHUT_RD)) }

  /// Ends sending. The socket can still receive.
  package func endSending() throws(SystemError) {
    try check("shutdown") { shutdown(number, Int32(SHUT_WR)) }
  }
}
