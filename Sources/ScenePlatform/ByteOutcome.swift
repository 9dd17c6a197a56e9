/// How an attempt to receive ended.
package enum ReceiveOutcome: Equatable, Sendable {
  /// This many bytes, at least one, lie at the buffer's start.
  case bytes(Int)
  /// Nothing has come yet.
  case wouldBlock
  /// The other end sends no more.
  case end
  case failed(ErrorCode)
}

/// How an attempt to send ended.
package enum SendOutcome: Equatable, Sendable {
  /// This many bytes, at least one, were taken; perhaps not all.
  case bytes(Int)
  /// The other end has to read first.
  case wouldBlock
  case failed(ErrorCode)

  /// How many bytes were taken.
  package var byteCount: Int {
    switch self {
    case .bytes(let count): count
    case .wouldBlock, .failed: 0
    }
  }
}
