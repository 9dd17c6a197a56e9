import SceneBroker
import SceneJournal
import SceneModel

/// Carries records to the journal, and the progress of the journal back.
///
/// Invariant: `durable <= submitted`. Both count records.
struct JournalBridge {
  private let sink: any JournalSink
  /// The status of the journal when this bridge last asked for it.
  private var status: JournalStatus
  /// The number of the last record that was handed to the journal. The broker may be further.
  private(set) var submitted: UInt64 = 0
  /// The number of the last record that is on the disk, with all before it.
  private(set) var durable: UInt64 = 0
  /// For the ends of how many holds the journal reserves space, so that they fit on a full disk.
  private(set) var reservedHoldCount = 0
  private var room: StorageCapacity = .ok
  private var spaceShortage: SpaceShortage?
  private var loggedRoom: StorageCapacity = .ok
  private var hasLoggedCompaction = false
  /// The records of a submission.
  private var packed = JournalRecords()

  struct StorageChange: Equatable {
    let room: StorageCapacity
    /// The missing space, as a message; nil with enough.
    let problem: String?
  }

  init(_ sink: any JournalSink) {
    self.sink = sink
    status = sink.status
  }

  // MARK: - Records

  /// Hands records to the journal. Reserves space for the end of each hold, and never less than for
  /// the holds of records that are not durable.
  mutating func submit(_ records: borrowing EncodedRecords, holdCount: Int) {
    guard !records.isEmpty else { return }
    packed.removeAll()
    records.forEach { kind, body in packed.append(kind: kind.rawValue, body: body) }
    reservedHoldCount = max(reservedHoldCount, holdCount)
    submitted += UInt64(records.count)
    status = sink.submit(packed, through: submitted, reserving: reservedHoldCount)
  }

  /// Reserves space for the ends of so many holds. Requires that all records are durable.
  mutating func reserve(_ holdCount: Int) {
    reservedHoldCount = holdCount
    sink.reserveBatches(holdCount)
  }

  // MARK: - Progress

  /// Asks the journal for its status. Returns the number of the last durable record if more records
  /// are durable than before.
  mutating func update() -> UInt64? {
    status = sink.status
    guard status.durable > durable else { return nil }
    durable = status.durable
    return durable
  }

  /// Why the journal has failed. The journal wakes the loop after a failure.
  var failure: JournalError? { status.failure }

  /// Why the journal stopped compacting, once.
  mutating func takeCompactionFailure() -> JournalError? {
    guard let failure = status.compactionFailure, !hasLoggedCompaction else { return nil }
    hasLoggedCompaction = true
    return failure
  }

  // MARK: - Space

  /// The storage of the last status, if it differs from the status before.
  mutating func takeStorageChange() -> StorageChange? {
    let state: StorageCapacity =
      switch status.storage {
      case .full: .full
      case .exhausted: .exhausted
      case .ok: .ok
      }
    guard state != room || status.spaceShortage != spaceShortage else { return nil }
    (room, spaceShortage) = (state, status.spaceShortage)
    return StorageChange(room: room, problem: spaceShortage?.description)
  }

  /// The log messages when the broker's room differs from the last logged one.
  mutating func takeRoomMessages(_ room: StorageCapacity) -> (texts: [String], isWarning: Bool)? {
    guard room != loggedRoom else { return nil }
    loggedRoom = room
    guard let problem = status.spaceShortage?.description, room == .full || room == .exhausted
    else {
      return (["storage: \(room.rawValue)"], false)
    }
    let effect = "the broker refuses to save until disk space is free"
    return (["storage: \(room.rawValue): \(effect)", "storage: \(problem)"], true)
  }

  /// Makes the journal look for space on a full disk. A client was refused: it may have freed
  /// space, and tries again.
  func checkSpaceIfFull() {
    if room == .full || room == .exhausted { requestSpaceCheck() }
  }

  func requestSpaceCheck() { sink.requestSpaceCheck() }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    durable <= submitted ? [] : ["\(durable) records are durable, and \(submitted) submitted"]
  }
}
