import SceneJournal
import SceneTestSupport

/// All records of an intact journal, with their offsets.
struct Recording: JournalVisitor {
  struct Batch {
    var place: JournalBatch
    var records = JournalRecords()
  }

  var files: [(name: String, sealedEnd: Int?, batches: [Batch])] = []

  init(_ disk: SimulatedDisk) throws {
    _ = try Journal.read(disk, visitor: &self)
  }

  mutating func visit(_ file: JournalFile) {
    var end: Int?
    if case .log(_, let sealedEnd) = file.kind { end = sealedEnd }
    files.append((file.name, end, []))
  }

  mutating func visit(_ batch: JournalBatch) {
    files[files.count - 1].batches.append(Batch(place: batch))
  }

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) {
    let file = files.count - 1
    files[file].batches[files[file].batches.count - 1].records.append(kind: kind, body: body)
  }

  /// The notes without some batches, the number of their records, and the number of rejected
  /// records.
  func notes(
    without isLost: (_ file: String, _ batch: Batch) -> Bool
  ) -> (notes: Notes, count: Int, dropped: Int) {
    var left = SalvagedNotes()
    var count = 0
    var dropped = 0
    for file in files {
      for batch in file.batches where !isLost(file.name, batch) {
        batch.records.forEach { kind, body in
          do throws(NoteError) {
            try left.visit(kind: kind, body: body, at: 0)
            count += 1
          } catch {
            dropped += 1
          }
        }
      }
    }
    return (left.notes, count, dropped)
  }
}

/// Notes with dependencies: a text that begins with "after:" needs a previous one.
struct SalvagedNotes: SalvageVisitor {
  private(set) var notes = Notes()
  /// The bodies of the records of invalid batches.
  private(set) var lost: [String] = []

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(NoteError) {
    let parts = text(body).split(separator: "=", maxSplits: 1)
    if parts.count == 2, parts[1].hasPrefix("after:"), notes.texts[Int(parts[0]) ?? 0] == nil {
      throw NoteError("note \(parts[0]) is not there")
    }
    try notes.visit(kind: kind, body: body, at: offset)
  }

  mutating func visit(lost kind: UInt8, body: Span<UInt8>) { lost.append(text(body)) }

  private func text(_ body: Span<UInt8>) -> String {
    String(decoding: body.withUnsafeBufferPointer { Array($0) }, as: UTF8.self)
  }
}
