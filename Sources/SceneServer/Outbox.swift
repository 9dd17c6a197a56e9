import SceneBroker
import SceneModel
import SceneWire

/// What waits to leave on one connection, in order, and how much of it may leave: nothing that speaks of a record
/// leaves before that record is durable, and nothing overtakes what waits.
///
/// Invariant: `sent <= free <= end`, and `barriers` covers `free..<end` without gaps.
struct Outbox {
  private var writer = FrameWriter()
  /// The position in the stream of the writer's first byte.
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
    let release: Release
  }

  /// What begins when a message is free to leave.
  enum Release {
    case nothing
    /// The request that is answered by it is no longer in flight.
    case reply
    case callback(BrokerTimer, budget: Interval)
  }

  /// Bytes that could leave and were not taken.
  var freeByteCount: Int { free - sent }
  /// Bytes in all.
  var byteCount: Int { end - sent }
  var isEmpty: Bool { byteCount == 0 }
  /// Bytes of memory it holds.
  var memory: Int { writer.capacity }

  /// Gives the outbox memory to write into, if it has none.
  mutating func borrow(from spares: inout SpareBuffers) {
    guard isEmpty, let spare = spares.take() else { return }
    writer = spare
  }

  var waitsForDisk: Bool { !barriers.isEmpty }

  /// Writes a message. What begins with its leaving is returned if it may leave at once.
  mutating func append(_ outbound: Outbound, durable: UInt64) -> Release? {
    let release = write(outbound)
    end = start + writer.count
    guard barriers.isEmpty, outbound.after <= durable else {
      barriers.append(Barrier(after: outbound.after, end: end, release: release))
      return nil
    }
    free = end
    return release
  }

  private mutating func write(_ outbound: Outbound) -> Release {
    switch outbound.message {
    case .reply(let identifier, let reply):
      writer.reply(identifier, reply)
      return .reply
    case .error(let identifier, let error):
      writer.error(identifier, error)
      return identifier == nil ? .nothing : .reply
    case .callback(let number, let callback, let budget):
      writer.callback(number, callback)
      return .callback(.callback(outbound.connection, number), budget: budget)
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

  /// Offers what may leave; `send` says how much was taken.
  mutating func flush(returningTo spares: inout SpareBuffers, _ send: (RawSpan) -> Int) {
    guard freeByteCount > 0 else { return }
    let (offset, count) = (sent - start, freeByteCount)
    sent += writer.withBytes(from: offset) { send($0.extracting(first: count)) }
    if isEmpty {
      spares.give(&writer)
      start = sent
    } else if sent - start > Self.compactionThreshold {
      writer.removeFirst(sent - start)
      start = sent
    }
  }

  /// Moving the rest down costs as much as the rest is long, so it is done seldom.
  private static let compactionThreshold = 1 << 18
}

/// A few writers that go from outbox to outbox, so that an idle connection has no memory to write into.
struct SpareBuffers {
  private var writers: [FrameWriter] = []

  mutating func take() -> FrameWriter? { writers.popLast() }

  /// Takes the writer's memory from it, and what it has written.
  mutating func give(_ writer: inout FrameWriter) {
    var taken = FrameWriter()
    swap(&taken, &writer)
    guard writers.count < 64, taken.capacity <= 1 << 16 else { return }
    taken.removeAll()
    writers.append(taken)
  }
}
