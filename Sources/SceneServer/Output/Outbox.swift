import SceneBroker
import SceneModel
import SceneWire

/// The unsent output of one connection, in order. A message about a record waits until that record
/// is durable, and later messages wait behind it.
///
/// - `sent <= released <= end`, and `pieces` has the bytes from `sent` to `end`.
/// - These begin with the last `partialByteCount` bytes of a frame, and whole frames follow.
/// - `barriers` covers `released..<end` without gaps.
struct Outbox {
  /// The messages of this connection, without events. Nil before the first message, and after
  /// `flush` has returned the empty buffer.
  private(set) var buffer: OutputBuffer?
  private var pieces = OutputPieces()
  private var partialByteCount = 0
  /// The end of what the socket has taken. All positions count from the first byte of the stream.
  private var sent = 0
  /// The end of what may leave.
  private var released = 0
  /// The end of what was written.
  private var end = 0
  /// The messages that wait for a record, in order.
  private var barriers: [Barrier] = []

  private struct Barrier {
    let after: UInt64
    let end: Int
    var release: OnRelease
  }

  /// The event that begins when a message may leave.
  enum OnRelease {
    case nothing
    /// A request is no longer in flight.
    case reply
    case callback(Int64, budget: Interval)
  }

  /// Bytes that may leave and that the socket did not take.
  var releasedByteCount: Int { released - sent }
  /// Bytes that wait for a record.
  var unreleasedByteCount: Int { end - released }
  /// All unsent bytes.
  var byteCount: Int { end - sent }
  var isEmpty: Bool { byteCount == 0 }
  /// Whether a message waits for a record.
  var waitsForDisk: Bool { !barriers.isEmpty }

  /// Writes a message. Returns what begins if the message may leave at once.
  mutating func append(
    _ outbound: borrowing Outbound, durable: UInt64, borrowingFrom pool: inout BufferPool
  ) -> OnRelease? {
    let buffer = buffer ?? takeBuffer(from: &pool)
    let begin = buffer.writer.count
    let release = Self.write(outbound, to: &buffer.writer)
    append(buffer, begin..<buffer.writer.count)
    guard barriers.isEmpty, outbound.after <= durable else {
      barriers.append(Barrier(after: outbound.after, end: end, release: release))
      return nil
    }
    released = end
    return release
  }

  /// Adds an event for an observation of the connection or of a scene.
  mutating func append(
    _ frame: EventFrame, for session: SessionIdentifier?, borrowingFrom pool: inout BufferPool
  ) {
    if let session {
      let rest = frame.paramsOffset..<frame.range.upperBound
      let buffer = buffer ?? takeBuffer(from: &pool)
      let begin = buffer.writer.count
      buffer.writer.beginEvent(of: session, restByteCount: rest.count)
      append(buffer, begin..<buffer.writer.count)
      append(frame.buffer, rest)
    } else {
      append(frame.buffer, frame.range)
    }
    if barriers.isEmpty {
      released = end
    } else {
      barriers.append(Barrier(after: 0, end: end, release: .nothing))
    }
  }

  private mutating func append(_ buffer: OutputBuffer, _ range: Range<Int>) {
    pieces.append(OutputPiece(buffer, range))
    end += range.count
  }

  private mutating func takeBuffer(from pool: inout BufferPool) -> OutputBuffer {
    let buffer = pool.take()
    self.buffer = buffer
    return buffer
  }

  private static func write(
    _ outbound: borrowing Outbound, to writer: inout FrameWriter
  ) -> OnRelease {
    switch outbound.message {
    case .reply(let identifier, let reply):
      writer.reply(identifier, reply)
      return .reply
    case .error(let identifier, let error):
      writer.error(identifier, error)
      return identifier == nil ? .nothing : .reply
    case .callback(let number, let callback, let budget):
      writer.callback(number, callback)
      return .callback(number, budget: budget)
    case .notification(let notification):
      writer.notification(notification)
      return .nothing
    }
  }

  /// Releases all messages up to a durable record. Calls `begin` for each.
  mutating func release(upTo durable: UInt64, _ begin: (OnRelease) -> Void) {
    guard let first = barriers.first, first.after <= durable else { return }
    var count = 0
    for barrier in barriers {
      guard barrier.after <= durable else { break }
      released = barrier.end
      begin(barrier.release)
      count += 1
    }
    barriers.removeFirst(count)
  }

  /// Raises the budget of a callback that still waits for a record to at least `time`. Returns
  /// false if the callback does not wait.
  mutating func extend(_ callback: Int64, by time: Interval) -> Bool {
    for index in barriers.indices {
      guard case .callback(callback, let budget) = barriers[index].release else { continue }
      barriers[index].release = .callback(callback, budget: max(budget, time))
      return true
    }
    return false
  }

  // MARK: - Sending

  /// Copies the output to one buffer if it is in several, so that one system call can send it. Call
  /// this before `flush`.
  mutating func gather(borrowingFrom pool: inout BufferPool) {
    guard !pieces.rest.isEmpty, let first = pieces.first else { return }
    if first.buffer === buffer, first.range.upperBound == first.buffer.writer.count {
      first.buffer.append(pieces.rest)
      pieces = OutputPieces(
        OutputPiece(
          first.buffer, first.range.lowerBound..<first.buffer.writer.count))
    } else {
      let gathered = pool.take()
      gathered.append([first])
      gathered.append(pieces.rest)
      if let buffer { pool.give(buffer) }
      buffer = gathered
      pieces = OutputPieces(OutputPiece(gathered, 0..<gathered.writer.count))
    }
  }

  /// Sends what may leave; `send` returns how many bytes the socket took. Returns the buffer if it
  /// is empty now.
  mutating func flush(_ send: (RawSpan) -> Int) -> OutputBuffer? {
    guard releasedByteCount > 0, let piece = pieces.first else { return nil }
    assert(pieces.rest.isEmpty, "the output was not gathered")
    let count = piece.buffer.writer.withBytes(from: piece.range.lowerBound) {
      send($0.extracting(first: releasedByteCount))
    }
    sent += count
    guard isEmpty else {
      keepUnsent(of: piece, behind: count)
      return nil
    }
    pieces.removeAll()
    partialByteCount = 0
    return buffer.take()
  }

  /// The socket has taken the first bytes of the only piece.
  private mutating func keepUnsent(of piece: OutputPiece, behind count: Int) {
    let begin = piece.range.lowerBound + count
    var frame = piece.range.lowerBound + partialByteCount
    while frame < begin { frame = piece.buffer.writer.endOfFrame(at: frame) }
    partialByteCount = frame - begin
    if piece.buffer === buffer, begin > Self.compactionThreshold {
      piece.buffer.writer.removeFirst(begin)
      pieces = OutputPieces(
        OutputPiece(piece.buffer, 0..<piece.range.upperBound - begin))
    } else {
      pieces = OutputPieces(
        OutputPiece(piece.buffer, begin..<piece.range.upperBound))
    }
  }

  /// Drops all unsent frames, except the rest of a frame that is partly sent.
  mutating func dropFrames() {
    guard let first = pieces.first else { return }
    let begin = first.range.lowerBound
    end = sent + partialByteCount
    released = end
    barriers = []
    buffer = nil
    pieces = OutputPieces()
    guard partialByteCount > 0 else { return }
    // The rest of the frame is copied, so that the memory of the others is free.
    let rest = OutputBuffer()
    rest.writer.append(begin..<begin + partialByteCount, of: first.buffer.writer)
    buffer = rest
    pieces = OutputPieces(OutputPiece(rest, 0..<partialByteCount))
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as the rest of a sentence.
  var flaws: [String] {
    let unsent = OutputBuffer()
    if let first = pieces.first { unsent.append([first] + pieces.rest) }
    let byteCount = unsent.writer.count
    guard sent <= released, released <= end, byteCount == end - sent else {
      return ["has the positions \(sent), \(released) and \(end) for \(byteCount) bytes"]
    }
    var flaws: [String] = []
    var begin = partialByteCount
    while begin < byteCount { begin = unsent.writer.endOfFrame(at: begin) }
    if begin != byteCount { flaws.append("does not have whole frames") }
    let ends = [released] + barriers.map(\.end)
    if !zip(ends, ends.dropFirst()).allSatisfy({ $0 < $1 }) || ends.last != end {
      flaws.append("has barriers that do not cover the messages that wait for the disk")
    }
    return flaws
  }

  /// The outbox moves the rest down only after this many sent bytes: a move costs as much as the
  /// rest is long.
  private static let compactionThreshold = 1 << 18
}

extension OutputBuffer {
  fileprivate func append(_ pieces: [OutputPiece]) {
    for piece in pieces { writer.append(piece.range, of: piece.buffer.writer) }
  }
}
