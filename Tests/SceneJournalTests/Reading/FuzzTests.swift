import SceneFuzzing
import SceneJournal
import SceneTestSupport
import Testing

@Suite("Fuzzed journals", .fuzz)
struct FuzzTests {
  /// An input changes a sample journal by edits of four bytes: the file and the kind of the edit,
  /// the offset, and a byte.
  private static func edit(_ disk: SimulatedDisk, _ edits: [UInt8]) {
    let names = disk.fileNames
    for start in stride(from: 0, to: edits.count - 3, by: 4) {
      let name = names[Int(edits[start]) % names.count]
      guard var bytes = disk.bytes(of: name), !bytes.isEmpty else { continue }
      let offset = (Int(edits[start + 1]) << 8 | Int(edits[start + 2])) % bytes.count
      switch Int(edits[start]) / names.count % 4 {
      case 0: bytes.removeLast(bytes.count - offset)
      case 1: bytes += repeatElement(edits[start + 3], count: offset)
      case 2: for index in bytes.indices.dropFirst(offset).prefix(64) { bytes[index] = 0 }
      default: bytes[offset] ^= edits[start + 3]
      }
      disk.place(bytes, as: name)
    }
  }

  @Test("a journal with any changes is refused, or opens with the records up to one of its commits")
  func journal() throws {
    let sample = try makeSampleJournal()
    let whole = try Recording(sample)
    let last = try #require(whole.files.last)
    // The commit marker has no records.
    let commits = last.batches.indices.map { index in
      whole.notes { file, batch in
        file == last.name && batch.place.offset >= last.batches[index].place.offset
      }.notes
    }
    try Fuzz.play("journal") { edits in
      let disk = sample.copy(seed: 1)
      Self.edit(disk, edits)
      let before = disk.fileNames.map { disk.bytes(of: $0) }
      var found = SalvagedNotes()
      _ = try Journal.salvage(disk, visitor: &found, options: .small())
      var layout = Layout()
      do throws(JournalError) {
        _ = try Journal.read(disk, visitor: &layout, options: .small())
      } catch {
        if case .storage = error { throw error }
        #expect(throws: JournalError.self) { try recover(disk) }
        #expect(disk.fileNames.map { disk.bytes(of: $0) } == before)
        return
      }
      #expect(disk.fileNames.map { disk.bytes(of: $0) } == before)
      #expect(commits.contains(layout.notes))
      #expect(found.notes == layout.notes)
      for _ in 1...2 {
        let notes = try recover(disk)
        #expect(notes == layout.notes)
        disk.cutPower()
      }
    }
  }
}
