import SceneModel

@testable import SceneBroker

/// The base of suites about a session whose process has not resumed it since the start of the
/// broker.
class ReservedSuite {
  let fixture: BrokerFixture
  let control: Client
  let process: ClientProcess
  let session: SessionIdentifier

  /// The earlier broker has ended, by an upgrade or by a crash.
  init(isUpgraded: Bool = false) {
    let before = BrokerFixture()
    let scene = before.client(pid: 50)
    session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    process = scene.process
    fixture = before.crashed(
      living: [process], carried: isUpgraded ? before.broker.carriedState : nil)
    control = fixture.control()
  }
}
