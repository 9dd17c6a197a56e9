import SceneJournal
import SceneTestSupport
import Testing

/// A salvage returns exactly the state of the undamaged batches.
@Suite("Salvage of a damaged journal")
struct SalvageTests {
  private let disk: SimulatedDisk
  private let whole: Recording

  init() throws {
    disk = try makeSampleJournal()
    whole = try Recording(disk)
    #expect(whole.files.map(\.name) == ["base-1", "log-2", "log-3", "log-4", "log-5"])
    #expect(whole.files.map(\.batches.count) == [2, 0, 2, 1, 5])
  }

  /// Compares the salvage, a new journal of it, and the model.
  @discardableResult
  private func check(
    without isLost: (_ file: String, _ batch: Recording.Batch) -> Bool,
    losing: Set<String>, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SalvageReport {
    let names = disk.fileNames
    let before = names.map { disk.bytes(of: $0) }
    var found = SalvagedNotes()
    let report = try Journal.salvage(disk, visitor: &found, options: .small())
    #expect(disk.fileNames == names)
    #expect(names.map { disk.bytes(of: $0) } == before)
    let expected = whole.notes(without: isLost)
    #expect(found.notes == expected.notes, comment, sourceLocation: sourceLocation)
    #expect(report.recordCount == expected.count, comment, sourceLocation: sourceLocation)
    #expect(report.droppedCount == expected.dropped, comment, sourceLocation: sourceLocation)
    #expect(Set(report.losses.map(\.file)) == losing, comment, sourceLocation: sourceLocation)

    let fresh = SimulatedDisk(seed: 1)
    var rest = found.notes
    try Journal.make(in: fresh, options: .small()) { records in
      rest.appendNextRecords(upTo: 512, to: &records)
    }
    fresh.cutPower()
    #expect(try recover(fresh) == found.notes, comment, sourceLocation: sourceLocation)
    #expect(try recover(fresh) == found.notes, comment, sourceLocation: sourceLocation)
    return report
  }

  /// The first batch of a log that a start began also follows the seal of the previous log.
  private func isRepeated(_ file: String, _ batch: Recording.Batch) -> Bool {
    batch.place.offset == 4096 && ["log-3", "log-5"].contains(file)
  }

  @Test(
    "salvage loses a damaged batch and the records that depend on it",
    arguments: [0, 5, 13, 20, nil])
  func everyBatch(byte: Int?) throws {
    for file in whole.files {
      let original = try #require(disk.bytes(of: file.name))
      for batch in file.batches {
        let place = batch.place
        var changed = original
        changed[place.offset + (byte ?? place.byteCount / 2)] ^= 0x11
        disk.place(changed, as: file.name)
        // The last batch is a commit marker.
        let isAttestation = batch.records.isEmpty
        let isThere = isRepeated(file.name, batch)
        let report = try check(
          without: { $0 == file.name && $1.place == place && !isThere },
          losing: isAttestation || isThere ? [] : [file.name],
          "\(file.name) \(place)")
        #expect((report.tail != nil) == isAttestation)
        if let loss = report.losses.first {
          #expect(loss.bytes.contains(place.offset))
          if byte == 20 { #expect(loss.recordCount == place.recordCount) }
          // The payload has no room for so many records.
          if byte == 13 { #expect(loss.recordCount == nil) }
        }
      }
      disk.place(original, as: file.name)
    }
  }

  @Test("salvage keeps the batches of a truncated file")
  func everyLength() throws {
    for file in whole.files {
      let original = try #require(disk.bytes(of: file.name))
      var lengths = Array(stride(from: 0, to: original.count, by: 509))
      lengths += file.batches.map { $0.place.offset + $0.place.byteCount }
      for length in lengths {
        disk.place(ContiguousArray(original[..<length]), as: file.name)
        try check(
          without: {
            $0 == file.name && $1.place.offset + $1.place.byteCount > length
              && !isRepeated($0, $1)
          },
          losing: length < file.sealedEnd ?? .max ? [file.name] : [],
          "\(file.name) cut to \(length)")
      }
      disk.place(original, as: file.name)
    }
  }

  @Test(
    "salvage reads the batches after a damaged header if the salt or its copy is intact",
    arguments: [true, false])
  func everyHeader(hasCopy: Bool) throws {
    for file in whole.files {
      let isCheckpoint = file.name == "base-1"
      let original = try #require(disk.bytes(of: file.name))
      for byte in 0..<(isCheckpoint ? 64 : 72) {
        var changed = original
        changed[byte] ^= 0xFF
        // The header as an older version wrote it.
        if !isCheckpoint, !hasCopy {
          changed.replaceSubrange(2048..<2120, with: repeatElement(0, count: 72))
        }
        disk.place(changed, as: file.name)
        let isKnown = !isCheckpoint && hasCopy
        let report = try check(
          without: { $0 == file.name && 24..<32 ~= byte && !isKnown && !isRepeated($0, $1) },
          losing: [file.name], "\(file.name) byte \(byte)")
        guard isKnown else { continue }
        let loss = try #require(report.losses.first)
        #expect(report.losses.count == 1 && loss.recordCount == 0 && loss.bytes == 0..<72)
        #expect(loss.reason.hasSuffix("; the copy of the header is intact"))
        var strict = Layout()
        #expect(throws: JournalError.self) { _ = try Journal.read(disk, visitor: &strict) }
      }
      disk.place(original, as: file.name)
    }
  }

  @Test("salvage detects a truncated log by the copy of its header")
  func cutBehindCopy() throws {
    var changed = try #require(disk.bytes(of: "log-3"))
    changed[24] ^= 1
    changed.removeLast(changed.count - 4096)
    disk.place(changed, as: "log-3")
    var found = SalvagedNotes()
    let report = try Journal.salvage(disk, visitor: &found, options: .small())
    let losses = report.losses.filter { $0.file == "log-3" }
    #expect(losses.map(\.bytes.lowerBound) == [0, 4096])
  }

  @Test("salvage reports a missing file unless the file is the last one")
  func everyFile() throws {
    for file in whole.files {
      let original = try #require(disk.bytes(of: file.name))
      try disk.remove(file.name)
      let name = file.name == "base-1" ? "log-1" : file.name
      try check(
        without: { $0 == file.name && !isRepeated($0, $1) },
        losing: name == "log-5" ? [] : [name], "without \(file.name)")
      disk.place(original, as: file.name)
    }
  }

  @Test("salvage skips bytes that were appended to a file")
  func garbage() throws {
    for file in whole.files {
      let original = try #require(disk.bytes(of: file.name))
      var random = SeededGenerator(seed: 9)
      let garbage = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
      disk.place(original + garbage, as: file.name)
      let report = try check(
        without: { _, _ in false }, losing: file.name == "base-1" ? ["base-1"] : [],
        "\(file.name) and garbage")
      #expect(report.losses.allSatisfy { $0.recordCount == 0 })
      disk.place(original, as: file.name)
    }
  }

  @Test("salvage shows the records of an invalid batch and does not count them")
  func lostRecords() throws {
    var changed = try #require(disk.bytes(of: "log-5"))
    changed[8192 + 24] ^= 1
    disk.place(changed, as: "log-5")
    var found = SalvagedNotes()
    let report = try Journal.salvage(disk, visitor: &found, options: .small())
    #expect(found.lost == ["4=after:new", "2=after:the checkpoint"])
    #expect(report.losses.map(\.recordCount) == [2])
    #expect(report.losses.map(\.bytes) == [8192..<12288])
  }

  @Test("salvage of a directory without a journal finds nothing")
  func nothing() throws {
    var found = SalvagedNotes()
    let report = try Journal.salvage(SimulatedDisk(seed: 1), visitor: &found)
    #expect(report == SalvageReport())
  }
}
