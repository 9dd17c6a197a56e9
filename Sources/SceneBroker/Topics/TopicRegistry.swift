import SceneModel

/// The topics that are only in memory, the observations of all topics, and the events that the disk
/// does not have yet.
///
/// A stored topic comes in as a value. The registry sends nothing: it returns the deliveries that
/// are due, in order.
///
/// - `observed` has the topics of each connection, `observers` the observers of each topic.
/// - `uses` has the topics that are only in memory. No two of them have the same use.
/// - `unsyncedCounts` counts the events of `unsynced` that were not taken.
/// - An observer gets the events of a topic in order, and learns of a gap.
struct TopicRegistry {
  /// Gone with the broker.
  private(set) var transient: [String: Topic] = [:]
  /// The approximate size of their events.
  private(set) var byteCount = 0
  /// The last use of each of these topics. The most recently used one has the highest value.
  private var uses: [String: UInt64] = [:]
  private var lastUse: UInt64 = 0
  /// The greatest number of an event of a released topic. A new topic of the same name begins
  /// behind it, so that a position is never ambiguous.
  private(set) var highWatermark: Int64 = 0

  private var observers: [String: TopicObservers] = [:]
  private var observed: [ConnectionIdentifier: Set<ObservedTopic>] = [:]
  /// No connection has a flow after it has read everything.
  private var flows: [ConnectionIdentifier: EventFlow] = [:]
  /// Scenes that get the events that they missed, although they may be in the background.
  private var replaying: Set<SessionIdentifier> = []

  /// The events that the disk may not have, oldest first, with the numbers of their records.
  private var unsynced: ArraySlice<(record: UInt64, event: TopicEvent)> = []
  private var unsyncedCounts: [String: Int] = [:]

  // MARK: - In memory

  mutating func keep(_ topic: Topic) {
    byteCount += topic.byteCount - (transient[topic.attributes.name]?.byteCount ?? 0)
    transient[topic.attributes.name] = topic
    use(topic.attributes.name)
  }

  /// The topics in memory, the least recently used one first.
  var inOrderOfUse: [Topic] {
    transient.values.sorted {
      uses[$0.attributes.name, default: 0] < uses[$1.attributes.name, default: 0]
    }
  }

  /// Takes a topic out, because it is stored from now on or gives way to another.
  mutating func release(_ name: String) {
    guard let topic = transient.removeValue(forKey: name) else { return }
    byteCount -= topic.byteCount
    uses[name] = nil
    highWatermark = max(highWatermark, topic.last)
  }

  mutating func append(_ event: TopicEvent) {
    let before = transient[event.topic]?.byteCount ?? 0
    transient[event.topic]?.append(event)
    byteCount += (transient[event.topic]?.byteCount ?? 0) - before
    use(event.topic)
  }

  mutating func change(_ attributes: TopicAttributes) {
    let before = transient[attributes.name]?.byteCount ?? 0
    transient[attributes.name]?.change(to: attributes)
    byteCount += (transient[attributes.name]?.byteCount ?? 0) - before
  }

  private mutating func use(_ name: String) {
    lastUse += 1
    uses[name] = lastUse
  }

  /// The least recently used topic without an observer.
  var leastRecentlyUsed: String? {
    uses.filter { observers[$0.key] == nil }.min { $0.value < $1.value }?.key
  }

  // MARK: - Not on disk yet

  mutating func add(_ event: TopicEvent, record: UInt64) {
    unsynced.append((record, event))
    unsyncedCounts[event.topic, default: 0] += 1
  }

  /// Takes out the oldest event that is on disk now.
  mutating func takeSynced(upTo record: UInt64) -> TopicEvent? {
    guard let event = unsynced.first?.event, unsynced[unsynced.startIndex].record <= record else {
      return nil
    }
    unsynced.removeFirst()
    let count = (unsyncedCounts[event.topic] ?? 1) - 1
    unsyncedCounts[event.topic] = count == 0 ? nil : count
    return event
  }

  /// The number of a topic's newest events that the disk may not have.
  func unsyncedCount(of name: String) -> Int { unsyncedCounts[name] ?? 0 }

  var areSynced: Bool { unsynced.isEmpty }

  // MARK: - Observers

  func observers(of name: String) -> [Observation] { observers[name]?.all ?? [] }

  func observationCount(of connection: ConnectionIdentifier) -> Int {
    observed[connection]?.count ?? 0
  }

  func isObserved(
    _ name: String, by connection: ConnectionIdentifier, _ session: SessionIdentifier?
  ) -> Bool {
    observed[connection]?.contains(ObservedTopic(name: name, session: session)) == true
  }

  /// The topics that a connection observes with this scene, in order.
  func names(of connection: ConnectionIdentifier, with session: SessionIdentifier) -> [String] {
    observed[connection]?.filter { $0.session == session }.map(\.name).sorted() ?? []
  }

  /// The topics that a connection observes, in order.
  func names(of connection: ConnectionIdentifier) -> [String] {
    Set(observed[connection]?.map(\.name) ?? []).sorted()
  }

  /// Adds an observation. An observation of the same connection and scene begins again.
  mutating func observe(
    _ name: String, _ connection: ConnectionIdentifier, _ session: SessionIdentifier?,
    from position: EventPosition
  ) {
    observers[name, default: TopicObservers()].insert(
      Observation(connection: connection, session: session, position: position))
    observed[connection, default: []].insert(ObservedTopic(name: name, session: session))
  }

  /// Returns false if there is no such observation.
  mutating func cease(
    _ name: String, _ connection: ConnectionIdentifier, _ session: SessionIdentifier?
  ) -> Bool {
    let topic = ObservedTopic(name: name, session: session)
    guard observed[connection]?.remove(topic) != nil else { return false }
    if observed[connection]?.isEmpty == true { observed[connection] = nil }
    observers[name]?.remove(connection, session)
    if observers[name]?.all.isEmpty == true { observers[name] = nil }
    return true
  }

  /// The scene has ended, and its observations with it.
  mutating func ceaseAll(of session: SessionIdentifier, on connection: ConnectionIdentifier) {
    replaying.remove(session)
    for name in names(of: connection, with: session) { _ = cease(name, connection, session) }
  }

  /// The connection gets nothing more.
  mutating func ceaseAll(of connection: ConnectionIdentifier) {
    for topic in observed[connection] ?? [] { _ = cease(topic.name, connection, topic.session) }
    flows[connection] = nil
  }

  // MARK: - Delivery

  /// The events of a topic that are due to these observers, and not to paused scenes, unless they
  /// replay. `event` is
  /// the newest event, which the topic need not keep. A connection gets no more than `byteLimit`
  /// bytes before it has read them.
  mutating func deliveries(
    of topic: Topic, including event: TopicEvent? = nil, to receivers: EventReceivers = .all,
    byteLimit: Int, isPaused: (SessionIdentifier) -> Bool = { _ in false }
  ) -> DueEvents {
    let events = available(topic, including: event)
    return observers[topic.attributes.name]?.deliver(
      events, to: receivers, byteLimit: byteLimit, counting: &flows
    ) { [replaying] in isPaused($0) && !replaying.contains($0) } ?? DueEvents()
  }

  private func available(_ topic: Topic, including event: TopicEvent? = nil) -> AvailableEvents {
    AvailableEvents(
      topic, latest: event, unsyncedCount: unsyncedCount(of: topic.attributes.name))
  }

  /// The connection has read everything.
  mutating func drained(_ connection: ConnectionIdentifier) { flows[connection] = nil }

  // MARK: - Replay

  mutating func beginReplay(_ session: SessionIdentifier) { replaying.insert(session) }

  mutating func endReplay(_ session: SessionIdentifier) { replaying.remove(session) }

  func isReplaying(_ session: SessionIdentifier) -> Bool { replaying.contains(session) }

  /// Whether an observer has not got all events of a topic.
  func isBehind(
    _ connection: ConnectionIdentifier, _ session: SessionIdentifier, in topic: Topic
  ) -> Bool {
    observers[topic.attributes.name]?.areBehind(.scene(connection, session), available(topic))
      ?? false
  }

  // MARK: - Invariants

  /// Scenes that get the events that they missed.
  var replayingScenes: Set<SessionIdentifier> { replaying }

  /// The connections with a flow of events.
  var receivers: some Collection<ConnectionIdentifier> { flows.keys }

  /// The observed topics.
  var names: Dictionary<String, TopicObservers>.Keys { observers.keys }

  /// The number of observations that were looked at for deliveries of a topic.
  func visitCount(of name: String) -> Int { observers[name]?.visitCount ?? 0 }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    for (name, topic) in transient { flaws += topic.flaws(named: name) }
    if byteCount != transient.values.reduce(0, { $0 + $1.byteCount }) {
      flaws.append("the byte count of the topics in memory is wrong")
    }
    if Set(uses.keys) != Set(transient.keys) || Set(uses.values).count != uses.count
      || uses.values.contains(where: { $0 > lastUse })
    {
      flaws.append("the uses of topics differ from the topics in memory")
    }
    return flaws + observationFlaws + unsyncedFlaws
  }

  private var observationFlaws: [String] {
    var flaws: [String] = []
    var expected: [ConnectionIdentifier: Set<ObservedTopic>] = [:]
    for (name, observers) in observers {
      flaws += observers.flaws
      for observation in observers.all {
        expected[observation.connection, default: []].insert(
          ObservedTopic(name: name, session: observation.session))
      }
    }
    if expected != observed {
      flaws.append("the topics of a connection differ from its observations")
    }
    if observers.values.reduce(0, { $0 + $1.all.count })
      != observed.values.reduce(0, { $0 + $1.count })
    {
      flaws.append("a topic is observed twice by one scene or connection")
    }
    return flaws
  }

  private var unsyncedFlaws: [String] {
    var flaws: [String] = []
    if !unsynced.map(\.record).isStrictlyRising {
      flaws.append("the events that wait for the disk are not in order")
    }
    let counts = Dictionary(unsynced.map { ($0.event.topic, 1) }, uniquingKeysWith: +)
    if counts != unsyncedCounts {
      flaws.append("the counts of events that wait for the disk are wrong")
    }
    return flaws
  }
}

/// A topic that a connection observes.
struct ObservedTopic: Hashable {
  let name: String
  let session: SessionIdentifier?
}
