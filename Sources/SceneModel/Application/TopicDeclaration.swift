/// The policy of a topic.
package struct TopicDeclaration: Equatable, Sendable {
  /// Whether the disk has an event before observers get it.
  package var isDurable: Bool
  /// The number of stored events, for later observers.
  package var keep: Int

  package init(isDurable: Bool = false, keep: Int = Self.standardKeep) {
    self.isDurable = isDurable
    self.keep = keep
  }

  package static let standardKeep = 1000
  /// The range of `keep`.
  package static let keepRange: ClosedRange<Int64> = 1...1_000_000
}
