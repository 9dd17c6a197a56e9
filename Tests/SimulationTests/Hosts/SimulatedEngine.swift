import SceneHandoff
import SceneModel

/// A simulated etcd.
struct SimulatedEngine {
  private(set) var values: [String: EngineValue] = [:]
  private(set) var revision: Int64 = 1
  private(set) var log: [EngineChange] = []
  private var leases: [Int64: (end: Int64, seconds: Int64, keys: Set<String>)] = [:]
  private var lastLease: Int64 = 0
  var isFull = false

  mutating func expire(at time: Int64) -> [EngineChange] {
    var changes: [EngineChange] = []
    for (lease, state) in leases.sorted(by: { $0.key < $1.key }) where state.end <= time {
      leases[lease] = nil
      changes += change(state.keys.sorted().map { .delete($0) })
    }
    return changes
  }

  private mutating func change(
    _ changes: [EngineTransaction.Change]
  ) -> [EngineChange] {
    var done: [EngineChange] = []
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
  ) -> (EngineReply, [EngineChange]) {
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
    case .read(let prefix):
      let found = values.values.filter { $0.key.hasPrefix(prefix) }
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
