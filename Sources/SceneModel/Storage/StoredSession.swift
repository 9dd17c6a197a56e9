/// The stored state of a session. Only records change it. A session is read far more often than
/// changed, so copies share one object.
///
/// The type is a value that can cross threads: only ``StoredState`` changes a session, and copies a
/// shared one first.
package final class StoredSession: Equatable, @unchecked Sendable {
  // No code that runs while one of these changes comes back to this object.
  @safe @exclusivity(unchecked)
  package private(set) var attributes: SessionAttributes
  /// In order, the newest last: at most three, one of which can be an older, pinned one.
  @safe @exclusivity(unchecked)
  package private(set) var generations: [Generation]
  @safe @exclusivity(unchecked)
  package internal(set) var hold: Hold
  /// The size of the session for the limit `storedBytes`.
  @safe @exclusivity(unchecked)
  package private(set) var byteCount: Int

  package init(
    attributes: SessionAttributes, generations: [Generation] = [], hold: Hold? = nil
  ) {
    self.attributes = attributes
    self.generations = generations
    self.hold = hold ?? Hold(session: attributes.identifier)
    byteCount = attributes.byteCount + Self.byteCount(of: generations)
  }

  func copy() -> StoredSession {
    StoredSession(attributes: attributes, generations: generations, hold: hold)
  }

  /// The part that a report of the discard has: the attributes and the last activity.
  func reported() -> StoredSession {
    StoredSession(attributes: attributes, generations: activity == nil ? [] : generations.suffix(1))
  }

  func change(to attributes: SessionAttributes) {
    self.attributes = attributes
    byteCount = attributes.byteCount + Self.byteCount(of: generations)
  }

  /// Adds a generation. It replaces generations that are not older, and the oldest one that is not
  /// pinned.
  func add(_ generation: consuming Generation) {
    if let index = generations.firstIndex(where: { $0.number >= generation.number }) {
      byteCount -= Self.byteCount(of: generations[index...])
      generations.removeSubrange(index...)
    }
    if let index = indexDroppedBySaving {
      byteCount -= generations.remove(at: index).activity?.byteCount ?? 0
    }
    byteCount += generation.activity?.byteCount ?? 0
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

  /// The title in lists: the command, until another title is set.
  package var shownTitle: String? { attributes.title ?? attributes.program?.title }

  /// The bytes that the next save drops.
  package var byteCountDroppedBySaving: Int {
    guard let index = indexDroppedBySaving else { return 0 }
    return generations[index].activity?.byteCount ?? 0
  }

  private static func byteCount(of generations: some Sequence<Generation>) -> Int {
    generations.reduce(0) { $0 + ($1.activity?.byteCount ?? 0) }
  }

  /// Whether ``byteCount`` is the size of the content.
  package var isByteCountValid: Bool {
    byteCount == attributes.byteCount + Self.byteCount(of: generations)
  }
}
