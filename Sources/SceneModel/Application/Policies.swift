/// The policies of an application.
package struct Policies: Equatable, Sendable {
  package var foreground: ForegroundPolicy
  package var reclaim: ReclaimPolicy

  package init(foreground: ForegroundPolicy = .split, reclaim: ReclaimPolicy = ReclaimPolicy()) {
    self.foreground = foreground
    self.reclaim = reclaim
  }
}

/// The number of scenes in the foreground. The least recently activated scene leaves first.
package enum ForegroundPolicy: Equatable, Sendable {
  /// Any number, as in a split view.
  case split
  case atMost(Int)

  /// One scene. An activation moves the others to the background.
  package static let exclusive = ForegroundPolicy.atMost(1)
}

/// The scenes in the background that the broker reclaims by itself.
package struct ReclaimPolicy: Equatable, Sendable {
  /// The number of scenes that stay: those that entered the background last; nil for all.
  package var count: Int?
  /// The time that a scene stays; nil for any time.
  package var age: Interval?

  package init(count: Int? = nil, age: Interval? = nil) {
    self.count = count
    self.age = age
  }
}
