import SceneModel
import Testing

@testable import SceneBroker

struct TraceBufferTests {
  private static let start = Instant(monotonic: 1_000, wall: 5)
  private var buffer = TraceBuffer(capacity: 4, start: start)

  private func session(_ number: UInt64) -> SessionIdentifier {
    SessionIdentifier(high: 0, low: number)
  }

  private mutating func append(_ event: TraceEvent, _ number: UInt64) {
    var entry = TraceEntry(event)
    entry.session = session(number)
    buffer.number(&entry, at: Self.start)
    buffer.append(&entry)
    #expect(buffer.flaws == [])
  }

  @Test("the newest entries stay, with numbers without gaps")
  mutating func ring() {
    for _ in 1...6 { append(.connected, 1) }
    #expect(buffer.entries(after: 0, byteCount: .max).map(\.number) == [3, 4, 5, 6])
    #expect(buffer.entries(after: 5, byteCount: .max).map(\.number) == [6])
  }

  @Test("a chain keeps its newest entries")
  mutating func chain() {
    for _ in 0...TraceBuffer.chainLength { append(.connected, 1) }
    #expect(buffer.chain(of: session(1)).map(\.number) == Array(2...33))
  }

  @Test("the chain that got no entry for the longest time gives way")
  mutating func oldestChain() {
    for number in UInt64(1)...3 { append(.connected, number) }
    for _ in 1...40 { append(.connected, 1) }
    for _ in 1...30 { append(.connected, 3) }
    #expect(buffer.chain(of: session(2)).count == 1)
    append(.connected, 4)
    #expect(buffer.chain(of: session(2)).isEmpty)
    #expect([1, 3, 4].map { buffer.chain(of: session($0)).count } == [32, 31, 1])
  }

  @Test("a chain in the middle, at the start or at the end can be forgotten", arguments: 1...3)
  mutating func forget(number: UInt64) {
    for number in UInt64(1)...3 { append(.connected, number) }
    buffer.forget(session(number))
    #expect(buffer.chain(of: session(number)).isEmpty && buffer.flaws == [])
    for number in UInt64(1)...3 { append(.connected, number) }
  }

  @Test("a page of the trace has the newest entries that fit, to the byte")
  mutating func pageLength() {
    for number in UInt64(1)...3 { append(.connected, number) }
    let all = buffer.entries(after: 0, byteCount: .max)
    let room = all[1].jsonByteCount + all[2].jsonByteCount
    #expect(buffer.entries(after: 0, byteCount: room).map(\.number) == [2, 3])
    #expect(buffer.entries(after: 0, byteCount: room - 1).map(\.number) == [3])
  }
}
