import SceneModel

/// Every activity that a client ever tried to have kept for a session, and what came of it.
struct Saves {
  struct Attempt {
    let activity: Activity?
    /// When its acknowledgement was read, in ticks of the world.
    var acknowledged: Int?
    /// Known after a client was told.
    var told: Int64?
    /// As which generation it was last written down, and under which hold.
    var recorded: (generation: Int64, hold: Int64)?

    var generation: Int64? { recorded?.generation ?? told }
  }

  private var attempts: [SessionIdentifier: [Attempt]] = [:]

  mutating func add(_ activity: Activity?, for session: SessionIdentifier) {
    attempts[session, default: []].append(Attempt(activity: activity))
  }

  /// It was recorded; whether a client ever tried to save this.
  mutating func record(_ generation: Generation, hold: Int64) -> Bool {
    let session = generation.session
    let same = attempts(to: generation.activity, in: session)
    let fresh = same.last { attempts[session]?[$0].recorded == nil }
    guard let index = fresh else {
      // Restored: a client that was told of it then was told of the earlier one.
      guard !same.isEmpty else { return false }
      var again = Attempt(activity: generation.activity)
      again.recorded = (generation.number, hold)
      attempts[session]?.append(again)
      return true
    }
    attempts[session]?[index].recorded = (generation.number, hold)
    return true
  }

  /// A save was acknowledged; the words of a complaint if that cannot be.
  mutating func acknowledge(
    _ activity: Activity?, for session: SessionIdentifier, generation: Int64?, tick: Int
  ) -> String? {
    guard let index = attempts(to: activity, in: session).last else {
      return "a save was acknowledged that was never sent"
    }
    if attempts[session]?[index].acknowledged == nil {
      attempts[session]?[index].acknowledged = tick
    }
    return generation.flatMap { learn($0, activity, of: session) }
  }

  /// A client was told that a generation is an activity; the words of a complaint if it was
  /// another.
  mutating func learn(
    _ generation: Int64, _ activity: Activity?, of session: SessionIdentifier
  ) -> String? {
    // Null is saved often, so which of the attempts it was cannot be told.
    guard activity != nil else { return nil }
    for attempt in attempts[session] ?? [] {
      if attempt.told == generation, attempt.activity != activity {
        return "generation \(generation) is another activity than it was"
      }
    }
    let same = attempts(to: activity, in: session)
    if same.isEmpty { return "an activity that was never sent" }
    if same.contains(where: { attempts[session]?[$0].told == generation }) { return nil }
    // The same bytes sent twice are two generations if there was another between them.
    if let index = same.last(where: { attempts[session]?[$0].told == nil }) {
      attempts[session]?[index].told = generation
    }
    return nil
  }

  private func attempts(to activity: Activity?, in session: SessionIdentifier) -> [Int] {
    let all = attempts[session] ?? []
    return all.indices.filter { all[$0].activity == activity }
  }

  // MARK: - What a scene is given

  /// Whether a scene that is connected under a hold may be given this: the last that was
  /// acknowledged before, or a newer one. `asked` is when its client asked to be connected.
  func mayGive(
    _ activity: Activity?, for session: SessionIdentifier, hold: Int64, asked: Int?
  ) -> Bool {
    let all = attempts[session] ?? []
    let floor = all.filter { attempt in
      guard let acknowledged = attempt.acknowledged else { return false }
      if let recorded = attempt.recorded, recorded.hold < hold { return true }
      return asked.map { acknowledged < $0 } ?? false
    }
    .compactMap(\.generation).max()
    if activity == nil, floor == nil { return true }
    return all.contains { candidate in
      candidate.activity == activity && candidate.generation ?? .max >= floor ?? 0
    }
  }
}
