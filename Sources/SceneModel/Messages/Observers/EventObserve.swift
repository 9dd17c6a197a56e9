/// Observes a topic: `event/posted` follows for each event. A second request restarts the
/// observation.
package struct EventObserve: RequestMessage {
  package static var method: StaticString { "event/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var topic = ""
  /// The position of the last event that the observer has; nil for only new events.
  package var after: EventPosition?
  /// Begins with this many stored events instead.
  package var last: Int?
  /// The client's scene to which the observation belongs. The observation pauses while the scene is
  /// in the background, and ends with it.
  package var session: SessionIdentifier?

  package init() {}

  package init(
    topic: String, after: EventPosition? = nil, last: Int? = nil,
    session: SessionIdentifier? = nil
  ) {
    self.topic = topic
    self.after = after
    self.last = last
    self.session = session
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("after", &after)
    try visitor.optional("last", &last)
    try visitor.optional("session", &session)
  }

  /// The position at which delivery begins.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var position = EventPosition(origin: "", number: 0)
    /// Whether events after the given position may be lost. All stored events follow.
    package var gap = false

    package init() {}

    package init(position: EventPosition, gap: Bool = false) {
      self.position = position
      self.gap = gap
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("position", &position)
      try visitor.optional("gap", &gap, otherwise: false)
    }
  }
}

/// Ends an observation. Without an observation it does nothing.
package struct EventCease: RequestMessage {
  package static var method: StaticString { "event/cease" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var topic = ""
  /// The scene to which the observation belongs.
  package var session: SessionIdentifier?

  package init() {}

  package init(topic: String, session: SessionIdentifier? = nil) {
    self.topic = topic
    self.session = session
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("session", &session)
  }
}

/// The parameters of `event/posted`: one event.
package struct EventPosted: JSONStructure, Equatable, Sendable {
  package var topic = ""
  package var kind: String?
  package var payload: OpaqueObject = .empty
  /// The position after this event.
  package var position = EventPosition(origin: "", number: 0)
  /// The scene to which the observation belongs.
  package var session: SessionIdentifier?
  /// Whether the observer lost events before this one.
  package var gap = false

  package init() {}

  package init(_ event: TopicEvent, at position: EventPosition) {
    topic = event.topic
    kind = event.kind
    payload = event.payload
    self.position = position
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("kind", &kind)
    try visitor.required("payload", &payload)
    try visitor.required("position", &position)
    try visitor.optional("session", &session)
    try visitor.optional("gap", &gap, otherwise: false)
  }
}
