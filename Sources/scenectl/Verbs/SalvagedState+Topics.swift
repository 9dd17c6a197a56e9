import SceneModel

/// Events of which some before them are lost.
///
/// Numbers follow each other in a topic, so those behind a hole move up. Positions of before do not
/// count any more then: whoever shows one is told of a gap, and is sent what is left.
extension SalvagedState {
  /// The record as it has to be behind what was lost of its topic.
  mutating func movedUp(_ record: Record) throws(RecordError) -> Record {
    switch record {
    case .topic(var attributes):
      guard let count = holes[attributes.name] else { return record }
      attributes.after = max(0, attributes.after - count)
      attributes.origin += Self.salvagedMark
      return .topic(attributes)
    case .event(var event):
      event.number -= holes[event.topic] ?? 0
      guard let last = state.topics[event.topic]?.last, event.number > last + 1 else {
        return .event(event)
      }
      try open(event.topic, behind: event.number - last - 1)
      event.number = last + 1
      return .event(event)
    case .session, .activity, .held, .discard, .topicEnd, .discardReported, .delegateKnown:
      return record
    }
  }

  private mutating func open(_ name: String, behind count: Int64) throws(RecordError) {
    guard let topic = state.topics[name] else { return }
    if holes[name] == nil {
      var attributes = topic.attributes
      attributes.origin += Self.salvagedMark
      try state.apply(.topic(attributes))
      for event in topic.events { try state.apply(.event(event)) }
    }
    noteHole(of: count, in: name)
  }

  /// A topic such as one that is not declared, for events of which only they are left.
  mutating func recoverTopic(of event: TopicEvent) throws(RecordError) {
    let declaration = TopicDeclaration()
    try state.apply(
      .topic(
        TopicAttributes(
          name: event.topic, origin: "recovered", after: event.number - 1, keep: declaration.keep,
          keepBytes: Limits().topicBytes)))
    noteHole(of: 0, in: event.topic)
  }

  var eventCount: Int { state.topics.values.reduce(0) { $0 + $1.events.count } }

  /// What an origin has at its end when positions of before do not count.
  private static let salvagedMark = "s"

  /// The topics of which events were lost, as far as can be told.
  var outdatedTopics: [String] { holes.keys.union(lostTopics).sorted() }
}

extension Dictionary.Keys where Element == String {
  fileprivate func union(_ others: Set<String>) -> Set<String> { others.union(self) }
}
