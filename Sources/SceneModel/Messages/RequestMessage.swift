/// A request: its parameters, its method and its reply.
package protocol RequestMessage: JSONStructure, Equatable, Sendable {
  associatedtype Reply: JSONCodable & Equatable & Sendable
  static var method: StaticString { get }
  static var permission: Permission { get }
  /// Whether a client can send the request again after it lost the connection, because a second
  /// execution does no harm.
  var isIdempotent: Bool { get }
}

/// Who may send a request.
package enum Permission: String, Sendable {
  /// Whoever may connect.
  case anyone
  /// Scenes and controls: whoever may change sessions.
  case changers
  /// Controls alone: it acts on the application or the broker.
  case controls
}

/// Nothing: the parameters of a request that has none, and the reply that only says "done".
package struct Empty: JSONStructure, Equatable, Sendable {
  package init() {}
  package mutating func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) {}
}
