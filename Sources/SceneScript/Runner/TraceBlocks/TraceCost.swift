/// The costs of differences: other < unexpected < missing.
///
/// A missing callback is worse than an unexpected one, because `...` can allow the latter.
enum TraceCost {
  static let missing = 3
  static let unexpected = 2
  static let other = 1
}
