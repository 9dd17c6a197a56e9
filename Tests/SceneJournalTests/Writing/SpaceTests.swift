import SceneJournal
import SceneTestSupport
import Testing

@Suite("A full disk")
struct SpaceTests {
  private let disk = SimulatedDisk(seed: 1)
  /// Logs of eight pages, half full after four. Of the last four pages, three are reserved for
  /// waiting records.
  private let options = JournalOptions.small(pages: 8)

  /// Fills pages of the log one commit at a time.
  private func fill(_ writer: inout JournalWriter, pages: Int) throws(JournalError) {
    for page in 0..<pages {
      try writer.commit(JournalRecords([page: "x"]))
      try writer.prepareAhead(retrying: true)
    }
  }

  @Test("the next log is reserved when the current one is half full")
  func reservesAhead() throws {
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 3)
    #expect(disk.fileNames == ["log-1"])
    try fill(&writer, pages: 1)
    #expect(disk.fileNames == ["log-1", "log-2.tmp"])
    #expect(disk.bytes(of: "log-2.tmp")?.count == options.logByteCount)
    try fill(&writer, pages: 5)
    #expect(disk.fileNames == ["log-1", "log-2"])
    #expect(writer.state == .ok)
  }

  @Test("the state is full half a log early, then exhausted, and recovers")
  func fullExhaustedRecovered() throws {
    let disk = SimulatedDisk(seed: 1, capacity: options.logByteCount)
    var writer = try openJournal(disk, options)
    writer.reservedBatchCount = 1
    try fill(&writer, pages: 3)
    #expect(writer.state == .ok)
    try fill(&writer, pages: 1)
    #expect(writer.state == .full)
    try writer.commit(JournalRecords([1: "at once, before anything is prepared"]))
    #expect(writer.state == .exhausted)
    disk.capacity = .max
    try writer.prepareAhead(retrying: false)
    #expect(writer.state == .exhausted)
    try writer.prepareAhead(retrying: true)
    #expect(writer.state == .ok)
    try fill(&writer, pages: 8)
    disk.cutPower()
    let notes = try recover(disk, options)
    #expect(notes.texts.count == 8)
  }

  @Test("waiting and reserved batches fit to the last page", arguments: 0...3)
  func reservedBatchesFit(count: Int) throws {
    let options = JournalOptions.small(pages: 12)
    let disk = SimulatedDisk(seed: 1, capacity: options.logByteCount)
    var writer = try openJournal(disk, options)
    writer.reservedBatchCount = count
    var pages = 0
    while writer.state != .exhausted {
      try fill(&writer, pages: 1)
      pages += 1
    }
    #expect(pages == 12 - 3 - count + 1)
    // Before the owner reads the status, two batches can arrive, each slightly longer than a page.
    try writer.commit(JournalRecords([1: String(repeating: "w", count: 4090)]))
    for left in (0..<count).reversed() {
      writer.reservedBatchCount = left
      try fill(&writer, pages: 1)
      #expect(writer.state == .exhausted)
    }
  }

  @Test("the writer reserves as many logs as the holds need")
  func manyHolds() throws {
    var writer = try openJournal(disk, options)
    writer.reservedBatchCount = 16
    try writer.prepareAhead(retrying: false)
    #expect(disk.fileNames == ["log-1", "log-2.tmp", "log-3.tmp"])
    disk.capacity = disk.usedByteCount
    writer.reservedBatchCount = 30
    try writer.prepareAhead(retrying: false)
    #expect(writer.state == .exhausted)
    writer.reservedBatchCount = 16
    try writer.prepareAhead(retrying: true)
    #expect(writer.state == .ok)
    for left in (0..<16).reversed() {
      writer.reservedBatchCount = left
      try fill(&writer, pages: 1)
    }
    #expect(disk.fileNames == ["log-1", "log-2", "log-3.tmp"])
  }

  @Test("a commit without space can be repeated later")
  func commitWithoutRoom() throws {
    let disk = SimulatedDisk(seed: 1, capacity: options.logByteCount)
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 8)
    let records = JournalRecords([100: "late"])
    for _ in 0..<2 {
      let error = try #require(throws: JournalError.self) { try writer.commit(records) }
      guard case .noRoom = error else {
        Issue.record("\(error)")
        return
      }
    }
    disk.capacity = .max
    try writer.commit(records)
    disk.cutPower()
    let notes = try recover(disk, options)
    #expect(notes.texts[100] == "late")
  }

  @Test("a commit marker does not use reserved space")
  func attestationYields() throws {
    let disk = SimulatedDisk(seed: 1, capacity: options.logByteCount)
    var writer = try openJournal(disk, options)
    writer.reservedBatchCount = 2
    try fill(&writer, pages: 6)
    try #require(writer.state == .exhausted)
    let before = writer.counts
    try writer.writeCommitMarker()
    #expect(writer.counts == before)
    #expect(writer.awaitsCommitMarker == true)
  }

  @Test("a start without space changes no file", arguments: [0, 1, 9 * 4096 - 1])
  func startWithoutRoom(free: Int) throws {
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 2)
    disk.capacity = disk.usedByteCount + free
    let names = disk.fileNames
    let bytes = names.map { disk.bytes(of: $0) }
    let error = try #require(throws: JournalError.self) { _ = try openJournal(disk, options) }
    guard case .noRoom = error else {
      Issue.record("\(error)")
      return
    }
    #expect(disk.fileNames == names)
    #expect(names.map { disk.bytes(of: $0) } == bytes)
    disk.capacity = .max
    #expect(try recover(disk, options).texts.count == 2)
  }

  @Test("a start truncates the log that it seals")
  func givesBack() throws {
    for number in 1...4 {
      var writer = try openJournal(disk, options)
      try writer.commit(JournalRecords([number: "x"]))
      try writer.prepareAhead(retrying: false)
    }
    // A header, and from the second start on the batch before the repeated one.
    #expect(disk.bytes(of: "log-1")?.count == 4096)
    #expect(disk.bytes(of: "log-2")?.count == 8192)
    #expect(disk.bytes(of: "log-3")?.count == 8192)
    #expect(disk.bytes(of: "log-4")?.count == options.logByteCount)
    disk.cutPower()
    #expect(try recover(disk, options).texts.count == 4)
  }

  @Test("a full disk starts a compaction at any gain")
  func compactsWhenFull() throws {
    let disk = SimulatedDisk(seed: 1, capacity: 2 * options.logByteCount + 4096)
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 12)
    #expect(writer.state == .full)
    #expect(writer.isCompacting == true)
    while try writer.compactStep() {}
    #expect(writer.counts.compactions == 1)
    try writer.prepareAhead(retrying: true)
    #expect(writer.state == .ok)
    try fill(&writer, pages: 3)
    disk.cutPower()
    #expect(try recover(disk, options).texts.count == 12)
  }

  @Test("a start with sessions accepts a shorter log, down to the minimum")
  func shorterLog() throws {
    var options = options
    options.smallestLogByteCount = 2 * 4096
    let disk = SimulatedDisk(seed: 1, capacity: options.logByteCount - 1)
    let fresh = #expect(throws: JournalError.self) { _ = try openJournal(disk, options) }
    guard case .noRoom(let room) = fresh else { throw try #require(fresh) }
    #expect(room.neededByteCount == options.logByteCount)
    disk.capacity = .max
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 3)
    for (free, pages) in [(9, 9), (8, 4), (4, 4), (3, 0), (1, 0)] {
      let copy = disk.copy(seed: 1)
      copy.capacity = copy.usedByteCount + free * 4096
      var notes = Notes()
      do throws(JournalError) {
        _ = try JournalWriter(copy, options: options, content: &notes)
        #expect(copy.bytes(of: "log-2")?.count == pages * 4096, "\(free) pages are free")
      } catch {
        guard case .noRoom(let room) = error else { throw error }
        #expect(pages == 0 && room.neededByteCount == 4 * 4096, "\(free) pages are free")
        #expect(copy.fileNames == ["log-1"])
      }
      #expect(notes.texts.count == 3)
    }
  }

  @Test("a start on a full disk frees space")
  func makesRoom() throws {
    var options = options
    options.smallestLogByteCount = 2 * 4096
    let disk = SimulatedDisk(seed: 1, capacity: options.logByteCount + 5 * 4096)
    var writer = try openJournal(disk, options)
    for _ in 1...6 { try writer.commit(JournalRecords([1: String(repeating: "m", count: 2000)])) }
    writer = try openJournal(disk, options)
    #expect(disk.bytes(of: "log-2")?.count == 4 * 4096)
    #expect(writer.state == .exhausted, "known from the start")
    #expect(writer.spaceShortage?.neededByteCount == options.logByteCount)
    try writer.prepareAhead(retrying: false)
    #expect(writer.state == .exhausted)
    while try writer.compactStep() {}
    try writer.prepareAhead(retrying: true)
    #expect(writer.state == .ok)
    #expect(disk.fileNames == ["base-1", "log-2", "log-3.tmp"])
    try fill(&writer, pages: 6)
    disk.cutPower()
    disk.capacity = .max
    #expect(try recover(disk, options).texts.count == 6)
  }

  @Test("a start without space uses the ballast, also after repeated kills")
  func ballast() throws {
    var options = JournalOptions.small(pages: 16)
    options.ballastByteCount = 8 * 4096
    var notes = Notes()
    var writer = try JournalWriter(disk, options: options, content: &notes)
    try fill(&writer, pages: 3)
    #expect(disk.fileNames == ["ballast", "log-1"])
    // The third start frees two pages less than the ballast needs.
    for (number, pages) in [(2, 8), (3, 8), (4, 6)] {
      disk.capacity = disk.usedByteCount
      disk.killProcess()
      notes = Notes()
      writer = try JournalWriter(disk, options: options, content: &notes)
      #expect(notes.texts.count == number + 1)
      #expect(disk.bytes(of: "log-\(number)")?.count == pages * 4096)
      #expect(writer.spaceShortage != nil)
      #expect(!disk.fileNames.contains("ballast"))
      // Reserved batches fit, and the previous log frees space for the next ballast.
      try writer.commit(JournalRecords([number * 100: "end"]))
      try writer.prepareAhead(retrying: true)
      #expect(disk.fileNames.contains("ballast"))
    }
    #expect(disk.bytes(of: "ballast")?.count == 6 * 4096)
    disk.capacity = .max
    for _ in 1...2 {
      try writer.prepareAhead(retrying: true)
      while try writer.compactStep() {}
    }
    #expect(writer.state == .ok)
    disk.cutPower()
    #expect(try recover(disk, options).texts.count == 6)
  }

  @Test("a log from the ballast contains nothing of an interrupted start")
  func usedBallast() throws {
    var options = options
    options.ballastByteCount = 6 * 4096
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 3)
    disk.capacity = disk.usedByteCount
    let calls = disk.calls
    for call in 1... {
      let copy = disk.copy(seed: UInt64(call))
      copy.fault = .once(.stop, at: calls + call)
      let isWhole = (try? openJournal(copy, options)) != nil
      copy.killProcess()
      #expect(try recover(copy, options).texts.count == 3, "call \(call)")
      copy.cutPower()
      #expect(try recover(copy, options).texts.count == 3, "call \(call), again")
      if isWhole { break }
    }
  }

  @Test("a log from the ballast has zeros after its first batch")
  func overwrittenBallast() throws {
    var options = options
    options.ballastByteCount = 6 * 4096
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 3)
    // An interrupted start can leave a longer batch than the next start repeats.
    disk.place(ContiguousArray(repeating: 0xFF, count: 6 * 4096), as: "ballast")
    disk.capacity = disk.usedByteCount
    disk.killProcess()
    #expect(try recover(disk, options).texts.count == 3)
    let log = try #require(disk.bytes(of: "log-2"))
    #expect(log.count == 6 * 4096)
    #expect(log.dropFirst(2 * 4096).allSatisfy { $0 == 0 })
  }

  @Test("without space, a start continues an untouched log of another length")
  func untouchedLog() throws {
    var options = options
    options.smallestLogByteCount = 2 * 4096
    var notes = Notes()
    var writer = try JournalWriter(disk, options: options, content: &notes)
    try fill(&writer, pages: 3)
    disk.capacity = disk.usedByteCount + 4 * 4096
    for _ in 1...3 {
      notes = Notes()
      writer = try JournalWriter(disk, options: options, content: &notes)
      #expect(notes.texts.count == 3)
      #expect(writer.state == .exhausted)
      #expect(disk.bytes(of: "log-2")?.count == 4 * 4096)
      #expect(disk.fileNames == ["log-1", "log-2"])
    }
    try writer.commit(JournalRecords([100: "end"]))
    disk.cutPower()
    disk.capacity = .max
    #expect(try recover(disk, options).texts.count == 4)
  }

  @Test("the next start removes a half-prepared log")
  func leftoverMakesRoom() throws {
    let disk = SimulatedDisk(seed: 1, capacity: 2 * options.logByteCount)
    var writer = try openJournal(disk, options)
    try fill(&writer, pages: 5)
    try #require(disk.fileNames == ["log-1", "log-2.tmp"])
    #expect(try recover(disk, options).texts.count == 5)
  }
}
