import SceneModel

extension Broker {
  func checkTopics(_ flaws: inout Flaws) {
    for name in store.state.topics.keys {
      flaws.unless(topics.transient[name] == nil, "topic \(name) is stored and in memory")
    }
    flaws.found += topics.flaws
    for name in topics.names {
      flaws.unless(topic(name) != nil, "\(name) is observed, but is no topic")
      for observation in topics.observers(of: name) { check(observation, of: name, &flaws) }
    }
  }

  private func check(_ observation: Observation, of name: String, _ flaws: inout Flaws) {
    let connection = observation.connection
    flaws.unless(clients.isConnected(connection), "an observer of \(name) has no connection")
    guard let session = observation.session else { return }
    flaws.unless(
      scenes.holder(of: session) == connection,
      "\(name) is observed for \(session), which is not held by its observer")
  }
}
