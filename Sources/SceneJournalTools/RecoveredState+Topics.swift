import SceneModel

/// Topics that lost events.
///
/// The numbers of a topic have no gaps, so the events after a lost event get new numbers. The topic
/// gets a new origin. The broker then reports a gap to observers with an old position, and sends
/// all events.
extension RecoveredState {
  /// The record with its new number, if its topic lost events.
  mutating func renumbered(_ record: Record) throws(MemberError) -> Record {
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
      try changeOrigin(of: event.topic, lost: event.number - last - 1)
      event.number = last + 1
      return .event(event)
    default: return record
    }
  }

  private mutating func changeOrigin(of name: String, lost count: Int64) throws(MemberError) {
    guard let topic = state.topics[name] else { return }
    if holes[name] == nil {
      var attributes = topic.attributes
      attributes.origin += Self.salvagedMark
      try state.apply(.topic(attributes))
      for event in topic.events { try state.apply(.event(event)) }
    }
    noteHole(of: count, in: name)
  }

  /// Makes a topic with the defaults of an undeclared topic, for events of a lost topic.
  mutating func recoverTopic(of event: TopicEvent) throws(MemberError) {
    let declaration = TopicDeclaration()
    try state.apply(
      .topic(
        TopicAttributes(
          name: event.topic, origin: "recovered", after: event.number - 1, keep: declaration.keep,
          keepBytes: Limits().topicBytes)))
    noteHole(of: 0, in: event.topic)
  }

  var eventCount: Int { state.topics.values.reduce(0) { $0 + $1.events.count } }

  /// The suffix of an origin whose old positions are invalid.
  private static let salvagedMark = "s"

  /// The topics that lost events.
  var outdatedTopics: [String] { lostTopics.union(holes.keys).sorted() }
}
