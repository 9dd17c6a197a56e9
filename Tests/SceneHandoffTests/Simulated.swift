import SceneHandoff
import SceneJSON
import SceneModel

/// A simulated etcd.
struct SimulatedEngine {
  private(set) var values: [String: EngineValue] = [:]
  private(set) var revision: Int64 = 1
  private(set) var log: [EngineChanges.Change] = []
  private var leases: [Int64: (end: Int64, seconds: Int64, keys: Set<String>)] = [:]
  private var lastLease: Int64 = 0
  var isFull = false

  mutating func expire(at time: Int64) -> [EngineChanges.Change] {
    var changes: [EngineChanges.Change] = []
    for (lease, state) in leases.sorted(by: { $0.key < $1.key }) where state.end <= time {
      leases[lease] = nil
      changes += change(state.keys.sorted().map { .delete($0) })
    }
    return changes
  }

  private mutating func change(
    _ changes: [EngineTransaction.Change]
  ) -> [EngineChanges.Change] {
    var done: [EngineChanges.Change] = []
    let next = revision + 1
    for change in changes {
      switch change {
      case .put(let key, let value, let lease):
        for other in leases.keys { leases[other]?.keys.remove(key) }
        if lease != 0 { leases[lease]?.keys.insert(key) }
        let put = EngineValue(key: key, value: value, revision: next)
        values[key] = put
        done.append(.put(put))
      case .delete(let key):
        guard values.removeValue(forKey: key) != nil else { continue }
        done.append(.delete(key, revision: next))
      }
    }
    if !done.isEmpty { revision = next }
    log += done
    return done
  }

  mutating func perform(
    _ request: EngineRequest, at time: Int64
  ) -> (EngineReply, [EngineChanges.Change]) {
    switch request {
    case .transaction(let transaction):
      let holds = transaction.conditions.allSatisfy { (values[$0.key]?.revision ?? 0) == $0.value }
      let isPut = transaction.changes.contains { if case .put = $0 { true } else { false } }
      if isFull, isPut { return (.full, []) }
      // A put with an ended lease fails.
      let lost = transaction.changes.contains {
        if case .put(_, _, let lease) = $0 { lease != 0 && leases[lease] == nil } else { false }
      }
      let done = holds && !lost ? change(transaction.changes) : []
      return (
        .transaction(
          succeeded: holds && !lost, transaction.reads.compactMap { values[$0] },
          revision: revision), done
      )
    case .read(let key, let isPrefix):
      let found = values.values.filter { isPrefix ? $0.key.hasPrefix(key) : $0.key == key }
      return (.values(found.sorted { $0.key < $1.key }, revision: revision), [])
    case .grantLease(let seconds):
      if isFull { return (.full, []) }
      lastLease += 1
      leases[lastLease] = (time + seconds * 1_000_000_000, seconds, [])
      return (.lease(lastLease), [])
    case .renewLease(let lease):
      guard let state = leases[lease] else { return (.leaseExpired, []) }
      leases[lease]?.end = time + state.seconds * 1_000_000_000
      return (.lease(lease), [])
    case .watch: return (.full, [])
    }
  }
}

/// The rules of `session/release` and `session/adopt`, for contents that are lists of saves.
struct SimulatedBroker {
  struct Session {
    var saves: [Int]
    var generation: Int64
    var fence: Int64 = 0
    var awayTo: String?
    var isConfirmed = false
    var files: [Int] = []
    var history: Set<Int>
  }

  var sessions: [SessionIdentifier: Session] = [:]

  /// The data directory has one file with the number of each save.
  func content(_ id: SessionIdentifier, withFiles: Bool = false) -> SessionContent? {
    guard let session = sessions[id] else { return nil }
    var entry = SessionEntry()
    entry.generation = session.generation
    return SessionContent(
      entry, of: id, lastUsed: 0, isEligible: true,
      away: session.awayTo.map {
        SessionAway(to: $0, fence: session.fence, isConfirmed: session.isConfirmed)
      }, fence: session.fence,
      files: withFiles
        ? DirectoryContent(session.files.map { MovedFile(name: "\($0)", content: [1]) }) : nil,
      record: JSONWriter.object { writer in
        writer.name("saves")
        writer.beginArray()
        for save in session.saves { writer.integer(save) }
        writer.endArray()
      })
  }

  static func saves(of content: StoredContent) -> [Int] {
    let document = JSONDocument()
    try? document.read(content.sceneSession.json.bytes.span)
    return document.root["saves"]?.elements.compactMap { $0.integer.map { Int($0) } } ?? []
  }

  mutating func save(_ id: SessionIdentifier, _ saves: [Int]) {
    sessions[id]?.saves = saves
    sessions[id]?.history.formUnion(saves)
    sessions[id]?.files = saves
    sessions[id]?.generation += 1
  }

  mutating func perform(_ request: HostRequest) -> HostReply {
    switch request {
    case .show(let id, let withFiles): return .session(content(id, withFiles: withFiles))
    case .release(let id, let fence, let host):
      guard let session = sessions[id] else { return .refused("no such session") }
      if session.awayTo != nil { return .session(content(id, withFiles: true)) }
      guard fence >= session.fence else { return .refused("stale fence") }
      sessions[id]?.fence = fence
      sessions[id]?.awayTo = host
      return .session(content(id, withFiles: true))
    case .confirm(let id, let fence, let host):
      guard let session = sessions[id], session.fence == fence, session.awayTo == host else {
        return .refused("not released")
      }
      sessions[id]?.isConfirmed = true
      return .session(content(id))
    case .adopt(let id, let content, let directory, let fence, _):
      let saves = Self.saves(of: content)
      let files = directory.map { $0.files?.compactMap { Int($0.name) } ?? [] }
      guard let old = sessions[id] else {
        sessions[id] = Session(
          saves: saves, generation: content.generation, fence: fence, files: files ?? [],
          history: Set(saves))
        return .session(self.content(id))
      }
      guard fence >= old.fence else { return .refused("stale fence") }
      guard old.awayTo != nil else {
        return fence == old.fence
          ? .session(self.content(id)) : .refused("the session is present")
      }
      let isAhead = old.generation >= content.generation && old.saves != saves
      sessions[id] = Session(
        saves: saves, generation: max(old.generation, content.generation) + (isAhead ? 1 : 0),
        fence: fence, files: files ?? old.files, history: old.history.union(saves))
      return .session(self.content(id))
    case .save(let id, let contents):
      guard sessions[id]?.awayTo == nil else { return .refused("away") }
      for content in contents { save(id, Self.saves(of: content)) }
      return .session(content(id))
    case .discard(let id):
      sessions[id] = nil
      return .session(nil)
    }
  }
}
