package import JSON

/// A request: its parameters, what it is called on the wire, and what answers it.
package protocol RequestMessage: JSONStructure, Equatable, Sendable {
  associatedtype Reply: JSONCodable & Equatable & Sendable
  static var method: StaticString { get }
}

/// Nothing: the parameters of a request that has none, and the reply that only says "done".
package struct Empty: JSONStructure, Equatable, Sendable {
  package init() {}
  package mutating func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) {}
}
