/// The stored state of a session. Only records change it. A session is read far more often than
/// changed, so copies share one object.
///
/// The type is a value that can cross threads: only ``StoredState`` changes a session, and copies a
/// shared one first.
package final class StoredSession: Equatable, @unchecked Sendable {
  // No code that runs while one of these changes comes back to this object.
  @safe @exclusivity(unchecked)
  package internal(set) var attributes: SessionAttributes
  /// In order, the newest last: at most three, one of which can be an older, pinned one.
  @safe @exclusivity(unchecked)
  package private(set) var generations: [Generation]
  @safe @exclusivity(unchecked)
  package internal(set) var hold: Hold

  package init(
    attributes: SessionAttributes, generations: [Generation] = [], hold: Hold? = nil
  ) {
    self.attributes = attributes
    self.generations = generations
    self.hold = hold ?? Hold(session: attributes.identifier)
  }

  func copy() -> StoredSession {
    StoredSession(attributes: attributes, generations: generations, hold: hold)
  }

  /// The part that a report of the discard has: the attributes and the last activity.
  func reported() -> StoredSession {
    StoredSession(attributes: attributes, generations: activity == nil ? [] : generations.suffix(1))
  }

  /// Adds a generation. It replaces generations that are not older, and the oldest one that is not
  /// pinned.
  func add(_ generation: Generation) {
    if let index = generations.firstIndex(where: { $0.number >= generation.number }) {
      generations.removeSubrange(index...)
    }
    if let index = indexDroppedBySaving { generations.remove(at: index) }
    generations.append(generation)
  }

  private var indexDroppedBySaving: Int? {
    guard generations.count == Self.generationsKept else { return nil }
    return generations.firstIndex { $0.number != hold.pinned }
  }

  package static func == (one: StoredSession, other: StoredSession) -> Bool {
    one === other
      || one.attributes == other.attributes && one.generations == other.generations
        && one.hold == other.hold
  }

  /// The number of stored activities.
  package static let generationsKept = 3

  /// The newest activity; nil if the last save was null.
  package var activity: Activity? { generations.last?.activity }

  package var generation: Int64 { generations.last?.number ?? 0 }

  /// The bytes that the next save drops.
  package var byteCountDroppedBySaving: Int {
    guard let index = indexDroppedBySaving else { return 0 }
    return generations[index].activity?.byteCount ?? 0
  }

  /// The size of the session for the limit `storedBytes`.
  package var byteCount: Int { attributes.byteCount + activityByteCount }

  var activityByteCount: Int {
    var count = 0
    for generation in generations { count += generation.activity?.byteCount ?? 0 }
    return count
  }
}
