import SceneModel

/// Every activity that a client tried to save for a session, and the result.
struct Saves {
  struct Attempt {
    let activity: Activity?
    let process: ClientProcess
    /// When the client read the acknowledgement, in ticks of the simulation.
    var acknowledged: Int?
    /// The generation that a message to a client named.
    var told: Int64?
    /// The generation and the hold of the record with this activity.
    var recorded: (generation: Int64, hold: Int64)?

    var generation: Int64? { recorded?.generation ?? told }
  }

  private var attempts: [SessionIdentifier: [Attempt]] = [:]
  /// Sessions whose generations say nothing.
  var ignored: Set<SessionIdentifier> = []

  mutating func add(
    _ activity: Activity?, for session: SessionIdentifier, by process: ClientProcess
  ) {
    attempts[session, default: []].append(Attempt(activity: activity, process: process))
  }

  /// Whether a process has tried to save this activity.
  func contains(
    _ activity: Activity?, of session: SessionIdentifier, by process: ClientProcess?
  ) -> Bool {
    attempts(to: activity, in: session).contains { attempts[session]?[$0].process == process }
  }

  /// Notes that the broker recorded an activity. Returns whether a client ever tried to save it.
  mutating func record(_ generation: Generation, hold: Int64) -> Bool {
    let session = generation.session
    let same = attempts(to: generation.activity, in: session)
    // The broker acknowledges the same activity again without a record.
    let fresh = same.last {
      attempts[session]?[$0].recorded == nil && attempts[session]?[$0].acknowledged == nil
    }
    guard let index = fresh else {
      // A restored activity is recorded again. Earlier messages named its earlier generation.
      guard let process = same.last.flatMap({ attempts[session]?[$0].process }) else {
        return false
      }
      var again = Attempt(activity: generation.activity, process: process)
      again.recorded = (generation.number, hold)
      attempts[session]?.append(again)
      return true
    }
    attempts[session]?[index].recorded = (generation.number, hold)
    return true
  }

  /// Notes that the broker acknowledged a save. Returns a complaint if the acknowledgement is
  /// wrong. The generation tells apart two attempts with the same activity.
  mutating func acknowledge(
    _ activity: Activity?, for session: SessionIdentifier, generation: Int64?, tick: Int
  ) -> String? {
    guard !ignored.contains(session) else { return nil }
    let same = attempts(to: activity, in: session)
    let named = same.last { generation != nil && attempts[session]?[$0].generation == generation }
    guard let index = named ?? same.last else {
      return "the broker acknowledged a save that no client sent"
    }
    if attempts[session]?[index].acknowledged == nil {
      attempts[session]?[index].acknowledged = tick
    }
    return generation.flatMap { learn($0, activity, of: session) }
  }

  /// Notes that a message named a generation and its activity. Returns a complaint if an earlier
  /// message named another activity.
  mutating func learn(
    _ generation: Int64, _ activity: Activity?, of session: SessionIdentifier
  ) -> String? {
    // Clients save null often, so the matching attempt is unknown.
    guard activity != nil, !ignored.contains(session) else { return nil }
    for attempt in attempts[session] ?? [] {
      if attempt.told == generation, attempt.activity != activity {
        return "generation \(generation) has another activity than before"
      }
    }
    let same = attempts(to: activity, in: session)
    if same.isEmpty { return "an activity that no client sent" }
    if same.contains(where: { attempts[session]?[$0].told == generation }) { return nil }
    // The same bytes sent twice are two generations if another activity came between them.
    if let index = same.last(where: { attempts[session]?[$0].told == nil }) {
      attempts[session]?[index].told = generation
    }
    return nil
  }

  private func attempts(to activity: Activity?, in session: SessionIdentifier) -> [Int] {
    let all = attempts[session] ?? []
    return all.indices.filter { all[$0].activity == activity }
  }

  // MARK: - The activity of a connected scene

  /// Whether a scene that connects under a hold can get this activity: the last acknowledged
  /// activity or a newer one. `asked` is the tick of the client's request.
  func mayGive(
    _ activity: Activity?, for session: SessionIdentifier, hold: Int64, asked: Int?
  ) -> Bool {
    guard !ignored.contains(session) else { return true }
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
