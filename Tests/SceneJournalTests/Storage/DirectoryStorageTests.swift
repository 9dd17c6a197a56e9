import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneJournal

@Suite("Directory storage")
final class DirectoryStorageTests {
  private let path: String

  init() throws { path = try Directory.makeTemporary() }

  deinit { try? Directory.removeTree(path) }

  @Test("files are reserved, written, read, renamed, listed and removed")
  func files() throws {
    let storage = DirectoryStorage(path)
    let file = try storage.create("a", reserving: 10_000)
    #expect(try file.size() == 10_000)
    #expect(try FileStatus(of: "\(path)/a").mode & 0o777 == 0o600)
    let hello = ContiguousArray("hello".utf8)
    try file.write(hello.span, at: 9_998)
    try file.syncData(named: "a")
    #expect(try file.size() == 10_003)
    try storage.rename("a", to: "b")
    try storage.syncDirectory()
    #expect(try storage.list() == ["b"])
    var bytes = ContiguousArray<UInt8>(repeating: 7, count: 10)
    let count = try storage.open("b", for: .reading).read(at: 9_996, count: 10, into: &bytes)
    #expect(count == 7)
    #expect(bytes == [0, 0] + hello + [7, 7, 7])
    try storage.remove("b")
    let left = try storage.list()
    #expect(left.isEmpty)
  }

  @Test("a search for written bytes skips holes only")
  func nextWritten() throws {
    let file = try DirectoryStorage(path).create("a", reserving: 1 << 20)
    try file.write(ContiguousArray([1]).span, at: 1 << 19)
    #expect(try file.nextWritten(from: 0) <= 1 << 19)
    #expect(try file.nextWritten(from: 1 << 19) == 1 << 19)
    #expect(try file.nextWritten(from: 1 << 19 + 1 << 12) >= 1 << 19 + 1 << 12)
    // The exact result if the system reports holes, else the given offset.
    #expect([1 << 20 - 1, 1 << 20].contains(try file.nextWritten(from: 1 << 20 - 1)))
    #expect(try file.nextWritten(from: 1 << 20) == 1 << 20)
  }

  @Test("a new file has its blocks, and a sparse copy has not")
  func room() throws {
    let storage = DirectoryStorage(path)
    #expect(try storage.create("a", reserving: 1 << 20).hasItsRoom())
    try File.open("\(path)/b", [.write, .create]).truncate(to: 1 << 20)
    #expect(try storage.open("b", for: .reading).hasItsRoom() == false)
  }

  @Test("a start does not continue a sparse copy of a log")
  func copiedLog() throws {
    for _ in 1...2 { _ = try openJournal(DirectoryStorage(path), JournalOptions()) }
    let name = try #require(try DirectoryStorage(path).list().first)
    try File.open("\(path)/\(name)", [.write]).truncate(to: 4096)
    try File.open("\(path)/\(name)", [.write]).truncate(to: Int64(JournalOptions().logByteCount))
    _ = try openJournal(DirectoryStorage(path), JournalOptions())
    let names = try DirectoryStorage(path).list()
    // The log is sealed, and a log with its own blocks follows.
    #expect(names.count == 2, "\(names)")
  }

  @Test("create replaces an existing file, and an empty file reserves no blocks")
  func createReplaces() throws {
    let storage = DirectoryStorage(path)
    try storage.create("a", reserving: 0).write(ContiguousArray([1, 2, 3]).span, at: 0)
    #expect(try storage.open("a", for: .reading).size() == 3)
    #expect(try storage.create("a", reserving: 4096).size() == 4096)
  }

  @Test("a missing file is reported")
  func missing() throws {
    let storage = DirectoryStorage(path)
    let error = #expect(throws: JournalError.self) { try storage.open("a", for: .reading) }
    #expect(error?.failedOperation?.reason == .notFound)
    #expect(error?.failedOperation?.file == "a")
    #expect(error?.failedOperation?.call == .open)
    #expect(throws: JournalError.self) { try storage.remove("a") }
  }

  @Test("a pipe with a journal name does not block")
  func pipe() throws {
    let made = try RunningProgram.run("/usr/bin/env", ["mkfifo", "\(path)/log-1"])
    #expect(made.code == 0)
    #expect(throws: JournalError.self) { _ = try openJournal(DirectoryStorage(path)) }
  }

  @Test("a log longer than the disk is rejected and leaves no file")
  func noRoom() throws {
    let storage = DirectoryStorage(path)
    let error = #expect(throws: JournalError.self) {
      try storage.create("a", reserving: 1 << 44)
    }
    #expect(error?.failedOperation?.reason == .noSpace)
    let left = try storage.list()
    #expect(left.isEmpty)
  }

  @Test("a journal works in a directory", arguments: [Durability.disk, .os])
  func journal(durability: Durability) throws {
    let workload = try Workload.mixed(.small(durability: durability), commits: 30)
    let storage = DirectoryStorage(path)
    var notes = Notes()
    var writer = try JournalWriter(storage, options: workload.options, content: &notes)
    for case .commit(let records) in workload.steps {
      try writer.commit(records)
      try writer.prepareAhead(retrying: true)
      _ = try writer.compactStep()
    }
    notes = Notes()
    _ = try JournalWriter(storage, options: workload.options, content: &notes)
    #expect(notes == workload.states.last)
  }

  @Test("a commit fails after the lock file was removed")
  func removedLock() throws {
    let lockPath = "\(path)/lock"
    let lock = try LockedFile(File.open(lockPath, [.write, .create]), path: lockPath)
    try Directory.make("\(path)/state")
    let storage = DirectoryStorage(OpenDirectory("\(path)/state"), locks: [lock])
    var writer = try openJournal(storage)
    try writer.commit(JournalRecords([1: "locked"]))
    try File.remove(lockPath)
    let error = #expect(throws: JournalError.self) {
      try writer.commit(JournalRecords([2: "not locked"]))
    }
    guard case .storage(let cause) = error else { throw try #require(error) }
    #expect(cause.call == .keepLock && cause.reason == .notFound && cause.file == lockPath)
  }

  /// A change of a log by another process.
  enum Interference: CaseIterable {
    case removal, removalOfOneName, renaming, replacement, truncation

    func carryOut(on path: String) throws {
      switch self {
      case .removal: try File.remove(path)
      case .removalOfOneName:
        let link = try RunningProgram.run("/usr/bin/env", ["ln", path, path + ".link"])
        try #require(link.code == 0)
        try File.remove(path)
      case .renaming: try File.rename(path, to: path + ".moved")
      case .replacement:
        try File.write(try File.read(path), to: path + ".copy")
        try File.rename(path + ".copy", to: path)
      case .truncation: try File.write([], to: path)
      }
    }
  }

  @Test("a commit fails after the log lost its name or its bytes", arguments: Interference.allCases)
  func lostLog(interference: Interference) throws {
    var writer = try openJournal(DirectoryStorage(path))
    try writer.commit(JournalRecords([1: "named"]))
    try interference.carryOut(on: "\(path)/log-1")
    let error = #expect(throws: JournalError.self) {
      try writer.commit(JournalRecords([2: "not named"]))
    }
    guard case .storage(let cause) = error else { throw try #require(error) }
    #expect(cause.call == .syncData && cause.reason == .notFound && cause.file == "log-1")
  }

  @Test("a flush at the durability os fails after the log lost its name")
  func lostLogWithoutSyncs() throws {
    var writer = try openJournal(DirectoryStorage(path), .small(durability: .os))
    try writer.commit(JournalRecords([1: "named"]))
    try writer.flush()
    try Interference.renaming.carryOut(on: "\(path)/log-1")
    #expect(throws: JournalError.self) { try writer.flush() }
  }

  @Test("the thread writes submissions and stops on request")
  func thread() throws {
    let storage = DirectoryStorage(path)
    let woken = try Wakeup()
    var notes = Notes()
    let writer = try JournalWriter(storage, options: .small(), content: &notes)
    let thread = try JournalQueue(writer) { woken.signal() }
    for number in 1...200 as ClosedRange<UInt64> {
      thread.submit(JournalRecords([Int(number): "t"]), through: number)
      if number % 10 == 0 {
        while thread.status.durable < number {
          #expect(thread.status.failure == nil)
          _ = try FileDescriptor.duplicating(woken.number).waitReadable()
          woken.drain()
        }
      }
    }
    thread.stop()
    #expect(thread.status.durable == 200)
    notes = Notes()
    _ = try JournalWriter(storage, options: .small(), content: &notes)
    #expect(notes.texts.count == 200)
  }

  @Test("a journal without files acknowledges at once")
  func keepsNothing() throws {
    let wakes = WorkerTests.Counter()
    let thread = JournalQueue(withoutFilesWaking: { wakes.add() })
    thread.submit(JournalRecords([1: "x"]), through: 7)
    #expect(thread.status.durable == 7)
    #expect(wakes.count == 1)
    thread.stop()
  }
}
