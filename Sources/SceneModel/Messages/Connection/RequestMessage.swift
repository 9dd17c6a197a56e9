package import SceneJSON

/// A request: its parameters, its method and its reply.
package protocol RequestMessage: JSONStructure, Equatable, Sendable {
  associatedtype Reply: ReplyContent = Empty
  static var method: StaticString { get }
  static var permission: Permission { get }
  /// Whether a client can send the request again after it lost the connection, because a second
  /// execution does no harm.
  var isIdempotent: Bool { get }
  /// Whether the broker records the process of the client, or compares it with other processes.
  var concernsProcess: Bool { get }
  /// The scene whose state the request saves or whose time it extends. A client that stops still
  /// sends the request.
  var lastWords: LastWords { get }
  /// Reads the parameters. Absent parameters are the same as an empty object.
  static func read(_ params: JSONValue?) throws(MemberError) -> Self
}

/// The result of a request.
package typealias ReplyContent = JSONCodable & Equatable & Sendable

extension RequestMessage {
  package var isIdempotent: Bool { false }
  package var concernsProcess: Bool { false }
  package var lastWords: LastWords { .none }

  package static func read(_ params: JSONValue?) throws(MemberError) -> Self {
    if let params { return try Self(reading: params) }
    var message = Self()
    var absent = EmptyObjectReader()
    try message.visitMembers(&absent)
    return message
  }

  package static func readReply(_ result: JSONValue) throws(MemberError) -> BrokerReply {
    BrokerReply(try Reply(reading: result))
  }

  /// Whether both are requests of the same method with the same parameters.
  package func equals(_ other: any RequestMessage) -> Bool { other as? Self == self }
}

package protocol ParameterlessRequest: RequestMessage {}

extension ParameterlessRequest {
  package mutating func visitMembers<Visitor: MemberVisitor>(_ visitor: inout Visitor) {}
}

/// Whether a client that stops still sends a request: the last callbacks of a scene save its state
/// and extend their time.
package enum LastWords: Sendable {
  case none
  /// While the client has a scene of the session.
  case of(SessionIdentifier)
  /// While the client has any scene.
  case ofAnyScene
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

/// The result of a request of any type.
package struct BrokerReply: Equatable, Sendable {
  package let content: any ReplyContent

  package init(_ content: any ReplyContent) { self.content = content }

  package static let empty = BrokerReply(Empty())

  package static func == (one: Self, other: Self) -> Bool {
    func equals<Content: ReplyContent>(_ content: Content) -> Bool {
      other.content as? Content == content
    }
    return equals(one.content)
  }
}

/// An empty object: no parameters, or an empty reply.
package struct Empty: CallbackMessage {
  package init() {}
  package mutating func visitMembers<Visitor: MemberVisitor>(_ visitor: inout Visitor) {}
}

extension JSONCodable where Self == Empty {
  package static var empty: Self { Empty() }
}
