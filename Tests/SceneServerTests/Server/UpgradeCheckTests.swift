import SceneModel
import Testing

@testable import SceneServer

struct UpgradeCheckTests {
  @Test(
    "another program takes over after a check without a problem, unless all requests were dry runs",
    arguments: [
      ([false], false, true), ([false], true, false), ([true], false, false),
      ([true, false], false, true), ([false, true], false, true),
    ])
  func outcome(dryRuns: [Bool], hasProblem: Bool, isUpgrading: Bool) {
    let fixture = EventLoopFixture()
    fixture.eventLoop.beginUpgradeCheck = { nil }
    let control = fixture.client(as: .control)
    for (id, dryRun) in dryRuns.enumerated() {
      var request = BrokerUpgrade()
      request.dryRun = dryRun
      fixture.send(request, id: Int64(id), from: control)
    }
    #expect(fixture.take(control).isEmpty)
    let problem = hasProblem ? BrokerError(.requestDenied, "the state is damaged") : nil
    fixture.iterate { fixture.eventLoop.upgradeChecked(problem) }
    #expect(fixture.eventLoop.isUpgrading == isUpgrading)
  }
}
