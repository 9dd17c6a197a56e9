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

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
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

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
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

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.required("durable", &durable)
    try visitor.required("events", &events)
    try visitor.required("bytes", &bytes)
    try visitor.required("position", &position)
    try visitor.required("observers", &observers)
  }
}
