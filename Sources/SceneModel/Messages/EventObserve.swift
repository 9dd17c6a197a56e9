/// Begins to observe a topic; `event/posted` follows for each event. Who observes it already begins
/// anew.
package struct EventObserve: RequestMessage {
  package static var method: StaticString { "event/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var topic = ""
  /// Where the observer left off; else it is sent what is posted from now on.
  package var after: EventPosition?
  /// How many of those that are kept it is to begin with instead.
  package var last: Int?
  /// Ties it to a scene that the asker has: it pauses while that is in the background, and ends
  /// with it.
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

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("after", &after)
    try visitor.optional("last", &last)
    try visitor.optional("session", &session)
  }

  /// Where delivery begins.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var position = EventPosition(origin: "", number: 0)
    /// Whether events after the position that was given may be missing: everything that is kept
    /// follows.
    package var gap = false

    package init() {}

    package init(position: EventPosition, gap: Bool = false) {
      self.position = position
      self.gap = gap
    }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("position", &position)
      try visitor.optional("gap", &gap, otherwise: false)
    }
  }
}

/// Ends an observation; one that there is not has ended.
package struct EventCease: RequestMessage {
  package static var method: StaticString { "event/cease" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var topic = ""
  /// The scene that it is tied to.
  package var session: SessionIdentifier?

  package init() {}

  package init(topic: String, session: SessionIdentifier? = nil) {
    self.topic = topic
    self.session = session
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("session", &session)
  }

  package typealias Reply = Empty
}

/// What `event/posted` carries: an event of a topic that is observed.
package struct EventPosted: JSONStructure, Equatable, Sendable {
  package var topic = ""
  package var kind: String?
  package var payload: CarriedObject = .empty
  /// Where an observer is who has it.
  package var position = EventPosition(origin: "", number: 0)
  /// The scene that the observation is tied to.
  package var session: SessionIdentifier?
  /// Whether events between the last one and this are lost to the observer.
  package var gap = false

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
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
