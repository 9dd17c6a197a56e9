import SceneModel

/// A request of a client that its scene is not reclaimed.
struct Assertion: Equatable {
  let identifier: Int64
  let name: String

  static let longest = Interval.seconds(86_400)
  static let most = 64
}
