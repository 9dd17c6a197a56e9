import SceneJournal

/// The contents of a ``SimulatedDisk`` and of the page cache above it.
struct SimulatedDiskState: Sendable {
  var random: SeededGenerator
  var capacity: Int
  private(set) var calls = 0
  private(set) var callsOfKind: [StorageFailure.Call: Int] = [:]
  /// The number of calls that have failed because of a fault.
  private(set) var faultCount = 0
  var fault: SimulatedFault?
  var isDown = false
  /// Increases with every power cut and kill, so that files opened before no longer work.
  var life = 0
  var files: [Int: SimulatedFileState] = [:]
  /// The names as a process sees them.
  var names: [String: Int] = [:]
  private var durableNames: [String: Int] = [:]
  /// The changes that no sync has made durable, in the order of the calls.
  private(set) var changes: [SimulatedChange] = []
  /// The disk before each call that changes it; nil if the test does not record.
  var crashPoints: [SimulatedCrashPoint]?
  private var nextFile = 1

  init(seed: UInt64, capacity: Int) {
    random = SeededGenerator(seed: seed)
    self.capacity = capacity
  }

  var usedByteCount: Int {
    names.values.reduce(0) { $0 + (files[$1]?.bytes.count ?? 0) }
  }

  func downError(_ call: StorageFailure.Call, _ name: String) -> JournalError {
    .storage(
      StorageFailure(call: call, file: name, reason: .code(-1), message: "the disk has stopped"))
  }

  func noSpace(_ call: StorageFailure.Call, _ name: String) -> JournalError {
    .storage(
      StorageFailure(call: call, file: name, reason: .noSpace, message: "No space left on device"))
  }

  /// Counts a call and returns its fault. Throws if the call fails before it does anything.
  mutating func begin(
    _ call: StorageFailure.Call, _ name: String
  ) throws(JournalError) -> SimulatedFault.Effect? {
    if isDown { throw downError(call, name) }
    if call.changesDisk { recordCrashPoint(before: "\(call.rawValue) \(name)") }
    calls += 1
    callsOfKind[call, default: 0] += 1
    guard let fault, fault.only == nil || fault.only == call else { return nil }
    let number = fault.only == nil ? calls : callsOfKind[call] ?? 0
    guard fault.calls.contains(number) else { return nil }
    faultCount += 1
    if case .stop = fault.effect { isDown = true }
    return fault.effect
  }

  mutating func restartCounting(at number: Int) {
    calls = number
    callsOfKind = [:]
  }

  private mutating func recordCrashPoint(before next: @autoclosure () -> String) {
    guard crashPoints != nil else { return }
    var copy = self
    copy.crashPoints = nil
    crashPoints?.append(SimulatedCrashPoint(calls: calls, next: next(), state: copy))
  }

  mutating func endRecording() -> [SimulatedCrashPoint] {
    recordCrashPoint(before: "end")
    return crashPoints ?? []
  }

  var fingerprint: Int {
    var hasher = Hasher()
    for (name, file) in names.sorted(by: { $0.key < $1.key }) {
      hasher.combine(name)
      files[file]?.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// Counts a call that does all of its work or nothing.
  mutating func enter(_ call: StorageFailure.Call, _ name: String) throws(JournalError) {
    try fail(begin(call, name), call, name)
  }

  func fail(
    _ effect: SimulatedFault.Effect?, _ call: StorageFailure.Call, _ name: String
  ) throws(JournalError) {
    switch effect {
    case nil: return
    case .stop: throw downError(call, name)
    case .inputOutputError:
      throw .storage(
        StorageFailure(call: call, file: name, reason: .code(5), message: "Input/output error"))
    case .noSpace: throw noSpace(call, name)
    }
  }

  func file(named name: String, for call: StorageFailure.Call) throws(JournalError) -> Int {
    guard let file = names[name] else { throw notFound(call, name) }
    return file
  }

  private func notFound(_ call: StorageFailure.Call, _ name: String) -> JournalError {
    .storage(
      StorageFailure(
        call: call, file: name, reason: .notFound, message: "No such file or directory"))
  }

  mutating func create(_ name: String, reserving byteCount: Int) throws(JournalError) -> Int {
    let effect = try begin(.create, name)
    if effect != .stop { try fail(effect, .create, name) }
    guard byteCount <= capacity - usedByteCount else { throw noSpace(.create, name) }
    let file = nextFile
    nextFile += 1
    files[file] = SimulatedFileState(byteCount: byteCount)
    change(.name(removed: nil, added: name, file: file))
    if byteCount > 0 { changes.append(.length(file: file, byteCount: byteCount)) }
    try fail(effect, .create, name)
    return file
  }

  mutating func rename(_ name: String, to newName: String) throws(JournalError) {
    let effect = try begin(.rename, name)
    if effect != .stop { try fail(effect, .rename, name) }
    change(.name(removed: name, added: newName, file: try file(named: name, for: .rename)))
    try fail(effect, .rename, name)
  }

  mutating func remove(_ name: String) throws(JournalError) {
    let effect = try begin(.remove, name)
    if effect != .stop { try fail(effect, .remove, name) }
    change(.name(removed: name, added: nil, file: try file(named: name, for: .remove)))
    try fail(effect, .remove, name)
  }

  /// If this fails, the changes stay undecided. A later successful sync makes them durable, as file
  /// systems with a journal do.
  mutating func syncDirectory() throws(JournalError) {
    let effect = try begin(.syncDirectory, ".")
    if effect == nil || (effect == .stop && Bool.random(using: &random)) {
      durableNames = names
      let linked = Set(names.values)
      changes.removeAll { $0.file.map { !linked.contains($0) } ?? true }
    }
    try fail(effect, .syncDirectory, ".")
  }

  mutating func write(
    _ bytes: ContiguousArray<UInt8>, to file: Int, named name: String, at offset: Int
  ) throws(JournalError) {
    let effect = try begin(.write, name)
    var written = bytes[...]
    if effect != nil { written = written.prefix(.random(in: 0...bytes.count, using: &random)) }
    let end = offset + written.count
    let growth = max(0, end - (files[file]?.bytes.count ?? 0))
    guard growth <= capacity - usedByteCount else { throw noSpace(.write, name) }
    if growth > 0 { changes.append(.length(file: file, byteCount: end)) }
    for sector in files[file]?.write(written, at: offset) ?? [] {
      changes.append(.sector(file: file, offset: sector.offset, bytes: sector.bytes))
    }
    try fail(effect, .write, name)
  }

  mutating func shorten(
    _ file: Int, named name: String, to byteCount: Int
  ) throws(JournalError) {
    let effect = try begin(.shorten, name)
    if effect != .stop { try fail(effect, .shorten, name) }
    files[file]?.shorten(to: byteCount)
    changes.append(.length(file: file, byteCount: byteCount))
    try fail(effect, .shorten, name)
  }

  /// A failed sync loses the pages. They count as clean, and no later sync writes them again.
  mutating func sync(_ file: Int, named name: String) throws(JournalError) {
    let effect = try begin(.syncData, name)
    guard names[name] == file else { throw notFound(.syncData, name) }
    switch effect {
    case nil:
      files[file]?.sync()
      changes.removeAll { $0.file == file }
    case .stop: break
    case .inputOutputError, .noSpace: loseDirtyPages(of: file)
    }
    try fail(effect, .syncData, name)
  }

  private mutating func loseDirtyPages(of file: Int) {
    files[file]?.syncLength()
    for case .sector(file, let offset, let bytes) in changes {
      let fate = SimulatedFate.random(using: &random)
      files[file]?.lose(sectorAt: offset)
      files[file]?.settle(bytes, at: offset, as: fate, &random)
    }
    changes.removeAll { $0.file == file }
  }

  mutating func place(_ bytes: ContiguousArray<UInt8>, as name: String) {
    if let old = names[name] { files[old] = nil }
    files[nextFile] = SimulatedFileState(durable: bytes)
    names[name] = nextFile
    durableNames[name] = nextFile
    nextFile += 1
  }

  mutating func cutPower(_ cut: PowerCut) {
    for (number, change) in changes.enumerated() {
      let fate = cut.fate(of: change, number: number, &random)
      switch change {
      case .sector(let file, let offset, let bytes):
        files[file]?.settle(bytes, at: offset, as: fate, &random)
      case .length(let file, let byteCount):
        if fate == .kept { files[file]?.setDurableLength(byteCount) }
      case .name: if fate == .kept { change.apply(to: &durableNames) }
      }
    }
    names = durableNames
    changes = []
    let linked = Set(names.values)
    files = files.filter { linked.contains($0.key) }
    for file in files.keys { files[file]?.forgetCache() }
    begin()
  }

  mutating func killProcess() {
    for file in files.keys.sorted() { files[file]?.evictCleanPages(&random) }
    begin()
  }

  private mutating func begin() {
    life += 1
    isDown = false
    fault = nil
  }

  private mutating func change(_ change: SimulatedChange) {
    change.apply(to: &names)
    changes.append(change)
  }
}

extension StorageFailure.Call {
  fileprivate var changesDisk: Bool {
    switch self {
    case .create, .write, .shorten, .syncData, .syncDirectory, .rename, .remove: true
    case .list, .open, .size, .read, .keepLock: false
    }
  }
}
