/// The missing space for a log.
package struct SpaceShortage: Equatable, Sendable {
  /// The directory.
  package var place: String
  package var neededByteCount: Int
  /// The free bytes; nil if unknown.
  package var freeByteCount: Int?
  /// The system's message: a full disk or an exceeded quota.
  package var reason: String

  package init(place: String, neededByteCount: Int, freeByteCount: Int?, reason: String) {
    self.place = place
    self.neededByteCount = neededByteCount
    self.freeByteCount = freeByteCount
    self.reason = reason
  }
}
