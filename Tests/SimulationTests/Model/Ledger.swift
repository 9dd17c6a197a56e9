import SceneJSON
import SceneJournal
import SceneModel
import SceneServer

/// All records of one broker in order, the versions of each session, and the number of records that
/// must not be lost.
struct Ledger {
  /// The state at the start of the broker.
  private let base: StoredState
  /// The state after all submitted records.
  private(set) var state: StoredState
  private(set) var records: [Record] = []
  /// The numbers of records after each submission. The records of one submission are kept or lost
  /// together.
  private var boundaries: [Int] = [0]
  private var versions: [SessionIdentifier: [Version]] = [:]
  /// Each recorded event of a topic, and the number of its record.
  private var events: [EventKey: (record: UInt64, event: TopicEvent)] = [:]
  /// The number of records that messages to clients depend on. These records must not be lost.
  private(set) var promised = 0

  struct Version {
    let number: UInt64
    /// Nil before the session exists and after its discard.
    let session: StoredSession?
    /// The session, or its last version if it is discarded.
    let last: StoredSession?
  }

  struct EventKey: Hashable {
    let topic: String
    let number: Int64
  }

  init(base: StoredState) {
    self.base = base
    state = base
    for (name, topic) in base.topics {
      for event in topic.events {
        events[EventKey(topic: name, number: event.number)] = (0, event)
      }
    }
  }

  /// An event of a durable topic and the number of its record; nil if the event has no record.
  func event(_ topic: String, _ number: Int64) -> (record: UInt64, event: TopicEvent)? {
    events[EventKey(topic: topic, number: number)]
  }

  /// The last version of a discarded session, also after the acknowledgement of its report.
  func discarded(_ session: SessionIdentifier) -> StoredSession? {
    versions[session]?.last { $0.last != nil }?.last
      ?? base.discarded.first { $0.session.attributes.identifier == session }?.session
  }

  /// A record that cannot follow the earlier records, or that cannot be read back.
  struct Flaw: Error {
    let problem: String
  }

  // MARK: - Writing

  mutating func handOver(
    _ handed: JournalRecords, through number: UInt64, _ check: (Record, StoredState) -> String?
  ) throws(Flaw) {
    let document = JSONDocument()
    do {
      try handed.forEach { kind, body in
        guard let kind = RecordKind(rawValue: kind) else {
          throw Flaw(problem: "a record of the unknown kind \(kind)")
        }
        try document.read(body)
        let record = try Record(kind: kind, body: document.root)
        if let problem = check(record, state) { throw Flaw(problem: problem) }
        try append(record)
      }
    } catch let flaw as Flaw {
      throw flaw
    } catch {
      throw Flaw(problem: "a record that cannot be replayed: \(error)")
    }
    boundaries.append(records.count)
    guard records.count == Int(number) else {
      throw Flaw(problem: "\(records.count) records were submitted through number \(number)")
    }
  }

  private mutating func append(_ record: Record) throws {
    guard case .session(let session) = record.subject else {
      try state.apply(record)
      records.append(record)
      if case .event(let event) = record {
        events[EventKey(topic: event.topic, number: event.number)] = (
          UInt64(records.count), event
        )
      }
      return
    }
    let before = state[session]
    let last = before ?? state.trash[session]?.session
    if versions[session] == nil {
      versions[session] = [Version(number: 0, session: before, last: last)]
    }
    try state.apply(record)
    records.append(record)
    let after = state[session]
    versions[session]?.append(
      Version(number: UInt64(records.count), session: after, last: after ?? last))
  }

  // MARK: - Versions

  /// The number of the first version of a session, from record `number` on, that meets a condition.
  func version(
    of session: SessionIdentifier, from number: UInt64, where isTrue: (Version) -> Bool
  ) -> UInt64? {
    guard let versions = versions[session] else {
      let last = base[session] ?? base.trash[session]?.session
      let only = Version(number: 0, session: base[session], last: last)
      return isTrue(only) ? 0 : nil
    }
    let start = versions.lastIndex { $0.number <= number } ?? 0
    return versions[start...].first(where: isTrue)?.number
  }

  /// The version of a session directly before the creation of another session.
  func session(
    _ session: SessionIdentifier, whenMade other: SessionIdentifier
  ) -> StoredSession? {
    let made = versions[other]?.first { $0.session != nil }?.number ?? 0
    guard let versions = versions[session] else { return base[session] }
    return versions.last { $0.number < made }?.session
  }

  mutating func promise(_ number: UInt64) { promised = max(promised, Int(number)) }

  // MARK: - Recovery

  /// The number of records in the recovered state; nil if no whole number of submissions leads to
  /// that state.
  func recoveredCount(_ recovered: StoredState) -> Int? {
    var state = base
    var applied = 0
    var found: Int?
    for boundary in boundaries {
      while applied < boundary {
        // Each record was applied once without an error.
        try? state.apply(records[applied])
        applied += 1
      }
      if state == recovered { found = applied }
    }
    return found
  }
}

extension StoredState {
  func session(of record: Record) -> StoredSession? {
    guard case .session(let session) = record.subject else { return nil }
    return self[session]
  }
}
