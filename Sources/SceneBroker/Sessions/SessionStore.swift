import SceneModel

/// The sessions, topics and discard reports that survive the broker, and what the disk has of them.
///
/// - `state` changes only by `commit`, so a journal that replays the records has the same state.
/// - A session is listed while it is stored, or while it is discarded and its scene has not ended.
struct SessionStore {
  private(set) var state: StoredState
  private var barriers = DurabilityBarriers()
  /// Discarded sessions whose scenes have not ended. They are listed, and their names are in use.
  private(set) var discarding: [SessionIdentifier: StoredSession] = [:]
  /// The identifiers of all listed sessions in order; nil when they must be sorted again.
  private var listing: [SessionIdentifier]?
  /// The space that the journal has reported, and the cause of a shortage in the system's words.
  private var storage: (room: StorageCapacity, problem: String?) = (.ok, nil)
  /// The room that observers know.
  private var publishedRoom = StorageCapacity.ok
  private let limits: Limits

  init(recovered state: StoredState, _ limits: Limits) {
    self.state = state
    self.limits = limits
  }

  mutating func returnUnusedMemory() { state.returnUnusedCapacity() }

  // MARK: - Records

  /// Applies a record with this length in the journal, and returns its number.
  @discardableResult
  mutating func commit(_ record: Record, byteCount: Int) -> UInt64 {
    switch record {
    case .session(let attributes):
      if listing != nil, state[attributes.identifier] == nil { listing = nil }
    case .discard: listing = nil
    default: break
    }
    do throws(MemberError) {
      try state.apply(record)
    } catch {
      preconditionFailure("\(error)")
    }
    barriers.add(record, byteCount: byteCount)
    return barriers.recordCount
  }

  /// The number of the newest record.
  var recordCount: UInt64 { barriers.recordCount }

  /// The number of the newest record of the session and the topic that the disk may not have, else
  /// 0.
  func barrier(_ session: SessionIdentifier?, topic: String? = nil) -> UInt64 {
    var newest = session.flatMap { barriers.newest(of: $0) } ?? 0
    if let topic { newest = max(newest, barriers.newest(ofTopic: topic) ?? 0) }
    return newest
  }

  /// The disk has all records up to this number.
  mutating func synced(upTo number: UInt64) { barriers.removeSynced(upTo: number) }

  /// Whether the disk may not have this record.
  func isUnsynced(_ record: UInt64) -> Bool { record > barriers.synced && record <= recordCount }

  // MARK: - Space

  mutating func updateStorage(_ room: StorageCapacity, _ problem: String?) {
    storage = (room, problem)
  }

  /// The room for records, including the records that wait for the disk.
  var room: StorageCapacity { storage.room == .ok && isBehind ? .behind : storage.room }

  var isDiskFull: Bool { storage.room == .full || isExhausted }

  /// Whether the journal has no space for any record but the ends of holds.
  var isExhausted: Bool { storage.room == .exhausted }

  /// The bytes of the records that the disk may not have.
  var unsyncedByteCount: Int { barriers.byteCount }

  private var isBehind: Bool { unsyncedByteCount > limits.unsyncedBytes }

  /// Returns the room and the cause of a shortage, if observers do not know this room.
  mutating func takeUnpublishedRoom() -> (room: StorageCapacity, problem: String?)? {
    let room = room
    guard room != publishedRoom else { return nil }
    publishedRoom = room
    return (room, room == .ok ? nil : storage.problem)
  }

  /// Why a request that needs a record cannot have one now. A disk can be full and behind.
  func admission(of writing: WriteIntent) -> BrokerError? {
    if storage.room.refusal(of: writing) == .storageFull {
      let use = isExhausted ? "for scenes that end" : "to move, close and discard scenes"
      return BrokerError(
        .storageFull,
        "\(storage.problem ?? "the disk is full"); the broker uses its reserved space only \(use); "
          + "free some space and try again")
    }
    guard isBehind || storage.room == .behind else { return nil }
    return BrokerError(.tooMany, "the disk is behind: too many records wait for it", retry: .now)
  }

  /// The bytes of all sessions and stored events.
  var byteCount: Int { state.byteCount + state.eventByteCount }

  /// Checks the limit of all sessions together. `pending` are the bytes of the sessions that wait
  /// for their process, and `transient` those of the events that are only in memory.
  func checkSpace(
    for growth: Int, pending: Int, transient: Int
  ) throws(BrokerError) {
    guard growth > 0 else { return }
    guard state.byteCount + pending + growth <= limits.storedBytes else {
      throw BrokerError(
        .storageFull,
        "all sessions together are limited to \(limits.storedBytes) bytes; discard some",
        speaksOfSessions: true)
    }
    try checkTotalSpace(for: pending + growth, transient: transient)
  }

  /// Checks the limit of all sessions and events together.
  func checkTotalSpace(for growth: Int, transient: Int) throws(BrokerError) {
    guard growth > 0, byteCount + transient + growth > limits.keptBytes else { return }
    throw BrokerError(
      .storageFull,
      "all sessions and events together are limited to \(limits.keptBytes) bytes; discard some "
        + "sessions",
      speaksOfSessions: true)
  }

  // MARK: - Lookup

  /// The session, if it is not discarded.
  subscript(session: SessionIdentifier) -> StoredSession? { state[session] }

  func contains(_ session: SessionIdentifier) -> Bool { state.contains(session) }

  /// The sessions that are not discarded.
  var sessions: Dictionary<SessionIdentifier, StoredSession>.Values { state.sessions.values }

  @inline(__always)
  func listed(_ session: SessionIdentifier) -> StoredSession? {
    state[session] ?? discarding[session]
  }

  func isListed(_ session: SessionIdentifier) -> Bool {
    state.contains(session) || discarding[session] != nil
  }

  func listed(named name: String) -> SessionIdentifier? {
    state.names[name] ?? discarding.first { $0.value.attributes.name == name }?.key
  }

  var listedCount: Int { state.sessions.count + discarding.count }

  /// The most recently used session that meets a condition, before those that are being discarded.
  func newestListed(where isMeant: (StoredSession) -> Bool) -> StoredSession? {
    state.sessions.values.lazy.filter(isMeant).max { $0.hold.order < $1.hold.order }
      ?? discarding.values.first(where: isMeant)
  }

  /// The listed sessions that follow this one, in the order of their identifiers.
  mutating func listing(after session: SessionIdentifier?) -> ArraySlice<SessionIdentifier> {
    let all = sortedListing()
    return all[(session.map { all.firstIndex(after: $0) } ?? 0)...]
  }

  /// The listed sessions in a range of identifiers, in order.
  mutating func listing(
    in range: ClosedRange<SessionIdentifier>
  ) -> ArraySlice<SessionIdentifier> {
    let all = sortedListing()
    return all[all.partition { $0 >= range.lowerBound }..<all.firstIndex(after: range.upperBound)]
  }

  private mutating func sortedListing() -> [SessionIdentifier] {
    let all = listing ?? (Array(state.sessions.keys) + Array(discarding.keys)).sorted()
    listing = all
    return all
  }

  /// The sessions from the least to the most recently used one. Identifiers decide between sessions
  /// that were never used.
  func inOrderOfUse(_ sessions: some Sequence<SessionIdentifier>) -> [SessionIdentifier] {
    sessions.map { (listed($0)?.hold.order ?? 0, $0) }.sorted { $0 < $1 }.map(\.1)
  }

  /// The sessions with a holder, from the least to the most recently used one, and the sessions
  /// whose process answered the end of the application, in any order.
  var sessionsOfProcesses: (held: [StoredSession], shutDown: [StoredSession]) {
    var held: [StoredSession] = []
    var shutDown: [StoredSession] = []
    for session in state.sessionsOfProcesses.lazy.compactMap({ state[$0] }) {
      if session.hold.holder == nil { shutDown.append(session) } else { held.append(session) }
    }
    return (held.sorted { $0.hold.order < $1.hold.order }, shutDown)
  }

  /// The hold as the most recently used one.
  func used(_ hold: Hold, at time: Int64) -> Hold {
    var hold = hold
    hold.order = state.lastOrder + 1
    hold.used = time
    return hold
  }

  // MARK: - Discards

  func isDiscarding(_ session: SessionIdentifier) -> Bool { discarding[session] != nil }

  /// The session is about to be discarded, and stays listed until its scene has ended.
  mutating func keepListed(_ session: StoredSession) {
    discarding[session.attributes.identifier] = session
  }

  /// The scene has ended. Returns false if its session is not discarded.
  mutating func finishDiscard(_ session: SessionIdentifier) -> Bool {
    guard discarding.removeValue(forKey: session) != nil else { return false }
    listing = nil
    return true
  }

  /// The oldest report that the delegate did not get. A report is due when the scenes of all
  /// sessions of its request have ended.
  func nextReport(excluding sent: Set<ReportIdentifier>) -> DidDiscardSceneSessions? {
    var pending = state.discarded[...]
    while let first = pending.first {
      let report = first.report
      let part = pending.prefix { $0.report == report }
      pending = pending.dropFirst(part.count)
      guard !sent.contains(report), isComplete(report.request) else { continue }
      return DidDiscardSceneSessions(
        report: report, sceneSessions: part.map { SceneSessionRecord($0.session) },
        more: first.more)
    }
    return nil
  }

  private func isComplete(_ request: SessionIdentifier) -> Bool {
    discarding.isEmpty
      || !state.discarded.contains {
        $0.report.request == request && discarding[$0.session.attributes.identifier] != nil
      }
  }

  /// The oldest report, if the reports exceed their limit.
  var reportBeyondLimit: ReportIdentifier? {
    guard state.discardedByteCount > limits.discardBytes else { return nil }
    return state.discarded.first?.report
  }

  func hasReport(_ report: ReportIdentifier) -> Bool {
    state.discarded.contains { $0.report == report }
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] { flaws(ofAllSessions: true) }

  /// Without `ofAllSessions`, the invariants of sessions without a process are not checked.
  func flaws(ofAllSessions: Bool) -> [String] {
    var flaws = state.flaws(ofAllSessions: ofAllSessions) + barriers.flaws
    for (identifier, session) in discarding {
      if state.contains(identifier) { flaws.append("\(identifier) is discarded and stored") }
      guard let name = session.attributes.name else { continue }
      if state.names[name] != nil {
        flaws.append("\(name) is taken before its discarded session is gone")
      }
    }
    if let listing {
      let all = Set(state.sessions.keys).union(discarding.keys)
      if listing != all.sorted() { flaws.append("the listing differs from the sessions") }
    }
    return flaws
  }
}

extension [SessionIdentifier] {
  /// The index of the first greater identifier in a sorted array.
  fileprivate func firstIndex(after identifier: SessionIdentifier) -> Int {
    partition { $0 > identifier }
  }

  /// The index of the first identifier in a sorted array that meets a condition, which all later
  /// ones meet.
  fileprivate func partition(_ meets: (SessionIdentifier) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if meets(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
