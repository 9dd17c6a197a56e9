import SceneJSON

/// Records as JSON, in order.
package struct EncodedRecords: ~Copyable, Sendable {
  private var writer = JSONWriter()
  private var parts: [Part] = []

  private struct Part: Sendable {
    let kind: RecordKind
    /// The offset after the JSON.
    let end: Int
  }

  package init() {}

  package var isEmpty: Bool { parts.isEmpty }
  package var count: Int { parts.count }

  /// Adds a record. Returns its length in the journal.
  package mutating func append(_ record: Record) -> Int {
    let start = writer.output.count
    record.writeBody(to: &writer)
    let end = writer.output.count
    parts.append(Part(kind: record.kind, end: end))
    return Record.headerByteCount + end - start
  }

  /// Visits the records in order.
  package borrowing func forEach(_ body: (RecordKind, Span<UInt8>) -> Void) {
    writer.output.withBytes { bytes in
      var start = 0
      for part in parts {
        body(part.kind, bytes.extracting(start..<part.end))
        start = part.end
      }
    }
  }

  /// Removes all records, and keeps the memory.
  package mutating func removeAll() {
    writer.removeAll()
    parts.removeAll(keepingCapacity: true)
  }
}
