/// Starts notifications of all changes of sessions.
package struct SessionObserve: ParameterlessRequest {
  package static var method: StaticString { "session/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}
}

/// Sends the stored trace, then each new entry.
package struct TraceObserve: RequestMessage {
  package static var method: StaticString { "trace/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// The number of the last entry that the client has.
  package var after: Int64?
  /// Whether each observer of an event has an entry of its own from now on.
  package var deliveries = false

  package init() {}

  package init(after: Int64? = nil, deliveries: Bool = false) {
    self.after = after
    self.deliveries = deliveries
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("after", &after)
    try visitor.optional("deliveries", &deliveries, otherwise: false)
  }
}

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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("topic", &topic)
    try visitor.optional("kind", &kind)
    try visitor.required("payload", &payload)
    try visitor.required("position", &position)
    try visitor.optional("session", &session)
    try visitor.optional("gap", &gap, otherwise: false)
  }
}

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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("position", &position)
    }
  }
}

/// Lists topics in the order of their names, in pages.
package struct TopicList: RequestMessage {
  package static var method: StaticString { "event/topics" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// The last name of the previous page.
  package var after: String?
  /// Topics on a page, at most 100, so that the longest names fit a frame.
  package var limit: Int?

  package init() {}

  package init(after: String? = nil, limit: Int? = nil) {
    self.after = after
    self.limit = limit
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("after", &after)
    try visitor.optional("limit", &limit)
  }

  /// One page.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var topics: [TopicSummary] = []
    /// The `after` of the next page; absent on the last page.
    package var next: String?

    package init() {}

    package init(topics: [TopicSummary], next: String? = nil) {
      self.topics = topics
      self.next = next
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("topics", &topics)
      try visitor.optional("next", &next)
    }
  }
}

/// A topic in a list.
package struct TopicSummary: JSONStructure, Equatable, Sendable {
  package var topic = ""
  /// Whether the events are on disk.
  package var durable = false
  /// The events that the broker keeps.
  package var events = 0
  /// The bytes of these events, with their overhead.
  package var bytes = 0
  /// The position of the newest event.
  package var position = EventPosition(origin: "", number: 0)
  package var observers = 0

  package init() {}

  package init(_ topic: Topic, isDurable: Bool, observers: Int) {
    self.topic = topic.attributes.name
    durable = isDurable
    events = topic.events.count
    bytes = topic.byteCount
    position = topic.head
    self.observers = observers
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("topic", &topic)
    try visitor.required("durable", &durable)
    try visitor.required("events", &events)
    try visitor.required("bytes", &bytes)
    try visitor.required("position", &position)
    try visitor.required("observers", &observers)
  }
}
