package import SceneJSON
import SceneModel

/// A message of etcd's JSON gateway: its path and its body.
package struct EtcdMessage: Equatable, Sendable {
  package var path: String
  package var body: RawJSON

  package init(_ request: EngineRequest) {
    switch request {
    case .transaction(let transaction):
      self.init("/v3/kv/txn") { $0.write(transaction) }
    case .read(let prefix):
      self.init("/v3/kv/range") { $0.range(prefix, isPrefix: true) }
    case .grantLease(let seconds):
      self.init("/v3/lease/grant") { $0.member("TTL", seconds) }
    case .renewLease(let lease):
      self.init("/v3/lease/keepalive") { $0.member("ID", "\(lease)") }
    case .watch(let prefix, let revision):
      self.init("/v3/watch") { writer in
        writer.object("create_request") {
          $0.range(prefix, isPrefix: true)
          $0.member("start_revision", "\(revision + 1)")
        }
      }
    }
  }

  private init(_ path: String, _ members: (inout JSONWriter) -> Void) {
    self.path = path
    body = JSONWriter.object(members)
  }

  package static let status = EtcdMessage("/v3/maintenance/status") { _ in }

  package static func authentication(user: String, password: String) -> EtcdMessage {
    EtcdMessage("/v3/auth/authenticate") {
      $0.member("name", user)
      $0.member("password", password)
    }
  }

  /// The request in HTTP/1.1.
  package func http(host: String, token: String?) -> ContiguousArray<UInt8> {
    var head = "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
    head += "Content-Length: \(body.bytes.count)\r\n"
    if let token { head += "Authorization: \(token)\r\n" }
    // Without a leader, the member ends the watch.
    if path == "/v3/watch" { head += "Grpc-Metadata-hasleader: true\r\n" }
    return ContiguousArray((head + "\r\n").utf8) + body.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func base64(_ name: String, _ bytes: some Collection<UInt8>) {
    self.name(name)
    string(utf8: Base64.encode(bytes).span)
  }

  fileprivate mutating func range(_ key: String, isPrefix: Bool = false) {
    base64("key", key.utf8)
    guard isPrefix else { return }
    // The first key behind all keys with the prefix, which ends with an ASCII character.
    var end = ContiguousArray(key.utf8)
    end[end.count - 1] += 1
    base64("range_end", end)
  }

  fileprivate mutating func write(_ transaction: EngineTransaction) {
    array("compare", transaction.conditions.sorted { $0.key < $1.key }) { writer, condition in
      writer.object {
        $0.member("target", "MOD")
        $0.member("result", "EQUAL")
        $0.base64("key", condition.key.utf8)
        $0.member("mod_revision", "\(condition.value)")
      }
    }
    for branch in ["success", "failure"] {
      name(branch)
      beginArray()
      for change in transaction.changes where branch == "success" {
        switch change {
        case .put(let key, let value, let lease):
          operation("requestPut") {
            $0.base64("key", key.utf8)
            $0.base64("value", value)
            if lease != 0 { $0.member("lease", "\(lease)") }
          }
        case .delete(let key):
          operation("requestDeleteRange") { $0.base64("key", key.utf8) }
        }
      }
      for key in transaction.reads { operation("requestRange") { $0.range(key) } }
      endArray()
    }
  }

  private mutating func operation(_ name: String, _ members: (inout JSONWriter) -> Void) {
    object { writer in
      writer.name(name)
      writer.object(members)
    }
  }
}
