import SceneModel

/// Every activity that a client ever tried to have kept for a session, and what came of it.
struct Saves {
  struct Attempt {
    /// Counts up over all sessions, in the order in which they were sent.
    let number: Int
    let activity: Activity?
    /// The hold under which the client acted; nil for a control, which has none.
    let hold: Int64?
    /// When its acknowledgement was read, in ticks of the world.
    var acknowledged: Int?
    /// Known once somebody was told.
    var generation: Int64?
  }

  private var attempts: [SessionIdentifier: [Attempt]] = [:]
  private var count = 0

  mutating func add(_ activity: Activity?, for session: SessionIdentifier, hold: Int64?) {
    count += 1
    attempts[session, default: []].append(
      Attempt(number: count, activity: activity, hold: hold))
  }

  /// Whether anybody ever tried to save this.
  func contains(_ activity: Activity?, for session: SessionIdentifier) -> Bool {
    attempts[session]?.contains { $0.activity == activity } ?? false
  }

  /// A save was acknowledged; the words of a complaint if that cannot be.
  mutating func acknowledge(
    _ activity: Activity?, for session: SessionIdentifier, generation: Int64?, tick: Int
  ) -> String? {
    guard let index = attempts[session]?.lastIndex(where: { $0.activity == activity }) else {
      return "a save was acknowledged that was never sent"
    }
    if attempts[session]?[index].acknowledged == nil {
      attempts[session]?[index].acknowledged = tick
    }
    // Null is saved often, so which of the attempts it was cannot be told.
    guard let generation else { return nil }
    return learn(generation, activity, of: session)
  }

  /// Somebody was told that a generation is an activity; the words of a complaint if it was another.
  mutating func learn(
    _ generation: Int64, _ activity: Activity?, of session: SessionIdentifier
  ) -> String? {
    guard let activity else { return nil }
    guard let known = attempts[session] else { return "an activity that was never sent" }
    for attempt in known where attempt.generation == generation && attempt.activity != activity {
      return "generation \(generation) is another activity than it was"
    }
    let same = known.indices.filter { known[$0].activity == activity }
    if same.isEmpty { return "an activity that was never sent" }
    if same.contains(where: { known[$0].generation == generation }) { return nil }
    // The same bytes sent twice are two generations if there was another between them.
    if let index = same.last(where: { known[$0].generation == nil }) {
      attempts[session]?[index].generation = generation
    }
    return nil
  }

  // MARK: - What a scene is given

  /// Whether a scene that is connected under a hold may be given this: the last that was acknowledged before, or a newer
  /// one. `asked` is when its client asked to be connected.
  func mayGive(
    _ activity: Activity?, for session: SessionIdentifier, hold: Int64, asked: Int?
  ) -> Bool {
    let all = attempts[session] ?? []
    let floors = all.filter { attempt in
      guard let acknowledged = attempt.acknowledged else { return false }
      if let under = attempt.hold, under < hold { return true }
      return asked.map { acknowledged < $0 } ?? false
    }
    if activity == nil, floors.isEmpty { return true }
    return all.contains { candidate in
      candidate.activity == activity
        && floors.allSatisfy { !Self.isOlder(candidate, than: $0) }
    }
  }

  /// Whether one was surely saved before the other, if it was saved at all.
  private static func isOlder(_ one: Attempt, than other: Attempt) -> Bool {
    if one.number == other.number { return false }
    if let mine = one.generation, let theirs = other.generation { return mine < theirs }
    guard let mine = one.hold, let theirs = other.hold else { return false }
    return (mine, one.number) < (theirs, other.number)
  }
}
