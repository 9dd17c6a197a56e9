import SceneModel
import Testing

@testable import SceneBroker

/// Faults that a test injects.
struct FaultTests {
  @Test(
    "a fault that the broker cannot perform is refused",
    arguments: [
      (false, "disk", InjectFault(at: .replySent, .before), "notPermitted"),
      (false, "disk", InjectFault(diskFull: true), "notPermitted"),
      (true, "disk", InjectFault(), "invalidParams"),
      (true, "none", InjectFault(at: .recordAppended, .before), "notPermitted"),
      (true, "none", InjectFault(at: .recordSynced, .after), "notPermitted"),
      (true, "none", InjectFault(diskFull: false), "notPermitted"),
      (true, "os", InjectFault(at: .recordSynced, .after), "notPermitted"),
    ])
  func refused(allowed: Bool, durability: String, fault: InjectFault, reason: String) {
    let fixture = BrokerFixture(durability: durability, allowsFaults: allowed)
    let control = fixture.control()
    #expect(control.hears(fault) == ["2 \(reason)"])
  }

  @Test(
    "a fault that the broker can perform is accepted",
    arguments: [
      ("disk", FaultPoint.recordSynced), ("os", .recordAppended), ("none", .replySent),
      ("none", .eventDelivered),
    ])
  func accepted(durability: String, point: FaultPoint) {
    let fixture = BrokerFixture(durability: durability, allowsFaults: true)
    let control = fixture.control()
    #expect(control.hears(InjectFault(at: point, .after)) == ["2 {}"])
  }

  @Test("the reply to diskFull comes when the disk is full, or has room again")
  func disk() {
    let fixture = BrokerFixture(allowsFaults: true)
    let control = fixture.control()
    #expect(control.hears(InjectFault(diskFull: false)) == ["2 {}"])
    #expect(control.hears(InjectFault(diskFull: true)) == [])
    fixture.handle(.storage(.behind))
    #expect(control.hears(InjectFault(diskFull: false)) == ["4 {}"])
    #expect(control.hears(Ping()) == ["5 {}"])
    #expect(fixture.broker.conditionWaiters[.disk(isFull: true)].count == 1)
    fixture.handle(.storage(.full))
    #expect(fixture.broker.conditionWaiters[.disk(isFull: true)].isEmpty)
    #expect(control.hears(InjectFault(diskFull: true)) == ["6 {}"])
  }
}
