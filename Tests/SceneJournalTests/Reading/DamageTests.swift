import SceneJournal
import SceneTestSupport
import Testing

/// The rule for a journal with one changed byte or one truncated file: opening fails with the file
/// and the offset unless all acknowledged records exist. Only the unconfirmed last batch of the
/// last log may be dropped, and the report says so.
@Suite("Damage to any byte")
struct DamageTests {
  enum Expectation: Equatable {
    /// All records exist, and nothing is reported.
    case unharmed
    /// All records exist, and a tail is reported.
    case harmlessTail
    /// The last batch is dropped and reported.
    case lastBatchDropped
    /// Opening fails with an offset.
    case refused(at: Int)
  }

  /// A checkpoint, a sealed log and a last log, small enough to try every byte.
  private func makeJournal(
    confirmed: Bool
  ) throws -> (disk: SimulatedDisk, layout: Layout, all: Notes, allButLast: Notes) {
    let disk = SimulatedDisk(seed: 3)
    var options = JournalOptions.small(pages: 1)
    options.logLimit = 1
    var notes = Notes()
    var writer = try JournalWriter(disk, options: options, content: &notes)
    for number in 1...2 { try writer.commit(JournalRecords([number: "to be compacted"])) }
    while try writer.compactStep() {}
    try writer.commit(JournalRecords([5: "sealed"]))
    options = .small(pages: confirmed ? 4 : 3)
    notes = Notes()
    writer = try JournalWriter(disk, options: options, content: &notes)
    try writer.commit(JournalRecords([6: "before the last"]))
    let allButLast = try notes.adding(JournalRecords([6: "before the last"]))
    let last = JournalRecords([7: "the last", 6: "changed"])
    try writer.commit(last)
    if confirmed { try writer.writeCommitMarker() }
    var layout = Layout()
    _ = try Journal.read(disk, visitor: &layout)
    #expect(layout.files.map(\.file.name) == ["base-1", "log-2", "log-3", "log-4"])
    return (disk, layout, try allButLast.adding(last), allButLast)
  }

  private func expectation(
    _ layout: Layout, file index: Int, byte: Int
  ) -> Expectation {
    let (file, batches) = layout.files[index]
    let batch = batches.first { $0.offset..<$0.offset + $0.byteCount ~= byte }
    switch file.kind {
    case .checkpoint:
      guard let batch else { return .refused(at: byte < 64 ? 0 : file.byteCount - 32) }
      return .refused(at: batch.offset)
    case .log(_, let sealedEnd):
      if byte < 72 { return .refused(at: 0) }
      if byte < 4096 { return .unharmed }
      if let batch {
        let isLast = sealedEnd == nil && batch == batches.last && batches.count > 1
        if !isLast { return .refused(at: batch.offset) }
        return batch.recordCount == 0 ? .harmlessTail : .lastBatchDropped
      }
      guard sealedEnd == nil, let last = batches.last else { return .unharmed }
      let end = (last.offset + last.byteCount + 4095) / 4096 * 4096
      return byte >= end ? .harmlessTail : .unharmed
    }
  }

  /// All written bytes, and some of the equal zeros around them: the first and the last of a page,
  /// and a few more.
  private func places(
    in bytes: ContiguousArray<UInt8>, of part: (file: JournalFile, batches: [JournalBatch]),
    using random: inout SeededGenerator
  ) -> [Int] {
    guard case .log = part.file.kind else { return Array(bytes.indices) }
    var places = Set(0..<72).union(bytes.indices.filter { bytes[$0] != 0 })
    for batch in part.batches {
      places.formUnion(batch.offset..<batch.offset + batch.byteCount)
    }
    for page in stride(from: 0, to: bytes.count, by: 4096) {
      places.formUnion([page, page + 4095])
      for _ in 0..<6 { places.insert(page + .random(in: 0..<4096, using: &random)) }
    }
    return places.sorted()
  }

  @Test("a changed byte is rejected or harmless", arguments: [false, true])
  func everyByteFlipped(confirmed: Bool) throws {
    let (disk, layout, all, allButLast) = try makeJournal(confirmed: confirmed)
    let seed = UInt64.random(in: 1...(.max))
    var random = SeededGenerator(seed: seed)
    for (index, part) in layout.files.enumerated() {
      let name = part.file.name
      let original = try #require(disk.bytes(of: name))
      for byte in places(in: original, of: part, using: &random) {
        let expectation = expectation(layout, file: index, byte: byte)
        if confirmed { #expect(expectation != .lastBatchDropped) }
        for pattern in [0xFF, 0x01] as [UInt8] {
          var changed = original
          changed[byte] ^= pattern
          disk.place(changed, as: name)
          check(
            disk, expectation, all: all, allButLast: allButLast,
            place: "seed \(seed), \(name) byte \(byte) ^ \(pattern)", file: name)
        }
      }
      disk.place(original, as: name)
    }
  }

  private func check(
    _ disk: SimulatedDisk, _ expectation: Expectation, all: Notes, allButLast: Notes,
    place: String, file: String
  ) {
    var layout = Layout()
    do throws(JournalError) {
      let report = try Journal.read(disk, visitor: &layout, options: .small())
      let found: Expectation? =
        switch (layout.notes, report.tail?.file) {
        case (all, nil): .unharmed
        case (all, file): .harmlessTail
        case (allButLast, file): .lastBatchDropped
        default: nil
        }
      if found != expectation {
        Issue.record("\(place): \(expectation) was promised, not \(report), \(layout.notes)")
      }
    } catch {
      let refusal: Expectation? =
        switch error {
        case .damaged(let damage) where damage.file == file: .refused(at: damage.offset)
        default: nil
        }
      if refusal != expectation {
        Issue.record("\(place): \(expectation) was promised, not \(error)")
      }
    }
  }

  @Test("a file that is too short is rejected")
  func everyLength() throws {
    let (disk, layout, all, _) = try makeJournal(confirmed: false)
    let seed = UInt64.random(in: 1...(.max))
    var random = SeededGenerator(seed: seed)
    for part in layout.files {
      let name = part.file.name
      let original = try #require(disk.bytes(of: name))
      // A log needs no bytes after its seal.
      var needed = original.count
      if case .log(_, let sealedEnd?) = part.file.kind { needed = sealedEnd }
      for length in places(in: original, of: part, using: &random) {
        disk.place(ContiguousArray(original[..<length]), as: name)
        let place: Comment = "seed \(seed), \(name) cut to \(length)"
        var visitor = Layout()
        do throws(JournalError) {
          _ = try Journal.read(disk, visitor: &visitor, options: .small())
          #expect(length >= needed && visitor.notes == all, place)
        } catch {
          guard case .damaged(let damage) = error else { throw error }
          #expect(length < needed && damage.file == name && damage.offset <= length, place)
        }
      }
      disk.place(original, as: name)
    }
  }
}
