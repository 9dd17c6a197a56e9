import SceneModel
import Testing

@testable import SceneBroker

/// The entries of the trace about events.
extension TopicTests {
  @Test("the trace counts the observers of an event, or names each one if a client asks for it")
  func tracedObservers() {
    let (one, two) = (fixture.client("one"), fixture.client("two"))
    one.ask(observe())
    two.ask(observe())
    func deliveries() -> [TraceEntry] { fixture.trace.filter { $0.event == .delivered } }
    one.ask(post(1))
    #expect(deliveries().map(\.observers) == [2])
    #expect(deliveries().map(\.client?.name) == [nil])
    control.ask(TraceObserve(deliveries: true))
    one.ask(post(2))
    #expect(deliveries().map(\.observers) == [2, nil, nil])
    #expect(deliveries().map(\.client?.name) == [nil, "one", "two"])
    fixture.close(control.connection)
    one.ask(post(3))
    #expect(deliveries().last?.observers == 2)
  }
}
