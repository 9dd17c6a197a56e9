/// What people and programs may call a topic.
package enum TopicName {
  /// Bytes that a name may have: it stands in every event.
  package static let byteLimit = 256

  /// Why no topic can be called so; nil if one can.
  package static func problem(with name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy(\.properties.isWhitespace) {
      return "must not be blank; give the name of a topic"
    }
    if scalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "must not contain a control character"
    }
    guard name.utf8.count <= byteLimit else { return "must have at most \(byteLimit) bytes" }
    return nil
  }
}

/// A topic's newest events. Their numbers follow each other without a gap.
package struct Topic: Equatable, Sendable {
  package private(set) var attributes: TopicAttributes
  /// What was let go is dropped from the front; its memory is given back as others come.
  package private(set) var events: ArraySlice<TopicEvent> = []
  /// What they count for against what a topic may keep.
  package private(set) var byteCount = 0

  package init(_ attributes: TopicAttributes) { self.attributes = attributes }

  /// The number of the newest event that there ever was.
  package var last: Int64 { attributes.after + Int64(events.count) }

  /// Where an observer is who has all that was posted until now.
  package var head: EventPosition { position(last) }

  /// Where an observer is who is to be sent everything that is kept.
  package var beginning: EventPosition { position(attributes.after) }

  package func position(_ number: Int64) -> EventPosition {
    EventPosition(origin: attributes.origin, number: number)
  }

  /// The event of a number, while it is kept.
  package func event(_ number: Int64) -> TopicEvent? {
    guard number > attributes.after, number <= last else { return nil }
    return events[events.startIndex + Int(number - attributes.after - 1)]
  }

  /// Whether everything after a position is kept.
  package func reachesBack(to position: EventPosition) -> Bool {
    position.origin == attributes.origin && attributes.after...last ~= position.number
  }

  /// Adds the next event; what there is no room for beside it goes.
  package mutating func append(_ event: TopicEvent) {
    events.append(event)
    byteCount += event.byteCount
    trim()
  }

  /// How many bytes more are kept once this event is added.
  package func growth(adding event: TopicEvent) -> Int {
    var (count, bytes) = (events.count + 1, byteCount + event.byteCount)
    for old in events where count > attributes.keep || bytes > attributes.keepBytes {
      (count, bytes) = (count - 1, bytes - old.byteCount)
    }
    return bytes - byteCount
  }

  /// Is kept in another way from now on. One of another origin begins anew.
  package mutating func change(to attributes: TopicAttributes) {
    guard attributes.origin == self.attributes.origin, attributes.after <= last else {
      self = Topic(attributes)
      return
    }
    while self.attributes.after < attributes.after { removeFirst() }
    (self.attributes.keep, self.attributes.keepBytes) = (attributes.keep, attributes.keepBytes)
    trim()
  }

  /// The newest event stays, however large it is.
  private mutating func trim() {
    while events.count > attributes.keep || events.count > 1 && byteCount > attributes.keepBytes {
      removeFirst()
    }
  }

  private mutating func removeFirst() {
    byteCount -= events.removeFirst().byteCount
    attributes.after += 1
  }
}

/// What is kept of a topic, and how its positions are to be read.
package struct TopicAttributes: Equatable, Sendable {
  package var name: String
  /// Which broker made it: positions of another origin are not of this topic.
  package var origin: String
  /// The number of the newest event that is not kept any more.
  package var after: Int64
  /// How many events are kept, at least one.
  package var keep: Int
  /// How many bytes they may have together.
  package var keepBytes: Int

  package init(name: String, origin: String, after: Int64, keep: Int, keepBytes: Int) {
    self.name = name
    self.origin = origin
    self.after = after
    self.keep = keep
    self.keepBytes = keepBytes
  }
}

/// One event of a topic.
package struct TopicEvent: Equatable, Sendable {
  package var topic: String
  /// Counts up by one within the topic.
  package var number: Int64
  package var kind: String?
  package var payload: CarriedObject
  /// Milliseconds since 1970.
  package var posted: Int64

  package init(
    topic: String, number: Int64, kind: String? = nil, payload: CarriedObject, posted: Int64
  ) {
    self.topic = topic
    self.number = number
    self.kind = kind
    self.payload = payload
    self.posted = posted
  }

  /// What any event counts for, however little is in it.
  package static let baseByteCount = 200

  package var byteCount: Int {
    Self.baseByteCount + payload.byteCount + (kind?.utf8.count ?? 0)
  }
}

/// That a topic is not kept on the disk any more.
package struct TopicEnd: Equatable, Sendable {
  package var name: String

  package init(name: String) { self.name = name }
}

extension TopicAttributes: JSONStructure {
  package init() { self.init(name: "", origin: "", after: 0, keep: 1, keepBytes: 0) }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &name)
    try visitor.required("origin", &origin)
    try visitor.required("after", &after)
    try visitor.required("keep", &keep)
    try visitor.required("keepBytes", &keepBytes)
  }
}

extension TopicEvent: JSONStructure {
  package init() { self.init(topic: "", number: 0, payload: .empty, posted: 0) }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &topic)
    try visitor.required("number", &number)
    try visitor.optional("kind", &kind)
    try visitor.required("payload", &payload)
    try visitor.required("posted", &posted)
  }
}

extension TopicEnd: JSONStructure {
  package init() { self.init(name: "") }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("topic", &name)
  }
}
