import SceneModel

/// The topics that are only in memory, what of the others is not on disk yet, and who observes
/// which.
struct Topics {
  /// Gone with the broker.
  private(set) var transient: [String: Topic] = [:]
  /// What their events take, in about.
  private(set) var byteCount = 0
  /// When each of these was last used: counts uses over all of them.
  private var uses: [String: UInt64] = [:]
  private var lastUse: UInt64 = 0
  /// No event of a topic that gave way had a greater number: another of its name begins behind it,
  /// so that a position never means two things.
  private(set) var numbersUsed: Int64 = 0

  /// Of each topic those who observe it, in the order of their connections.
  private var observations: [String: [Observation]] = [:]

  /// The events that may not be on disk, the oldest first, and the numbers of their records.
  private var unsynced: [(record: UInt64, event: TopicEvent)] = []
  /// How many of these were taken out already. To remove each one alone would move all others.
  private var takenCount = 0
  private var unsyncedCounts: [String: Int] = [:]

  // MARK: - In memory

  mutating func keep(_ topic: Topic) {
    byteCount += topic.byteCount - (transient[topic.attributes.name]?.byteCount ?? 0)
    transient[topic.attributes.name] = topic
    use(topic.attributes.name)
  }

  /// Takes a topic out, because it is stored from now on or gives way to another.
  mutating func release(_ name: String) {
    guard let topic = transient.removeValue(forKey: name) else { return }
    byteCount -= topic.byteCount
    uses[name] = nil
    numbersUsed = max(numbersUsed, topic.last)
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

  /// The one that nobody observes and that was used longest ago.
  var leastNeeded: String? {
    uses.filter { observations[$0.key] == nil }.min { $0.value < $1.value }?.key
  }

  // MARK: - Not on disk yet

  mutating func add(_ event: TopicEvent, record: UInt64) {
    unsynced.append((record, event))
    unsyncedCounts[event.topic, default: 0] += 1
  }

  /// Takes out the oldest event that is on disk now.
  mutating func takeSynced(upTo record: UInt64) -> TopicEvent? {
    guard takenCount < unsynced.count, unsynced[takenCount].record <= record else { return nil }
    let event = unsynced[takenCount].event
    takenCount += 1
    if 2 * takenCount >= unsynced.count {
      unsynced.removeFirst(takenCount)
      takenCount = 0
    }
    let count = (unsyncedCounts[event.topic] ?? 1) - 1
    unsyncedCounts[event.topic] = count == 0 ? nil : count
    return event
  }

  /// How many of a topic's newest events nobody may be told of yet.
  func unsyncedCount(of name: String) -> Int { unsyncedCounts[name] ?? 0 }

  var areSynced: Bool { unsynced.isEmpty }

  // MARK: - Observers

  var observed: Dictionary<String, [Observation]>.Keys { observations.keys }

  func observers(of name: String) -> [Observation] { observations[name] ?? [] }

  /// Adds one, or has the one that there is begin anew.
  mutating func insert(_ observation: Observation, of name: String) {
    var all = observations[name] ?? []
    all.removeAll { $0.isOf(observation.connection, observation.session) }
    let index = all.firstIndex { $0.connection > observation.connection } ?? all.endIndex
    all.insert(observation, at: index)
    observations[name] = all
  }

  /// False if there is none.
  mutating func remove(
    _ connection: ConnectionIdentifier, _ session: SessionIdentifier?, from name: String
  ) -> Bool {
    guard var all = observations[name] else { return false }
    let count = all.count
    all.removeAll { $0.isOf(connection, session) }
    observations[name] = all.isEmpty ? nil : all
    return all.count < count
  }

  mutating func advance(
    _ connection: ConnectionIdentifier, _ session: SessionIdentifier?, of name: String,
    to position: EventPosition
  ) {
    guard let index = observations[name]?.firstIndex(where: { $0.isOf(connection, session) })
    else { return }
    observations[name]?[index].position = position
  }
}

/// Somebody who is sent the events of a topic.
struct Observation: Equatable {
  let connection: ConnectionIdentifier
  /// The scene that it is tied to.
  let session: SessionIdentifier?
  /// The last that it was sent, or that counts as sent.
  var position: EventPosition

  func isOf(_ connection: ConnectionIdentifier, _ session: SessionIdentifier?) -> Bool {
    self.connection == connection && self.session == session
  }
}

/// What a connection observes.
struct ObservedTopic: Hashable {
  let name: String
  let session: SessionIdentifier?
}
