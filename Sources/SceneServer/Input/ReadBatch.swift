import ScenePlatform

/// Input of several connections that was read and not processed yet, in one buffer.
///
/// The server first reads from all connections and then processes all input: the processor does one
/// kind of work faster than two kinds in turn.
struct ReadBatch {
  private let buffer = InputBuffer(byteCount: 1 << 18)
  private var outcomes: [(connection: Connection, outcome: ReceiveOutcome)] = []
  private var byteCount = 0

  /// Whether the buffer has room for a read of this length.
  func hasRoom(for length: Int) -> Bool { buffer.bytes.count - byteCount >= length }

  /// Reads once, and returns the number of bytes. The buffer must have room for `length` bytes.
  mutating func read(
    from connection: Connection, upTo length: Int, in iteration: UInt64
  ) -> Int {
    let room = UnsafeMutableRawBufferPointer(
      rebasing: buffer.bytes[byteCount..<byteCount + length])
    guard let outcome = connection.withDescriptor({ $0.receive(into: room) }) else { return 0 }
    connection.input.didRead(isFull: outcome == .bytes(length), in: iteration)
    outcomes.append((connection, outcome))
    guard case .bytes(let count) = outcome else { return 0 }
    byteCount += count
    return count
  }

  /// Passes each outcome and its bytes to `body`, in the order of the reads, and empties the
  /// buffer.
  mutating func takeAll(_ body: (Connection, ReceiveOutcome, Span<UInt8>) -> Void) {
    var place = 0
    for (connection, outcome) in outcomes {
      let start = place
      if case .bytes(let count) = outcome { place += count }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<place])
      body(connection, outcome, Span(_unsafeBytes: bytes))
    }
    outcomes.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
