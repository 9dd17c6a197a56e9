import SceneBroker
import SceneModel
import SceneWire

/// What waits to leave on one connection, in order, and how much of it may leave: nothing that
/// speaks of a record leaves before that record is durable, and nothing overtakes what waits.
///
/// Invariant: `start <= sent <= free <= end`, a frame begins at `start`, and `barriers` covers
/// `free..<end` without gaps.
struct Outbox {
  /// What writes, while there is something; else nil.
  private(set) var pen: Pen?
  /// The position in the stream of the pen's first byte.
  private var start = 0
  /// How far the socket has taken it.
  private var sent = 0
  /// How far it may leave.
  private var free = 0
  /// The position after the last byte written.
  private var end = 0
  /// The messages that wait for a record, in order.
  private var barriers: [Barrier] = []

  private struct Barrier {
    let after: UInt64
    let end: Int
    var release: Release
  }

  /// What begins when a message is free to leave.
  enum Release {
    case nothing
    /// The request that is answered by it is no longer in flight.
    case reply
    case callback(Int64, budget: Interval)
  }

  /// Bytes that could leave and were not taken.
  var freeByteCount: Int { free - sent }
  /// Bytes in all.
  var byteCount: Int { end - sent }
  var isEmpty: Bool { byteCount == 0 }
  /// Whether something waits for a record to be durable.
  var waitsForDisk: Bool { !barriers.isEmpty }

  /// Writes a message. What begins with its leaving is returned if it may leave at once.
  mutating func append(
    _ outbound: borrowing Outbound, durable: UInt64, borrowingFrom spares: inout SparePens
  ) -> Release? {
    let pen = pen ?? takePen(from: &spares)
    let release = Self.write(outbound, to: &pen.writer)
    end = start + pen.writer.count
    guard barriers.isEmpty, outbound.after <= durable else {
      barriers.append(Barrier(after: outbound.after, end: end, release: release))
      return nil
    }
    free = end
    return release
  }

  private mutating func takePen(from spares: inout SparePens) -> Pen {
    let pen = spares.take()
    self.pen = pen
    return pen
  }

  private static func write(
    _ outbound: borrowing Outbound, to writer: inout FrameWriter
  ) -> Release {
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

  /// Everything up to this record is durable: hands over what begins now.
  mutating func release(upTo durable: UInt64, _ begin: (Release) -> Void) {
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

  /// More time for a callback, if it still waits for a record: its budget has not begun, and will
  /// be no less than this. False if it does not wait.
  mutating func extend(_ callback: Int64, by time: Interval) -> Bool {
    for index in barriers.indices {
      guard case .callback(callback, let budget) = barriers[index].release else { continue }
      barriers[index].release = .callback(callback, budget: max(budget, time))
      return true
    }
    return false
  }

  /// Offers what may leave; `send` says how much was taken.
  mutating func flush(returningTo spares: inout SparePens, _ send: (RawSpan) -> Int) {
    guard freeByteCount > 0, let pen else { return }
    let (offset, count) = (sent - start, freeByteCount)
    sent += pen.writer.withBytes(from: offset) { send($0.extracting(first: count)) }
    if isEmpty {
      spares.give(pen)
      self.pen = nil
      start = sent
    } else if sent - start > Self.compactionThreshold {
      let begin = frameLeaving(from: pen).lowerBound
      pen.writer.removeFirst(begin - start)
      start = begin
    }
  }

  /// The frame of which the socket takes the next byte.
  private func frameLeaving(from pen: Pen) -> Range<Int> {
    var begin = start
    while true {
      let end = start + pen.writer.endOfFrame(at: begin - start)
      if end > sent { return begin..<end }
      begin = end
    }
  }

  /// Drops everything that waits but the rest of a frame that has begun to leave.
  mutating func dropFrames() {
    guard let pen, !isEmpty else { return }
    let frame = frameLeaving(from: pen)
    end = frame.lowerBound == sent ? sent : frame.upperBound
    free = end
    barriers = []
    pen.writer.shrink(to: end - start)
  }

  /// Moving the rest down costs as much as the rest is long, so it is done seldom.
  private static let compactionThreshold = 1 << 18
}

/// A writer and its memory, which an outbox has for as long as something waits in it.
final class Pen {
  @exclusivity(unchecked)
  var writer = FrameWriter()
}

/// A few pens that go from outbox to outbox, so that an idle connection has none.
struct SparePens {
  private var pens: [Pen] = []

  mutating func take() -> Pen { pens.popLast() ?? Pen() }

  mutating func give(_ pen: Pen) {
    guard pens.count < 64, pen.writer.capacity <= 1 << 16 else { return }
    pen.writer.removeAll()
    pens.append(pen)
  }
}
