import SceneJSON

/// A reply of etcd's JSON gateway.
package struct EtcdReply {
  private let document: JSONDocument

  private var root: JSONValue { document.root }

  /// Checks the status, and reads the body.
  package init(status: Int, body: ContiguousArray<UInt8>) throws(EngineError) {
    document = JSONDocument()
    do throws(JSONError) {
      try document.read(body.span)
    } catch {
      throw .notEtcd(status == 200 ? "invalid JSON: \(error)" : "HTTP status \(status)")
    }
    if let error = root["error"] { throw Self.error(error.string == nil ? error : root) }
    guard status == 200 else { throw .notEtcd("HTTP status \(status)") }
    guard root.kind == .object else { throw .notEtcd("the reply is not an object") }
  }

  private static func error(_ object: JSONValue) -> EngineError {
    let message = (object["message"] ?? object["error"])?.string ?? "unknown error"
    if message.contains("database space exceeded") { return .full }
    if message.contains("compacted") { return .compacted }
    if message.contains("invalid auth token") || message.contains("user name is empty") {
      return .notAuthenticated
    }
    // The codes of gRPC: an invalid argument, a missing permission, a precondition.
    return switch object["code"]?.integer ?? object["grpc_code"]?.integer {
    case 3, 7, 9: .denied(message)
    case 5: .notEtcd(message)
    default: .unavailable("etcd: \(message)")
    }
  }

  /// The reply to a request other than a watch.
  package func reply(to request: EngineRequest) throws(EngineError) -> EngineReply {
    switch request {
    case .transaction:
      var values: [EngineValue] = []
      for response in Self.elements(root["responses"]) {
        guard let range = response["response_range"] else { continue }
        values += try Self.values(of: range)
      }
      return .transaction(
        succeeded: root["succeeded"]?.bool == true, values, revision: try revision(of: root))
    case .read:
      return .values(try Self.values(of: root), revision: try revision(of: root))
    case .grantLease:
      return .lease(try Self.number(root, "ID"))
    case .renewLease:
      guard let result = root["result"] else { throw Self.missing("result") }
      guard result["TTL"] != nil else { return .leaseExpired }
      return .lease(try Self.number(result, "ID"))
    case .watch:
      throw .notEtcd("a watch has ended")
    }
  }

  /// A line of a watch; nil for its beginning.
  package func changes() throws(EngineError) -> [EngineChange]? {
    guard let result = root["result"] else { throw Self.missing("result") }
    if result["compact_revision"] != nil { throw .compacted }
    if result["canceled"]?.bool == true {
      throw .unavailable(result["cancel_reason"]?.string ?? "etcd has ended the watch")
    }
    if result["created"]?.bool == true { return nil }
    var changes: [EngineChange] = []
    for event in Self.elements(result["events"]) {
      guard let pair = event["kv"] else { throw Self.missing("kv") }
      let value = try Self.value(pair)
      changes.append(
        event["type"]?.equals("DELETE") == true
          ? .delete(value.key, revision: value.revision) : .put(value))
    }
    return changes
  }

  /// The token of an authentication.
  package func token() throws(EngineError) -> String {
    guard let token = root["token"]?.string else { throw Self.missing("token") }
    return token
  }

  /// The size of the database in bytes. Throws if the version is before 3.4, or without a leader.
  package func databaseSize() throws(EngineError) -> Int64 {
    guard let version = root["version"]?.string else { throw Self.missing("version") }
    let parts = version.split(separator: ".").prefix(2).compactMap { Int($0) }
    guard parts.count == 2, (parts[0], parts[1]) >= (3, 4) else {
      throw .notEtcd("etcd has the version \(version.prefix(40)); 3.4 or later is required")
    }
    guard root["leader"] != nil else { throw .unavailable("etcd has no leader") }
    return try Self.number(root, "dbSize")
  }

  /// The elements of an array, which etcd omits if it is empty.
  private static func elements(_ array: JSONValue?) -> [JSONValue] {
    array.map { Array($0.elements) } ?? []
  }

  private func revision(of object: JSONValue) throws(EngineError) -> Int64 {
    guard let header = object["header"] else { throw Self.missing("header") }
    return try Self.number(header, "revision")
  }

  private static func missing(_ member: StaticString) -> EngineError {
    .notEtcd("the member \(member) is missing or invalid")
  }

  /// A number, which etcd writes as a string.
  private static func number(_ object: JSONValue, _ name: StaticString) throws(EngineError) -> Int64
  {
    guard let member = object[name],
      let number = member.string.flatMap({ Int64($0) }) ?? member.integer
    else { throw missing(name) }
    return number
  }

  private static func values(of range: JSONValue) throws(EngineError) -> [EngineValue] {
    var values: [EngineValue] = []
    for pair in elements(range["kvs"]) { values.append(try value(pair)) }
    return values
  }

  private static func value(_ pair: JSONValue) throws(EngineError) -> EngineValue {
    guard let key = try bytes(pair, "key") else { throw missing("key") }
    return EngineValue(
      key: String(decoding: key, as: UTF8.self), value: try bytes(pair, "value") ?? [],
      revision: try number(pair, "mod_revision"))
  }

  /// The bytes of a member; nil if etcd omits it because it is empty.
  private static func bytes(
    _ object: JSONValue, _ name: StaticString
  ) throws(EngineError) -> ContiguousArray<UInt8>? {
    guard let member = object[name] else { return nil }
    let decoded = member.withUTF8 { text in
      Base64.decode(text.withUnsafeBufferPointer { ContiguousArray($0) })
    }
    guard let bytes = decoded ?? nil else { throw missing(name) }
    return bytes
  }
}
