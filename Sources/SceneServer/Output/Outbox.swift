import SceneBroker
import SceneModel
import SceneWire

/// The unsent output of one connection, in order. A message about a record waits until that record
/// is durable, and later messages wait behind it.
///
/// Invariant: `start <= sent <= free <= end`, a frame begins at `start`, and `barriers` covers
/// `free..<end` without gaps.
struct Outbox {
  /// Nil before the first message, and after `flush` has returned the empty buffer.
  private(set) var buffer: OutputBuffer?
  /// The position in the stream of the buffer's first byte.
  private var start = 0
  /// The end of what the socket has taken.
  private var sent = 0
  /// The end of what may leave.
  private var free = 0
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
  var freeByteCount: Int { free - sent }
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
    let release = Self.write(outbound, to: &buffer.writer)
    end = start + buffer.writer.count
    guard barriers.isEmpty, outbound.after <= durable else {
      barriers.append(Barrier(after: outbound.after, end: end, release: release))
      return nil
    }
    free = end
    return release
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
    case .delegateCallback(let number, let callback, let budget):
      writer.delegateCallback(number, callback)
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
      free = barrier.end
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

  /// Sends what may leave; `send` returns how many bytes the socket took. Returns the buffer if it
  /// is empty now.
  mutating func flush(_ send: (RawSpan) -> Int) -> OutputBuffer? {
    guard freeByteCount > 0, let buffer else { return nil }
    let (offset, count) = (sent - start, freeByteCount)
    sent += buffer.writer.withBytes(from: offset) { send($0.extracting(first: count)) }
    if isEmpty {
      self.buffer = nil
      start = sent
      return buffer
    } else if sent - start > Self.compactionThreshold {
      let begin = frameLeaving(from: buffer).lowerBound
      buffer.writer.removeFirst(begin - start)
      start = begin
    }
    return nil
  }

  /// The frame that contains the next byte to send.
  private func frameLeaving(from buffer: OutputBuffer) -> Range<Int> {
    var begin = start
    while true {
      let end = start + buffer.writer.endOfFrame(at: begin - start)
      if end > sent { return begin..<end }
      begin = end
    }
  }

  /// Drops all unsent frames, except the rest of a frame that is partly sent.
  mutating func dropFrames() {
    guard let buffer, !isEmpty else { return }
    let frame = frameLeaving(from: buffer)
    end = frame.lowerBound == sent ? sent : frame.upperBound
    free = end
    barriers = []
    buffer.writer.shrink(to: end - start)
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as the rest of a sentence.
  var flaws: [String] {
    let byteCount = buffer?.writer.count ?? 0
    guard start <= sent, sent <= free, free <= end, byteCount == end - start else {
      return ["has the positions \(start), \(sent), \(free) and \(end)"]
    }
    var flaws: [String] = []
    var begin = start
    while let buffer, begin < end { begin = start + buffer.writer.endOfFrame(at: begin - start) }
    if begin != end { flaws.append("does not begin with a frame") }
    let ends = [free] + barriers.map(\.end)
    if !zip(ends, ends.dropFirst()).allSatisfy({ $0 < $1 }) || ends.last != end {
      flaws.append("has barriers that do not cover the messages that wait for the disk")
    }
    return flaws
  }

  /// The outbox moves the rest down only after this many sent bytes: a move costs as much as the
  /// rest is long.
  private static let compactionThreshold = 1 << 18
}
