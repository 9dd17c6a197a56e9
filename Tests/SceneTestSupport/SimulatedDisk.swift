package import SceneJournal
import Synchronization

/// A disk that forgets like a real one, as a seed decides.
///
/// Bytes and lengths are durable after ``StorageFile/syncData()``, names after
/// ``Storage/syncDirectory()``; until then a power cut may keep or lose each 512-byte sector and
/// each name by itself. Every call is counted, so a test can stop the world at any of them.
package final class SimulatedDisk: Storage {
  private let state: Mutex<SimulatedDiskState>

  /// An empty disk with room for `capacity` bytes.
  package init(seed: UInt64, capacity: Int = .max) {
    state = Mutex(SimulatedDiskState(seed: seed, capacity: capacity))
  }

  private init(_ state: SimulatedDiskState) {
    self.state = Mutex(state)
  }

  /// The same disk once more, with a fate of its own. Files opened on this one do not work on it.
  package func copy(seed: UInt64) -> SimulatedDisk {
    var copy = state.withLock { $0 }
    copy.random = SeededGenerator(seed: seed)
    return SimulatedDisk(copy)
  }

  /// The calls made so far, or since this was set.
  package var calls: Int {
    get { state.withLock { $0.calls } }
    set { state.withLock { $0.calls = newValue } }
  }

  /// What goes wrong, and when; nil: nothing does.
  package var fault: SimulatedFault? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  /// The room there is for all files together, in bytes.
  package var capacity: Int {
    get { state.withLock { $0.capacity } }
    set { state.withLock { $0.capacity = newValue } }
  }

  /// The bytes all files take.
  package var usedByteCount: Int { state.withLock { $0.usedByteCount } }

  /// Whether a fault stopped the world and nothing was done about it yet.
  package var isDown: Bool { state.withLock { $0.isDown } }

  /// The machine lost its power and is on again: what was not synced is left to chance.
  package func cutPower() {
    state.withLock { $0.cutPower() }
  }

  /// The process was killed and started again: the page cache survives, but what a failed sync left
  /// in it only, it may have dropped.
  package func killProcess() {
    state.withLock { $0.killProcess() }
  }
}

extension SimulatedDisk {
  package var place: String { "/simulated" }
  package var freeByteCount: Int? { state.withLock { $0.capacity - $0.usedByteCount } }

  package func list() throws(StorageError) -> [String] {
    try state.withLock { (state) throws(StorageError) in
      try state.enter(.list, ".")
      return state.names.keys.sorted()
    }
  }

  package func open(
    _ name: String, for access: StorageAccess
  ) throws(StorageError) -> any StorageFile {
    try state.withLock { (state) throws(StorageError) in
      try state.enter(.open, name)
      let file = try state.file(named: name, for: .open)
      return SimulatedFile(
        disk: self, number: file, name: name, life: state.life, isWritable: access == .writing)
    }
  }

  package func create(
    _ name: String, reserving byteCount: Int
  ) throws(StorageError) -> any StorageFile {
    try state.withLock { (state) throws(StorageError) in
      let file = try state.create(name, reserving: byteCount)
      return SimulatedFile(
        disk: self, number: file, name: name, life: state.life, isWritable: true)
    }
  }

  package func rename(_ name: String, to newName: String) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in try state.rename(name, to: newName) }
  }

  package func remove(_ name: String) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in try state.remove(name) }
  }

  package func syncDirectory() throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in try state.syncDirectory() }
  }
}

extension SimulatedDisk {
  /// The names of all files as a process sees them now; not counted as a call.
  package var fileNames: [String] { state.withLock { $0.names.keys.sorted() } }

  /// The bytes of a file as a process sees them now, or nil; not counted as a call.
  package func bytes(of name: String) -> ContiguousArray<UInt8>? {
    state.withLock { state in
      state.names[name].flatMap { state.files[$0]?.bytes }
    }
  }

  /// Puts a file on the disk, durably, whatever was there; not counted as a call.
  package func place(_ bytes: ContiguousArray<UInt8>, as name: String) {
    state.withLock { $0.place(bytes, as: name) }
  }

  func withState<Result: Sendable>(
    _ body: (inout SimulatedDiskState) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try state.withLock { (state) throws(StorageError) in try body(&state) }
  }
}

/// An open file of a ``SimulatedDisk``. It does not outlive the process that opened it.
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

  func size() throws(StorageError) -> Int {
    try call(.size) { (state) throws(StorageError) in
      try state.enter(.size, name)
      return state.files[number]?.bytes.count ?? 0
    }
  }

  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(StorageError) -> Int {
    let part = try call(.read) { (state) throws(StorageError) in
      try state.enter(.read, name)
      return state.files[number]?.bytes.dropFirst(offset).prefix(count) ?? []
    }
    bytes.overwrite(at: 0, with: part)
    return part.count
  }

  func hasItsRoom() throws(StorageError) -> Bool {
    try call(.size) { (state) throws(StorageError) in
      try state.enter(.size, name)
      return true
    }
  }

  func nextWritten(from offset: Int) throws(StorageError) -> Int {
    try call(.read) { (state) throws(StorageError) in
      try state.enter(.read, name)
      guard let file = state.files[number] else { return offset }
      return file.firstNonzero(from: offset) ?? max(offset, file.bytes.count)
    }
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(StorageError) {
    precondition(isWritable, "\(name) was opened for reading")
    let copy = bytes.withUnsafeBufferPointer { ContiguousArray($0) }
    try call(.write) { (state) throws(StorageError) in
      try state.write(copy, to: number, named: name, at: offset)
    }
  }

  func shorten(to byteCount: Int) throws(StorageError) {
    precondition(isWritable, "\(name) was opened for reading")
    try call(.shorten) { (state) throws(StorageError) in
      try state.shorten(number, named: name, to: byteCount)
    }
  }

  func syncData() throws(StorageError) {
    try call(.syncData) { (state) throws(StorageError) in
      try state.sync(number, named: name)
    }
  }

  private func call<Result: Sendable>(
    _ call: StorageError.Call, _ body: (inout SimulatedDiskState) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try disk.withState { (state) throws(StorageError) in
      guard state.life == life else { throw state.downError(call, name) }
      return try body(&state)
    }
  }
}
