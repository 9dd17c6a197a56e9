/// The five operations that handoff needs of an engine.
package enum EngineRequest: Equatable, Sendable {
  case transaction(EngineTransaction)
  /// All keys with a prefix.
  case read(prefix: String)
  case grantLease(seconds: Int64)
  case renewLease(Int64)
  /// All changes of keys with a prefix, after a revision. The connection has one watch.
  case watch(prefix: String, after: Int64)
}

/// Changes that happen together if all conditions hold, and then reads.
package struct EngineTransaction: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    case put(String, ContiguousArray<UInt8>, lease: Int64 = 0)
    case delete(String)
  }

  /// The revision of the last change of each key; 0 for an absent key.
  package var conditions: [String: Int64]
  package var changes: [Change]
  /// The reads happen in both cases.
  package var reads: [String]

  package init(if conditions: [String: Int64], _ changes: [Change], reads: [String] = []) {
    self.conditions = conditions
    self.changes = changes
    self.reads = reads
  }
}

/// A key with its value.
package struct EngineValue: Equatable, Sendable {
  package var key: String
  package var value: ContiguousArray<UInt8>
  /// The revision of the last change.
  package var revision: Int64

  package init(key: String, value: ContiguousArray<UInt8>, revision: Int64) {
    self.key = key
    self.value = value
    self.revision = revision
  }
}

package enum EngineReply: Equatable, Sendable {
  /// `revision` is the engine's newest revision.
  case transaction(succeeded: Bool, [EngineValue], revision: Int64)
  case values([EngineValue], revision: Int64)
  case lease(Int64)
  case leaseExpired
  /// The database has reached its quota.
  case full
}

/// A change of a watched key.
package enum EngineChange: Equatable, Sendable {
  case put(EngineValue)
  case delete(String, revision: Int64)
}

/// Why a connection to the engine cannot be used.
package enum EngineError: Error, Equatable, Sendable {
  /// The database has reached its quota. The connection stays usable.
  case full
  /// The token is missing, invalid or expired.
  case notAuthenticated
  /// The user or the password is wrong, or the user lacks a permission.
  case denied(String)
  /// The changes after the revision are not stored any more.
  case compacted
  /// The other side is not etcd, or is too old.
  case notEtcd(String)
  /// The member cannot answer now.
  case unavailable(String)
}

extension EngineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .full:
      "the database of etcd is full (database space exceeded); compact and defragment it, and run: "
        + "etcdctl alarm disarm"
    case .notAuthenticated: "etcd requires a user; use --credentials FILE"
    case .denied(let why): "etcd denied the request: \(why); check --credentials"
    case .compacted: "etcd has removed old changes"
    case .notEtcd(let why): "the reply is not from etcd: \(why); check --engine"
    case .unavailable(let why): why
    }
  }
}
