package import SceneJournal
import Synchronization

/// A disk that loses unsynced data like a real one, as a seed decides.
///
/// Bytes and lengths are durable after ``StorageFile/syncData(named:)``, and names after
/// ``Storage/syncDirectory()``. Before that, a power cut can keep or lose each 512-byte sector and
/// each name separately. Every call has a number, so a test can stop the disk at any call.
package final class SimulatedDisk: Storage {
  private let state: Mutex<SimulatedDiskState>

  /// An empty disk with `capacity` bytes.
  package init(seed: UInt64, capacity: Int = .max) {
    state = Mutex(SimulatedDiskState(seed: seed, capacity: capacity))
  }

  init(_ state: SimulatedDiskState) {
    self.state = Mutex(state)
  }

  /// A copy of the disk with its own random numbers. Files that were opened on the original do not
  /// work on the copy.
  package func copy(seed: UInt64) -> SimulatedDisk {
    var copy = state.withLock { $0 }
    copy.random = SeededGenerator(seed: seed)
    return SimulatedDisk(copy)
  }

  /// The number of calls so far, or since the test set this property.
  package var calls: Int {
    get { state.withLock { $0.calls } }
    set { state.withLock { $0.restartCounting(at: newValue) } }
  }

  /// The fault that occurs, and when; nil for none.
  package var fault: SimulatedFault? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  /// The number of calls of one kind.
  package func calls(of kind: StorageFailure.Call) -> Int {
    state.withLock { $0.callsOfKind[kind] ?? 0 }
  }

  /// The number of calls that have failed because of a fault.
  package var faultCount: Int { state.withLock { $0.faultCount } }

  /// The space for all files together, in bytes.
  package var capacity: Int {
    get { state.withLock { $0.capacity } }
    set { state.withLock { $0.capacity = newValue } }
  }

  /// The bytes of all files together.
  package var usedByteCount: Int { state.withLock { $0.usedByteCount } }

  /// Whether a fault stopped the disk and the test has not restarted it.
  package var isDown: Bool { state.withLock { $0.isDown } }

  /// Cuts the power and switches it on again. Chance decides what remains of unsynced data.
  package func cutPower() {
    state.withLock { $0.cutPower(.chance(seed: 0)) }
  }

  /// Runs `body`, and returns the disk before each of its calls that change the disk. The last
  /// crash point is the disk after `body`.
  package func record(_ body: () throws -> Void) rethrows -> [SimulatedCrashPoint] {
    state.withLock { $0.crashPoints = [] }
    defer { state.withLock { $0.crashPoints = nil } }
    try body()
    return state.withLock { $0.endRecording() }
  }

  /// The hash of all names and bytes, which differs between processes.
  package var fingerprint: Int { state.withLock { $0.fingerprint } }

  /// Kills the process and starts it again. The page cache survives. Pages whose sync failed can be
  /// lost, because the cache counts them as clean.
  package func killProcess() {
    state.withLock { $0.killProcess() }
  }
}

extension SimulatedDisk {
  package var place: String { "/simulated" }
  package var freeByteCount: Int? { state.withLock { $0.capacity - $0.usedByteCount } }

  package func list() throws(JournalError) -> [String] {
    try state.withLock { (state) throws(JournalError) in
      try state.enter(.list, ".")
      return state.names.keys.sorted()
    }
  }

  package func open(
    _ name: String, for access: StorageAccess
  ) throws(JournalError) -> any StorageFile {
    try state.withLock { (state) throws(JournalError) in
      try state.enter(.open, name)
      let file = try state.file(named: name, for: .open)
      return SimulatedFile(
        disk: self, number: file, name: name, life: state.life, isWritable: access == .writing)
    }
  }

  package func create(
    _ name: String, reserving byteCount: Int
  ) throws(JournalError) -> any StorageFile {
    try state.withLock { (state) throws(JournalError) in
      let file = try state.create(name, reserving: byteCount)
      return SimulatedFile(
        disk: self, number: file, name: name, life: state.life, isWritable: true)
    }
  }

  package func rename(_ name: String, to newName: String) throws(JournalError) {
    try state.withLock { (state) throws(JournalError) in try state.rename(name, to: newName) }
  }

  package func remove(_ name: String) throws(JournalError) {
    try state.withLock { (state) throws(JournalError) in try state.remove(name) }
  }

  package func syncDirectory() throws(JournalError) {
    try state.withLock { (state) throws(JournalError) in try state.syncDirectory() }
  }
}

extension SimulatedDisk {
  /// The names of all files, as a process sees them. Does not count as a call.
  package var fileNames: [String] { state.withLock { $0.names.keys.sorted() } }

  /// The bytes of a file as a process sees them; nil if there is none. Does not count as a call.
  package func bytes(of name: String) -> ContiguousArray<UInt8>? {
    state.withLock { state in
      state.names[name].flatMap { state.files[$0]?.bytes }
    }
  }

  /// Creates or replaces a file durably. Does not count as a call.
  package func place(_ bytes: ContiguousArray<UInt8>, as name: String) {
    state.withLock { $0.place(bytes, as: name) }
  }

  func withState<Result: Sendable>(
    _ body: (inout SimulatedDiskState) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    try state.withLock { (state) throws(JournalError) in try body(&state) }
  }
}

/// An open file of a ``SimulatedDisk``. It becomes invalid when the process that opened it ends.
final class SimulatedFile: StorageFile {
  private let disk: SimulatedDisk
  private let number: Int
  private let name: String
  private let life: Int
  private let isWritable: Bool

  init(disk: SimulatedDisk, number: Int, name: String, life: Int, isWritable: Bool) {
    self.disk = disk
    self.number = number
    self.name = name
    self.life = life
    self.isWritable = isWritable
  }

  func size() throws(JournalError) -> Int {
    try call(.size) { (state) throws(JournalError) in
      try state.enter(.size, name)
      return state.files[number]?.bytes.count ?? 0
    }
  }

  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(JournalError) -> Int {
    let part = try call(.read) { (state) throws(JournalError) in
      try state.enter(.read, name)
      return state.files[number]?.bytes.dropFirst(offset).prefix(count) ?? []
    }
    bytes.overwrite(at: 0, with: part)
    return part.count
  }

  func hasItsRoom() throws(JournalError) -> Bool {
    try call(.size) { (state) throws(JournalError) in
      try state.enter(.size, name)
      return true
    }
  }

  func nextWritten(from offset: Int) throws(JournalError) -> Int {
    try call(.read) { (state) throws(JournalError) in
      try state.enter(.read, name)
      guard let file = state.files[number] else { return offset }
      return file.firstNonzero(from: offset) ?? max(offset, file.bytes.count)
    }
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(JournalError) {
    precondition(isWritable, "\(name) was opened for reading")
    let copy = bytes.withUnsafeBufferPointer { ContiguousArray($0) }
    try call(.write) { (state) throws(JournalError) in
      try state.write(copy, to: number, named: name, at: offset)
    }
  }

  func shorten(to byteCount: Int) throws(JournalError) {
    precondition(isWritable, "\(name) was opened for reading")
    try call(.shorten) { (state) throws(JournalError) in
      try state.shorten(number, named: name, to: byteCount)
    }
  }

  func syncData(named currentName: String) throws(JournalError) {
    try call(.syncData) { (state) throws(JournalError) in
      try state.sync(number, named: currentName)
    }
  }

  private func call<Result: Sendable>(
    _ call: StorageFailure.Call, _ body: (inout SimulatedDiskState) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    try disk.withState { (state) throws(JournalError) in
      guard state.life == life else { throw state.downError(call, name) }
      return try body(&state)
    }
  }
}
