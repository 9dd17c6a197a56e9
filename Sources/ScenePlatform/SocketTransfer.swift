import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who is at the other end of a connection, by the kernel's word.
package struct PeerCredentials: Equatable, Sendable {
  package var user: UInt32
  package var group: UInt32
  /// The process that connected; it may have ended since, and handed the connection on.
  package var process: Int32

  package init(user: UInt32, group: UInt32, process: Int32) {
    self.user = user
    self.group = group
    self.process = process
  }
}

extension FileDescriptor {
  /// Who connected, as it was at that moment.
  package func peerCredentials() throws(SystemError) -> PeerCredentials {
    var peer = platform_peer()
    let number = self.number
    try check("getpeereid") { platform_peer_credentials(number, &peer) }
    return PeerCredentials(user: peer.user, group: peer.group, process: peer.process)
  }

  /// Reads what has come on a socket, at most as much as the buffer holds; it must hold something.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    precondition(!buffer.isEmpty, "a read into nothing looks like the end")
    let count = retrying { systemReceive(number, buffer) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    let code = ErrorCode.last
    return code.isWouldBlock ? .wouldBlock : .failed(code)
  }

  /// How many of the bytes sent on this socket its other end has not read; nil where the system
  /// does not tell.
  package var unreadByPeer: Int? {
    #if canImport(Darwin)
      var count: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(number, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? Int(count) : nil
    #else
      var count: Int32 = 0
      return ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : nil
    #endif
  }

  /// Offers bytes to a socket; raises no SIGPIPE when the other end is gone.
  ///
  /// Where there is no room, one that blocks `waits` for it, unless it is not to. While the kernel
  /// lacks memory, the call is repeated for about a second.
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

  /// Offers bytes to a socket once; raises no SIGPIPE when the other end is gone.
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

  /// Tells the other end of a socket that nothing more will come; reading goes on.
  package func endSending() throws(SystemError) {
    let number = self.number
    try check("shutdown") { systemShutdown(number) }
  }
}
