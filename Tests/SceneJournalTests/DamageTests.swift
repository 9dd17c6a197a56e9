import SceneJournal
import SceneTestSupport
import Testing

/// What is promised about a journal on which one byte changed, or one file lost its end: it is
/// refused with the file and the place, unless nothing that was acknowledged is missing. Only the
/// very last batch of the last log, when nothing vouches for it, may be dropped, and that is said.
@Suite("damage to any byte")
struct DamageTests {
  enum Expectation: Equatable {
    /// All is there, and no word about it.
    case unharmed
    /// All is there, but something lies where nothing was written.
    case harmlessTail
    /// The last batch is gone and reported.
    case lastBatchDropped
    /// Refused, naming an offset.
    case refused(at: Int)
  }

  /// A base, a sealed log and a last log, small enough to try every byte.
  private func makeJournal(
    attested: Bool
  ) throws -> (disk: SimulatedDisk, layout: Layout, all: Notes, allButLast: Notes) {
    let disk = SimulatedDisk(seed: 3)
    var options = JournalOptions.small(pages: 1)
    options.logLimit = 1
    var notes = Notes()
    var writer = try NotesWriter(disk, options: options, content: &notes)
    for number in 1...2 { try writer.commit(JournalRecords([number: "to be compacted"])) }
    while try writer.compactStep() {}
    try writer.commit(JournalRecords([5: "sealed"]))
    options = .small(pages: attested ? 4 : 3)
    notes = Notes()
    writer = try NotesWriter(disk, options: options, content: &notes)
    try writer.commit(JournalRecords([6: "before the last"]))
    let allButLast = try notes.adding(JournalRecords([6: "before the last"]))
    let last = JournalRecords([7: "the last", 6: "changed"])
    try writer.commit(last)
    if attested { try writer.attestIdle() }
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
    case .base:
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

  @Test("is refused or harmless, whichever byte changed", arguments: [false, true])
  func everyByteFlipped(attested: Bool) throws {
    let (disk, layout, all, allButLast) = try makeJournal(attested: attested)
    for (index, part) in layout.files.enumerated() {
      let name = part.file.name
      let original = try #require(disk.bytes(of: name))
      for byte in original.indices {
        let expectation = expectation(layout, file: index, byte: byte)
        if attested { #expect(expectation != .lastBatchDropped) }
        // Zeros where nothing was written get one pattern only; there are many.
        let isBlank = expectation == .unharmed && original[byte] == 0
        for pattern in (isBlank ? [0xFF] : [0xFF, 0x01]) as [UInt8] {
          var changed = original
          changed[byte] ^= pattern
          disk.place(changed, as: name)
          check(
            disk, expectation, all: all, allButLast: allButLast,
            place: "\(name) byte \(byte) ^ \(pattern)", file: name)
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
      let report = try Journal.read(disk, visitor: &layout)
      let found: Expectation? =
        switch (layout.notes, report.tornTail?.file) {
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
        case .foreign(let name) where name == file: .refused(at: 0)
        case .newerFormat(let name, _) where name == file: .refused(at: 0)
        default: nil
        }
      if refusal != expectation {
        Issue.record("\(place): \(expectation) was promised, not \(error)")
      }
    }
  }

  @Test("is refused when a file is shorter than it needs to be, however little")
  func everyLength() throws {
    let (disk, layout, all, _) = try makeJournal(attested: false)
    for part in layout.files {
      let name = part.file.name
      let original = try #require(disk.bytes(of: name))
      // From its seal on, a log needs nothing.
      var needed = original.count
      if case .log(_, let sealedEnd?) = part.file.kind { needed = sealedEnd }
      for length in needed..<original.count {
        disk.place(ContiguousArray(original[..<length]), as: name)
        var visitor = Layout()
        _ = try Journal.read(disk, visitor: &visitor)
        #expect(visitor.notes == all)
      }
      for length in 0..<needed {
        disk.place(ContiguousArray(original[..<length]), as: name)
        var visitor = Layout()
        let error = #expect(throws: JournalError.self) {
          try Journal.read(disk, visitor: &visitor)
        }
        guard case .damaged(let damage) = error, damage.file == name, damage.offset <= length else {
          Issue.record("\(name) cut to \(length): \(String(describing: error))")
          continue
        }
      }
      disk.place(original, as: name)
    }
  }
}
