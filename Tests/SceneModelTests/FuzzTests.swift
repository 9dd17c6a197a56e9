import SceneFuzzing
import SceneJSON
import Testing

@testable import SceneModel

@Suite("Fuzzed texts of the model", .fuzz)
struct FuzzTests {
  @Test("any text is a predicate that its description describes, or has an error with a position")
  func predicates() throws {
    try Fuzz.play("predicates") { bytes in checkPredicate(String(decoding: bytes, as: UTF8.self)) }
  }

  /// Each line of an input is the digit of a record's kind, and the record.
  @Test("any records that a state accepts rebuild the state, also when each is applied twice")
  func records() throws {
    let (document, written) = (JSONDocument(), JSONDocument())
    try Fuzz.play("records") { bytes in
      var (state, twice) = (StoredState(), StoredState())
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let body = ContiguousArray(line.dropFirst())
        guard let kind = line.first.map({ $0 & 0xF }),
          let record = try? Record(kind: kind, body: body.span, in: document)
        else { continue }
        var writer = JSONWriter()
        record.writeBody(to: &writer)
        let again = try Record(
          kind: record.kind.rawValue, body: writer.bytes.span, in: written)
        #expect(again == record)
        // A refused record ends the recovery.
        guard (try? state.apply(record)) != nil else { break }
        try twice.apply(record)
        try twice.apply(record)
        expectSame(state, twice)
      }
      var rebuilt = StoredState()
      var problem: (any Error)?
      state.forEachRecord { record in
        do { try rebuilt.apply(record) } catch { problem = error }
      }
      #expect(problem == nil)
      // A discarded session can have had the greatest order.
      expectSame(rebuilt, state, mayHaveLowerOrder: true)
    }
  }

  private func expectSame(
    _ state: StoredState, _ other: StoredState, mayHaveLowerOrder: Bool = false
  ) {
    #expect(state == other)
    #expect(state.names == other.names)
    #expect(state.byteCount == other.byteCount)
    #expect(state.eventByteCount == other.eventByteCount)
    #expect(state.discarded == other.discarded)
    #expect(
      state.lastOrder == other.lastOrder || mayHaveLowerOrder && state.lastOrder < other.lastOrder)
  }
}
