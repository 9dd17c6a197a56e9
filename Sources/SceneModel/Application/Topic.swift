package import SceneJSON

/// The valid names of topics.
package enum TopicName {
  /// The most bytes of a name. Every event has it.
  package static let byteLimit = 256

  /// The problem of a name; nil for a valid name.
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

/// The newest events of a topic. Their numbers have no gap.
package struct Topic: Equatable, Sendable {
  package private(set) var attributes: TopicAttributes
  /// Dropped events leave at the front. Later events release their memory.
  package private(set) var events: ArraySlice<TopicEvent> = []
  /// The size of the events for the limit of the topic.
  package private(set) var byteCount = 0

  package init(_ attributes: TopicAttributes) { self.attributes = attributes }

  /// The number of the newest event, stored or not.
  package var last: Int64 { attributes.after + Int64(events.count) }

  /// The position after all events.
  package var head: EventPosition { position(last) }

  /// The position before all stored events.
  package var beginning: EventPosition { position(attributes.after) }

  package func position(_ number: Int64) -> EventPosition {
    EventPosition(origin: attributes.origin, number: number)
  }

  /// The event with a number, if it is stored.
  package func event(_ number: Int64) -> TopicEvent? {
    guard number > attributes.after, number <= last else { return nil }
    return events[events.startIndex + Int(number - attributes.after - 1)]
  }

  /// Whether all events after a position are stored.
  package func reachesBack(to position: EventPosition) -> Bool {
    position.origin == attributes.origin && attributes.after...last ~= position.number
  }

  /// Adds the next event, and drops the oldest ones without room.
  package mutating func append(_ event: TopicEvent) {
    events.append(event)
    byteCount += event.byteCount
    trim()
  }

  /// The growth in bytes when this event is added.
  package func growth(adding event: TopicEvent) -> Int {
    var (count, bytes) = (events.count + 1, byteCount + event.byteCount)
    for old in events where count > attributes.keep || bytes > attributes.keepBytes {
      (count, bytes) = (count - 1, bytes - old.byteCount)
    }
    return bytes - byteCount
  }

  /// Applies new attributes. Another origin starts the topic again.
  package mutating func change(to attributes: TopicAttributes) {
    guard attributes.origin == self.attributes.origin, attributes.after <= last else {
      self = Topic(attributes)
      return
    }
    while self.attributes.after < attributes.after { removeFirst() }
    (self.attributes.keep, self.attributes.keepBytes) = (attributes.keep, attributes.keepBytes)
    trim()
  }

  /// The newest event always stays.
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

/// The attributes of a topic.
package struct TopicAttributes: Equatable, Sendable {
  package var name: String
  /// Identifies the broker that made the topic. Positions of another origin are invalid.
  package var origin: String
  /// The number of the newest event that was dropped.
  package var after: Int64
  /// The number of stored events, at least one.
  package var keep: Int
  /// The most bytes of the stored events.
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
  package var payload: OpaqueObject
  /// Milliseconds since 1970.
  package var posted: Int64

  package init(
    topic: String, number: Int64, kind: String? = nil, payload: OpaqueObject, posted: Int64
  ) {
    self.topic = topic
    self.number = number
    self.kind = kind
    self.payload = payload
    self.posted = posted
  }

  /// The size of an event without a payload.
  package static let baseByteCount = 200

  package var byteCount: Int {
    Self.baseByteCount + payload.byteCount + (kind?.utf8.count ?? 0)
  }
}

/// The end of a topic on disk.
package struct TopicEnd: Equatable, Sendable {
  package var name: String

  package init(name: String) { self.name = name }
}

extension TopicAttributes: JSONStructure {
  package init() { self.init(name: "", origin: "", after: 0, keep: 1, keepBytes: 0) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("topic", &name)
    try visitor.required("origin", &origin)
    try visitor.required("after", &after)
    try visitor.required("keep", &keep)
    try visitor.required("keepBytes", &keepBytes)
  }
}

extension TopicEvent: JSONStructure {
  package init() { self.init(topic: "", number: 0, payload: .empty, posted: 0) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("topic", &topic)
    try visitor.required("number", &number)
    try visitor.optional("kind", &kind)
    try visitor.required("payload", &payload)
    try visitor.required("posted", &posted)
  }
}

extension TopicEnd: JSONStructure {
  package init() { self.init(name: "") }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("topic", &name)
  }
}

/// The position of an observer in a topic: it has all events up to this number.
///
/// Clients treat the string on the wire as opaque.
package struct EventPosition: Hashable, Sendable {
  /// Identifies the broker that numbered the events.
  package var origin: String
  package var number: Int64

  package init(origin: String, number: Int64) {
    self.origin = origin
    self.number = number
  }

  /// Nil if no broker can have made the text.
  package init?(_ text: String) {
    guard let dash = text.lastIndex(of: "-"), text.utf8.count <= Self.byteLimit else { return nil }
    let digits = text[text.index(after: dash)...]
    guard let number = Int64(digits), number >= 0, "\(number)" == digits else { return nil }
    self.init(origin: String(text[..<dash]), number: number)
  }

  /// Longer than any position.
  private static let byteLimit = 100
}

extension EventPosition: CustomStringConvertible {
  package var description: String { "\(origin)-\(number)" }
}

extension EventPosition: JSONCodable {
  package static var expectation: String { "a position" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let position = Self(try String(reading: value)) else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = position
  }

  package func write(to writer: inout JSONWriter) { writer.string(description) }
}
