import SceneModel

extension Broker {
  func checkTopics(_ flaws: inout Flaws) {
    for (name, topic) in stored.topics {
      check(topic, name, &flaws)
      flaws.unless(topics.transient[name] == nil, "topic \(name) is stored and in memory")
    }
    for (name, topic) in topics.transient { check(topic, name, &flaws) }
    flaws.unless(
      stored.eventByteCount == stored.topics.values.reduce(0) { $0 + $1.byteCount },
      "the byte count of the stored events is wrong")
    flaws.found += topics.flaws
    for name in topics.names {
      flaws.unless(topic(name) != nil, "\(name) is observed, but is no topic")
      for observation in topics.observers(of: name) { check(observation, of: name, &flaws) }
    }
  }

  private func check(_ topic: Topic, _ name: String, _ flaws: inout Flaws) {
    flaws.unless(topic.attributes.name == name, "topic \(name) has another name")
    flaws.unless(
      topic.events.count <= topic.attributes.keep, "topic \(name) keeps more than it may")
    var number = topic.attributes.after
    var bytes = 0
    for event in topic.events {
      number += 1
      bytes += event.byteCount
      flaws.unless(
        event.number == number && event.topic == name,
        "event \(event.number) of topic \(event.topic) is number \(number) of \(name)")
    }
    flaws.unless(bytes == topic.byteCount, "the byte count of topic \(name) is wrong")
  }

  private func check(_ observation: Observation, of name: String, _ flaws: inout Flaws) {
    let connection = observation.connection
    flaws.unless(peers[connection] != nil, "an observer of \(name) has no connection")
    guard let session = observation.session else { return }
    flaws.unless(
      scenes[session]?.holder == connection,
      "\(name) is observed for \(session), which is not held by its observer")
  }
}
