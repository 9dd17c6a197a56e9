import ScenePlatform

/// What was read from connections in a round and not taken in yet, one behind the other.
///
/// All are read first, and then all are looked at: the processor is quicker with one thing at a
/// time than with the two in turn.
struct ReadAhead {
  private let buffer = InputBuffer(byteCount: 1 << 18)
  private var outcomes: [(connection: Connection, outcome: ReceiveOutcome)] = []
  private var byteCount = 0

  /// Whether so much more can be read before something is taken.
  func hasRoom(for length: Int) -> Bool { buffer.bytes.count - byteCount >= length }

  /// Reads once, at most so much, for which there is room; gives how much it was.
  mutating func read(
    from connection: Connection, upTo length: Int, in round: UInt64
  ) -> Int {
    let room = UnsafeMutableRawBufferPointer(
      rebasing: buffer.bytes[byteCount..<byteCount + length])
    guard let outcome = connection.withDescriptor({ $0.receive(into: room) }) else { return 0 }
    connection.fullReadRound = outcome == .bytes(length) ? round : nil
    outcomes.append((connection, outcome))
    guard case .bytes(let count) = outcome else { return 0 }
    byteCount += count
    return count
  }

  /// Hands on what was read, in the order in which it was; the bytes where there are some.
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
