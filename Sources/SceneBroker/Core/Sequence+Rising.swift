extension Sequence where Element: Comparable {
  /// Whether each element is greater than the one before it.
  var isStrictlyRising: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
