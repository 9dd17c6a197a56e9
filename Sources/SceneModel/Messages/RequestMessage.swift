/// A request: its parameters, what it is called on the wire, and what answers it.
package protocol RequestMessage: JSONStructure, Equatable, Sendable {
  associatedtype Reply: JSONCodable & Equatable & Sendable
  static var method: StaticString { get }
  static var permission: Permission { get }
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
