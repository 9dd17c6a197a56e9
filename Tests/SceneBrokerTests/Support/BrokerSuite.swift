import SceneModel

@testable import SceneBroker

/// The broker of one test, with the clients that most tests need. Each client connects at its first
/// use.
class BrokerSuite {
  let fixture: BrokerFixture
  lazy var scene = fixture.client()
  lazy var control = fixture.control()
  lazy var other = fixture.client()

  init(_ manifest: Manifest = .builtIn) { fixture = BrokerFixture(manifest) }
}

extension Limits {
  /// The standard limits except for one.
  static func with(_ limit: WritableKeyPath<Limits, Int>, _ value: Int) -> Limits {
    var limits = Limits()
    limits[keyPath: limit] = value
    return limits
  }
}
