import SceneModel

extension Broker {
  func checkTopics(_ flaws: inout Flaws) {
    for (name, topic) in stored.topics {
      check(topic, name, &flaws)
      flaws.unless(topics.transient[name] == nil, "topic \(name) is stored and in memory")
    }
    for (name, topic) in topics.transient { check(topic, name, &flaws) }
    flaws.unless(
      topics.byteCount == topics.transient.values.reduce(0) { $0 + $1.byteCount }
        && stored.eventByteCount == stored.topics.values.reduce(0) { $0 + $1.byteCount },
      "the bytes of all events are not those counted")
    var observed: [ConnectionIdentifier: Set<ObservedTopic>] = [:]
    for name in topics.observed {
      flaws.unless(topic(name) != nil, "\(name) is observed and no topic")
      for observation in topics.observers(of: name) {
        observed[observation.connection, default: []].insert(
          ObservedTopic(name: name, session: observation.session))
        check(observation, of: name, &flaws)
      }
    }
    for (connection, peer) in peers {
      flaws.unless(
        peer.observed == observed[connection] ?? [],
        "\(connection.number) observes other topics than it knows of")
    }
  }

  private func check(_ topic: Topic, _ name: String, _ flaws: inout Flaws) {
    flaws.unless(topic.attributes.name == name, "topic \(name) has the name of another")
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
    flaws.unless(bytes == topic.byteCount, "the bytes of topic \(name) are not those counted")
  }

  private func check(_ observation: Observation, of name: String, _ flaws: inout Flaws) {
    let connection = observation.connection
    flaws.unless(peers[connection] != nil, "who observes \(name) is gone")
    guard let session = observation.session else { return }
    flaws.unless(
      scenes[session]?.holder == connection,
      "\(name) is observed for \(session), which is not held by its observer")
  }
}
