import JSON
import SceneJournal
import SceneModel
import SceneServer

/// All that one broker wrote down in its life, record by record: what a session was at each time,
/// and how much of it all may never be lost.
struct Ledger {
  /// What the broker was given when it began.
  private let base: StoredState
  /// What the records handed over make of that.
  private(set) var state: StoredState
  private(set) var records: [Record] = []
  /// After how many records each hand-over ended: what was handed over together is kept or lost
  /// together.
  private var boundaries: [Int] = [0]
  private var versions: [SessionIdentifier: [Version]] = [:]
  /// Every event of a topic that was written down, and after how many records it was.
  private var events: [EventKey: (record: UInt64, event: TopicEvent)] = [:]
  /// Records that a client was told of, or that the journal reported as synced.
  private(set) var promised = 0

  struct Version {
    let number: UInt64
    /// Nil once it is discarded, or before it is made.
    let session: StoredSession?
    /// What it was when it was discarded.
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

  /// An event of a durable topic, and its record; nil for one that was never written down.
  func event(_ topic: String, _ number: Int64) -> (record: UInt64, event: TopicEvent)? {
    events[EventKey(topic: topic, number: number)]
  }

  /// What a session was when it was discarded, also after the report of it is acknowledged.
  func discarded(_ session: SessionIdentifier) -> StoredSession? {
    versions[session]?.last { $0.last != nil }?.last
      ?? base.discarded.first { $0.session.attributes.identifier == session }?.session
  }

  /// A record cannot follow those before it, or cannot be read back.
  struct Flaw: Error {
    let problem: String
  }

  // MARK: - Writing

  mutating func handOver(
    _ handed: JournalRecords, through number: UInt64, _ check: (Record, StoredSession?) -> String?
  ) throws(Flaw) {
    let document = JSONDocument()
    do {
      try handed.forEach { kind, body in
        guard let kind = RecordKind(rawValue: kind) else {
          throw Flaw(problem: "a record of the kind \(kind)")
        }
        try document.read(body)
        let record = try Record(kind: kind, body: document.root)
        if let problem = check(record, state.session(of: record)) { throw Flaw(problem: problem) }
        try append(record)
      }
    } catch let flaw as Flaw {
      throw flaw
    } catch {
      throw Flaw(problem: "a record that cannot be replayed: \(error)")
    }
    boundaries.append(records.count)
    guard records.count == Int(number) else {
      throw Flaw(problem: "\(records.count) records were handed over through number \(number)")
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
    if versions[session] == nil {
      versions[session] = [Version(number: 0, session: before, last: before)]
    }
    try state.apply(record)
    records.append(record)
    let after = state[session]
    versions[session]?.append(
      Version(number: UInt64(records.count), session: after, last: after ?? before))
  }

  // MARK: - What was told

  /// The first version of a session, from one on, of which something is true.
  func version(
    of session: SessionIdentifier, from number: UInt64, where isTrue: (Version) -> Bool
  ) -> UInt64? {
    guard let versions = versions[session] else {
      let only = Version(number: 0, session: base[session], last: base[session])
      return isTrue(only) ? 0 : nil
    }
    let start = versions.lastIndex { $0.number <= number } ?? 0
    return versions[start...].first(where: isTrue)?.number
  }

  /// What a session was when another one was made.
  func session(
    _ session: SessionIdentifier, whenMade other: SessionIdentifier
  ) -> StoredSession? {
    let made = versions[other]?.first { $0.session != nil }?.number ?? 0
    guard let versions = versions[session] else { return base[session] }
    return versions.last { $0.number < made }?.session
  }

  mutating func promise(_ number: UInt64) { promised = max(promised, Int(number)) }

  // MARK: - After the end

  /// How many of the records the recovered state has in it; nil if it is not what any whole number
  /// of hand-overs makes.
  func recoveredCount(_ recovered: StoredState) -> Int? {
    var state = base
    var applied = 0
    var found: Int?
    for boundary in boundaries {
      while applied < boundary {
        // They were all applied once, one after another.
        try? state.apply(records[applied])
        applied += 1
      }
      if state == recovered { found = applied }
    }
    return found
  }
}

extension StoredState {
  fileprivate func session(of record: Record) -> StoredSession? {
    guard case .session(let session) = record.subject else { return nil }
    return self[session]
  }
}
