/// Posts an event to all observers of a topic, including the sender. The broker answers when the
/// event is as durable as the topic promises.
package struct EventPost: RequestMessage {
  package static var method: StaticString { "event/post" }
  package static var permission: Permission { .changers }
  package var lastWords: LastWords { .ofAnyScene }

  package var topic = ""
  /// The kind of the event. Observers ignore kinds that they do not know.
  package var kind: String?
  package var payload: OpaqueObject = .empty

  package init() {}

  package init(topic: String, kind: String? = nil, payload: OpaqueObject = .empty) {
    self.topic = topic
    self.kind = kind
    self.payload = payload
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("kind", &kind)
    try visitor.optional("payload", &payload, otherwise: .empty)
  }

  /// The position after this event.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var position = EventPosition(origin: "", number: 0)

    package init() {}

    package init(position: EventPosition) {
      self.position = position
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("position", &position)
    }
  }
}
