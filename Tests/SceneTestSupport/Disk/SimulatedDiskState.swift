import SceneJournal

/// The contents of a ``SimulatedDisk`` and of the page cache above it.
struct SimulatedDiskState: Sendable {
  /// A change of names that no sync has made durable.
  struct NameChange: Sendable {
    var removed: String?
    var added: String?
    var file: Int
  }

  var random: SeededGenerator
  var capacity: Int
  var calls = 0
  var fault: SimulatedFault?
  var isDown = false
  /// Increases with every power cut and kill, so that files opened before no longer work.
  var life = 0
  var files: [Int: SimulatedFileState] = [:]
  /// The names as a process sees them.
  var names: [String: Int] = [:]
  private var durableNames: [String: Int] = [:]
  private var changes: [NameChange] = []
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
    calls += 1
    guard let fault, fault.calls.contains(calls), fault.only == nil || fault.only == call else {
      return nil
    }
    if case .stop = fault.effect { isDown = true }
    return fault.effect
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
    if case .inputOutputError = effect { try fail(effect, .create, name) }
    guard byteCount <= capacity - usedByteCount else { throw noSpace(.create, name) }
    let file = nextFile
    nextFile += 1
    files[file] = SimulatedFileState(byteCount: byteCount)
    change(NameChange(removed: nil, added: name, file: file))
    try fail(effect, .create, name)
    return file
  }

  mutating func rename(_ name: String, to newName: String) throws(JournalError) {
    let effect = try begin(.rename, name)
    if case .inputOutputError = effect { try fail(effect, .rename, name) }
    change(
      NameChange(removed: name, added: newName, file: try file(named: name, for: .rename)))
    try fail(effect, .rename, name)
  }

  mutating func remove(_ name: String) throws(JournalError) {
    let effect = try begin(.remove, name)
    if case .inputOutputError = effect { try fail(effect, .remove, name) }
    change(NameChange(removed: name, added: nil, file: try file(named: name, for: .remove)))
    try fail(effect, .remove, name)
  }

  /// If this fails, the changes stay undecided. A later successful sync makes them durable, as file
  /// systems with a journal do.
  mutating func syncDirectory() throws(JournalError) {
    let effect = try begin(.syncDirectory, ".")
    if effect == nil || (effect == .stop && Bool.random(using: &random)) {
      durableNames = names
      changes = []
    }
    try fail(effect, .syncDirectory, ".")
  }

  mutating func write(
    _ bytes: ContiguousArray<UInt8>, to file: Int, named name: String, at offset: Int
  ) throws(JournalError) {
    let effect = try begin(.write, name)
    var written = bytes[...]
    if effect != nil { written = written.prefix(.random(in: 0...bytes.count, using: &random)) }
    let growth = max(0, offset + written.count - (files[file]?.bytes.count ?? 0))
    guard growth <= capacity - usedByteCount else { throw noSpace(.write, name) }
    files[file]?.write(written, at: offset)
    try fail(effect, .write, name)
  }

  mutating func shorten(
    _ file: Int, named name: String, to byteCount: Int
  ) throws(JournalError) {
    let effect = try begin(.shorten, name)
    if case .inputOutputError = effect { try fail(effect, .shorten, name) }
    files[file]?.shorten(to: byteCount)
    try fail(effect, .shorten, name)
  }

  /// A failed sync loses the pages. They count as clean, and no later sync writes them again.
  mutating func sync(_ file: Int, named name: String) throws(JournalError) {
    let effect = try begin(.syncData, name)
    guard names[name] == file else { throw notFound(.syncData, name) }
    switch effect {
    case nil: files[file]?.sync()
    case .stop: break
    case .inputOutputError: files[file]?.loseDirtyPages(&random)
    }
    try fail(effect, .syncData, name)
  }

  mutating func place(_ bytes: ContiguousArray<UInt8>, as name: String) {
    if let old = names[name] { files[old] = nil }
    files[nextFile] = SimulatedFileState(durable: bytes)
    names[name] = nextFile
    durableNames[name] = nextFile
    nextFile += 1
  }

  mutating func cutPower() {
    var survivors = durableNames
    for change in changes where Bool.random(using: &random) {
      Self.apply(change, to: &survivors)
    }
    names = survivors
    durableNames = survivors
    changes = []
    for file in files.keys.sorted() { files[file]?.cutPower(&random) }
    let linked = Set(names.values)
    files = files.filter { linked.contains($0.key) }
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

  private mutating func change(_ change: NameChange) {
    Self.apply(change, to: &names)
    changes.append(change)
  }

  private static func apply(_ change: NameChange, to names: inout [String: Int]) {
    if let removed = change.removed, names[removed] == change.file { names[removed] = nil }
    if let added = change.added { names[added] = change.file }
  }
}
