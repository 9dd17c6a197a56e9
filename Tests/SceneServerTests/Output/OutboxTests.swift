import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("The outbox")
final class OutboxTests {
  private var outbox = Outbox()
  private var sender = OutboxSender()

  private func append(
    _ message: OutboundMessage, after record: UInt64 = 0, durable: UInt64 = 0
  ) -> Outbox.OnRelease? {
    let outbound = Outbound(
      connection: ConnectionIdentifier(1), message: message, after: record)
    return outbox.append(outbound, durable: durable, borrowingFrom: &sender.pool)
  }

  private func reply(_ number: Int64, after record: UInt64 = 0) -> Outbox.OnRelease? {
    append(.reply(.number(number), .empty), after: record)
  }

  private func extend(_ callback: Int64, by time: Interval) -> Bool {
    outbox.extend(callback, by: time)
  }

  private func flush(upTo limit: Int = .max) -> ContiguousArray<UInt8> {
    sender.send(&outbox, upTo: limit)
  }

  @Test("a message waits for its record, and later messages wait behind it")
  func barrier() {
    #expect(reply(1) != nil)
    let released = outbox.releasedByteCount
    #expect(reply(2, after: 5) == nil && reply(3) == nil && reply(4, after: 6) == nil)
    #expect(outbox.waitsForDisk && outbox.releasedByteCount == released)
    var count = 0
    outbox.release(upTo: 4) { _ in count += 1 }
    #expect(count == 0 && outbox.releasedByteCount == released)
    #expect(outbox.flaws == [])
    for (record, expected) in [(UInt64(5), 2), (6, 3)] {
      outbox.release(upTo: record) { _ in count += 1 }
      #expect(outbox.flaws == [] && count == expected)
    }
    #expect(!outbox.waitsForDisk)
    #expect(EventLoopFixture.texts(in: flush()).count == 4)
    #expect(outbox.isEmpty && outbox.buffer == nil)
  }

  @Test("the budget of a callback that waits for the disk can only grow")
  func budget() {
    let budget = Interval.seconds(5)
    let callback = Callback(.refresh, of: SessionIdentifier(random: 1, 1))
    #expect(append(.callback(7, callback, budget: budget), after: 2) == nil)
    #expect(!extend(8, by: .seconds(9)))
    for (time, expected) in [(Interval.seconds(3), budget), (.seconds(9), .seconds(9))] {
      #expect(extend(7, by: time))
      var copy = outbox
      copy.release(upTo: 2) { release in
        guard case .callback(7, expected) = release else {
          Issue.record("released \(release)")
          return
        }
      }
    }
  }

  @Test("a socket that takes more than the outbox offers is a flaw")
  func flaws() {
    _ = reply(1)
    _ = reply(2, after: 5)
    let (released, end) = (outbox.releasedByteCount, outbox.byteCount)
    _ = outbox.flush { $0.byteCount + 1 }
    #expect(
      outbox.flaws == [
        "has the positions \(released + 1), \(released) and \(end) for \(end - released - 1) bytes"
      ])
  }

  @Test("a partly sent frame stays when the others are dropped")
  func dropping() {
    for number in Int64(1)...3 { _ = reply(number) }
    let begin = flush(upTo: 7)
    outbox.dropFrames()
    #expect(outbox.flaws == [])
    _ = reply(4)
    let texts = EventLoopFixture.texts(in: begin + flush())
    #expect(texts.count == 2)
    #expect(texts.first?.contains("1") == true && texts.last?.contains("4") == true)
  }

  @Test("frames that wait for the disk are dropped with their barriers")
  func droppingBarriers() {
    _ = reply(1, after: 9)
    #expect(outbox.flaws == [])
    outbox.dropFrames()
    #expect(outbox.flaws == [])
    #expect(outbox.isEmpty && !outbox.waitsForDisk)
    #expect(reply(2) != nil)
    #expect(EventLoopFixture.texts(in: flush()).count == 1)
  }

  @Test("an outbox that is never empty sends the same bytes as one that is")
  func compaction() {
    let text = String(repeating: "x", count: 1 << 16)
    var sent: ContiguousArray<UInt8> = []
    for number in Int64(1)...8 {
      for _ in 1...2 {
        _ = append(.error(.number(number), BrokerError(.tooMany, text)))
      }
      sent += flush(upTo: outbox.byteCount - 9)
      #expect(outbox.byteCount == 9)
    }
    sent += flush()
    #expect(outbox.isEmpty)
    #expect(EventLoopFixture.texts(in: sent).count == 16)
  }
}
