/// The outcome of a read that does not wait.
package enum ReceiveOutcome: Equatable, Sendable {
  /// The number of bytes at the start of the buffer, at least 1.
  case bytes(Int)
  /// No bytes are available yet.
  case wouldBlock
  /// The peer has finished sending.
  case end
  case failed(ErrorCode)

  /// The outcome of a call with this result.
  init(_ count: Int) {
    if count > 0 {
      self = .bytes(count)
    } else if count == 0 {
      self = .end
    } else {
      self = ErrorCode.last.isWouldBlock ? .wouldBlock : .failed(.last)
    }
  }
}

/// The outcome of a write that does not wait.
package enum SendOutcome: Equatable, Sendable {
  /// The number of accepted bytes, at least 1 and perhaps not all.
  case bytes(Int)
  /// The peer must read first.
  case wouldBlock
  case failed(ErrorCode)

  /// The outcome of a call with this result.
  init(_ count: Int) {
    self = count >= 0 ? .bytes(count) : ErrorCode.last.isWouldBlock ? .wouldBlock : .failed(.last)
  }

  /// The number of accepted bytes.
  package var byteCount: Int {
    switch self {
    case .bytes(let count): count
    case .wouldBlock, .failed: 0
    }
  }
}
