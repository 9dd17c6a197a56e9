/// A request: its parameters, its method and its reply.
package protocol RequestMessage: JSONStructure, Equatable, Sendable {
  associatedtype Reply: JSONCodable & Equatable & Sendable
  static var method: StaticString { get }
  static var permission: Permission { get }
  /// Whether a client can send the request again after it lost the connection, because a second
  /// execution does no harm.
  var isIdempotent: Bool { get }
}

/// The clients that can send a request.
package enum Permission: String, Sendable {
  /// All clients.
  case anyone
  /// Scenes, controls and the application delegate, which can change sessions.
  case changers
  /// Only controls: the request acts on the application or the broker.
  case controls
}

/// An empty object: no parameters, or an empty reply.
package struct Empty: CallbackMessage {
  package init() {}
  package mutating func visitMembers<Visitor: MemberVisitor>(_ visitor: inout Visitor) {}
}
