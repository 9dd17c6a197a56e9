import SceneModel

/// The early ends of each session in a row. A broker withholds an activity only after three clients
/// that got it, or that replaced what they got.
struct CrashLoops {
  /// The generation that the holder got, or with which it replaced that one; nil without any.
  private var given: [SessionIdentifier: Int64] = [:]
  /// The early ends since the last save of another client.
  private var counts: [SessionIdentifier: Int64] = [:]

  init() {}

  init(_ recovered: StoredState) {
    let sessions = Array(recovered.sessions.values) + recovered.trash.values.map(\.session)
    for session in sessions { counts[session.attributes.identifier] = session.hold.earlyEnds }
  }

  /// Takes in a record. Returns what the simulation covers with it.
  mutating func note(_ record: Record, after before: StoredSession?, _ saves: Saves) -> String? {
    switch record {
    case .activity(let generation):
      let session = generation.session
      // Many clients save null, so the client is unknown.
      let isOwn =
        generation.activity == nil
        || saves.contains(generation.activity, of: session, by: before?.hold.holder)
      if isOwn, given[session] == before?.generation {
        given[session] = generation.number
        return nil
      }
      guard counts.updateValue(0, forKey: session) ?? 0 > 0 else { return nil }
      return "a save between early ends"
    case .held(let hold):
      let last = before?.hold.number ?? 0
      guard hold.holder == nil else {
        guard hold.number > last else { return nil }
        let isGiven = before?.activity != nil && hold.withheld != before?.generation
        given[hold.session] = isGiven ? before?.generation : nil
        return nil
      }
      guard before?.hold.holder != nil, hold.end?.reason == .connectionLost else { return nil }
      if hold.earlyEnds > before?.hold.earlyEnds ?? 0 {
        counts[hold.session, default: 0] += 1
        return "an early end"
      }
      return before?.generation == 0 ? "an end without an activity" : nil
    default: return nil
    }
  }

  /// Returns a complaint about a record that was taken in.
  func flaw(of record: Record, after before: StoredSession?) -> String? {
    guard case .held(let hold) = record, let before else { return nil }
    let session = hold.session.short
    let count = counts[hold.session] ?? 0
    if hold.earlyEnds > before.hold.earlyEnds, hold.holder == nil, before.hold.holder != nil {
      guard hold.earlyEnds == before.hold.earlyEnds + 1, given[hold.session] == before.generation
      else {
        return "\(session): an early end counts, and the holder got "
          + "\(given[hold.session].map { "generation \($0)" } ?? "nothing") of \(before.generation)"
      }
    }
    guard let withheld = hold.withheld, withheld != before.hold.withheld else { return nil }
    return withheld == before.generation && before.activity != nil
      && count >= StoredSession.earlyEndsOfACrashLoop
      ? nil : "\(session): generation \(withheld) is withheld after \(count) early ends"
  }
}
