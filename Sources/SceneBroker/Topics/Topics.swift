import SceneModel

/// Topics: the broker stores a posted event, and then sends it to every observer.
extension Broker {
  mutating func post(_ message: EventPost, _ requester: Requester) throws(BrokerError) {
    try check(topic: message.topic)
    try limits.check(text: message.kind, "kind")
    guard message.payload.byteCount <= limits.eventBytes else {
      throw BrokerError.tooLarge("payload", limit: limits.eventBytes)
    }
    let event = try keep(message)
    let position = topic(event.topic)?.head
    trace(.posted, client: requester.connection) {
      ($0.topic, $0.kind, $0.position) = (event.topic, event.kind, position)
    }
    if let position {
      reply(requester, EventPost.Reply(position: position), aboutTopic: event.topic)
    }
    // A stored event is delivered when the disk has it.
    if store.state.topics[event.topic] == nil { deliver(event) }
  }

  private mutating func keep(_ message: EventPost) throws(BrokerError) -> TopicEvent {
    let isDurable = declaration(of: message.topic).isDurable
    if isDurable, let error = store.admission(of: .growing) { throw error }
    try begin(message.topic)
    let event = TopicEvent(
      topic: message.topic, number: (topic(message.topic)?.last ?? 0) + 1, kind: message.kind,
      payload: message.payload, posted: now.wall)
    try makeRoom(for: topic(message.topic)?.growth(adding: event) ?? 0) {
      (broker, growth) throws(BrokerError) in
      try broker.store.checkTotalSpace(for: growth, transient: broker.topics.byteCount)
    }
    guard isDurable else {
      topics.append(event)
      return event
    }
    record(.event(event))
    topics.add(event, record: recordCount)
    return event
  }

  // MARK: - Observing

  mutating func observe(_ message: EventObserve, _ requester: Requester) throws(BrokerError) {
    try check(message, requester)
    try begin(message.topic)
    guard let topic = topic(message.topic) else { return }
    let start = start(of: message, in: topic)
    let isLost = message.after.map { $0 != start } ?? false
    topics.observe(message.topic, requester.connection, message.session, from: start)
    trace(.observed, message.session, client: requester.connection) {
      ($0.topic, $0.position) = (message.topic, start)
      if isLost { $0.reason = "gap" }
    }
    reply(
      requester, EventObserve.Reply(position: start, gap: isLost),
      aboutTopic: message.topic)
    catchUp(message.topic, only: requester.connection)
  }

  private func check(_ message: EventObserve, _ requester: Requester) throws(BrokerError) {
    try check(topic: message.topic)
    guard message.after == nil || message.last == nil else {
      throw BrokerError(.invalidParams, "after, last: give at most one")
    }
    guard message.last ?? 0 >= 0 else {
      throw BrokerError(.invalidParams, "last: expected a number of events, 0 or more")
    }
    if let session = message.session {
      guard store.isListed(session) else { throw absence(of: session) }
      guard scenes[session]?.holder == requester.connection else {
        throw BrokerError(
          .sessionNotHeld,
          "\(label(of: session)) is not held by this client; name a session that it holds")
      }
    }
    let connection = requester.connection
    guard
      topics.isObserved(message.topic, by: connection, message.session)
        || topics.observationCount(of: connection) < limits.observations
    else {
      throw BrokerError(
        .tooMany,
        "one connection observes at most \(limits.observations) topics; stop observing one")
    }
  }

  /// Where delivery begins: where the observer left off, if everything since then is kept.
  private func start(of message: EventObserve, in topic: Topic) -> EventPosition {
    if let after = message.after {
      return topic.reachesBack(to: after) ? after : topic.beginning
    }
    let count = min(Int64(message.last ?? 0), topic.last - topic.attributes.after)
    return topic.position(topic.last - count)
  }

  mutating func cease(_ message: EventCease, _ requester: Requester) throws(BrokerError) {
    if let problem = TopicName.problem(with: message.topic) {
      throw BrokerError(.invalidParams, "topic: \(problem)")
    }
    if topics.cease(message.topic, requester.connection, message.session) {
      trace(.ceased, message.session, client: requester.connection) { $0.topic = message.topic }
    }
    reply(requester, .empty, about: nil)
  }

  // MARK: - Topics

  func topic(_ name: String) -> Topic? { store.state.topics[name] ?? topics.transient[name] }

  /// Topics on one page of a list.
  private static let pageTopics = 100

  mutating func listTopics(_ message: TopicList, _ requester: Requester) throws(BrokerError) {
    let limit = message.limit ?? Self.pageTopics
    guard (1...Self.pageTopics).contains(limit) else {
      throw BrokerError(.invalidParams, "limit: expected a number from 1 to \(Self.pageTopics)")
    }
    let names = Set(store.state.topics.keys).union(topics.transient.keys).sorted()
    let rest = names.drop { name in message.after.map { name <= $0 } ?? false }
    let page = rest.prefix(limit)
    let summaries = page.compactMap { name in
      topic(name).map {
        TopicSummary(
          $0, isDurable: store.state.topics[name] != nil,
          observers: topics.observers(of: name).count)
      }
    }
    let next = page.count < rest.count ? page.last : nil
    replyAboutAll(requester, TopicList.Reply(topics: summaries, next: next))
  }

  private func check(topic: String) throws(BrokerError) {
    if let problem = TopicName.problem(with: topic) {
      throw BrokerError(.invalidParams, "topic: \(problem)")
    }
  }

  /// A stored topic stays stored until a manifest declares it otherwise. A topic that a manifest
  /// omits by mistake loses no events.
  private func declaration(of name: String) -> TopicDeclaration {
    if let declaration = manifest.topics[name] { return declaration }
    if let stored = store.state.topics[name] {
      return TopicDeclaration(isDurable: true, keep: stored.attributes.keep)
    }
    return TopicDeclaration()
  }

  /// Declares every topic as the manifest says. A topic without space is declared at the next post.
  mutating func declareTopics() {
    let names = Set(manifest.topics.keys).union(store.state.topics.keys).union(
      topics.transient.keys)
    for name in names.sorted() {
      let isKnown = topic(name) != nil
      guard isKnown || declaration(of: name).isDurable else { continue }
      guard store.admission(of: .growing) == nil else { continue }
      do throws(BrokerError) { try begin(name) } catch { continue }
    }
  }

  /// Has a topic kept as it is declared, whether it is there already or not.
  private mutating func begin(_ name: String) throws(BrokerError) {
    let declaration = declaration(of: name)
    var attributes =
      topic(name)?.attributes
      ?? TopicAttributes(
        name: name, origin: identity.instance, after: topics.highWatermark, keep: 1, keepBytes: 0)
    (attributes.keep, attributes.keepBytes) = (declaration.keep, limits.topicBytes)
    switch (store.state.topics[name], declaration.isDurable) {
    case (let topic?, true):
      if attributes != topic.attributes { record(.topic(attributes)) }
    case (nil, true):
      guard store.admission(of: .growing) == nil else { return try beginInMemory(attributes) }
      // Positions stay valid. Events that were only in memory do not go to the disk.
      attributes.after = topics.transient[name]?.last ?? attributes.after
      topics.release(name)
      record(.topic(attributes))
    case (var topic?, false):
      topic.change(to: attributes)
      record(.topicEnd(TopicEnd(name: name)))
      topics.keep(topic)
    case (nil, false): try beginInMemory(attributes)
    }
  }

  private mutating func beginInMemory(_ attributes: TopicAttributes) throws(BrokerError) {
    guard topics.transient[attributes.name] == nil else { return topics.change(attributes) }
    if store.state.topics.count + topics.transient.count >= limits.topics {
      guard let other = topics.leastRecentlyUsed else {
        throw BrokerError(
          .tooMany, "there are already \(limits.topics) topics, each stored or observed")
      }
      topics.release(other)
    }
    var attributes = attributes
    attributes.after = max(attributes.after, topics.highWatermark)
    topics.keep(Topic(attributes))
  }
}
