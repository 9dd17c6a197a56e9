import SceneModel
import Testing

@testable import SceneScript

@Suite("Parts of a recorded script")
struct RecordedStepsTests {
  private let packing = identifier(0)

  private func call(_ name: CallbackKind) -> RecordedStep.Call {
    RecordedStep.Call(scriptClient: "packing", session: packing, name: name.rawValue)
  }

  @Test("consecutive requests of one process become one line")
  func merged() {
    var steps = RecordedSteps()
    for label in ["packing", "itinerary"] {
      steps.add(RecordedStep(.control("background", [label]), requester: 7))
    }
    steps.add(RecordedStep(.control("background", ["memo"]), requester: 8))
    #expect(steps.all.map(\.line) == ["background packing itinerary", "background memo"])
  }

  @Test("a callback before its cause belongs to the next step of its session")
  func early() {
    var steps = RecordedSteps()
    steps.addLine("broker start")
    steps.addEarlyCall(call(.didDisconnect))
    #expect(steps.hasEarlyCalls(of: packing))
    steps.add(RecordedStep(.line("client heir packing --take-over")), causing: packing)
    #expect(!steps.hasEarlyCalls(of: packing))
    #expect(steps.all.map(\.calls.count) == [0, 1])
  }

  @Test("an event belongs to the later one of the post and the step that moved the scene")
  func delivered() {
    var steps = RecordedSteps()
    steps.add(RecordedStep(.line("client packing")), causing: packing)
    steps.addPost("post ", "News", "News")
    steps.addDelivery(call(.refresh))
    steps.add(RecordedStep(.line("packing: activate")), causing: packing)
    steps.addDelivery(call(.refresh))
    #expect(steps.all.map(\.calls.count) == [0, 1, 1])
  }

  @Test("a step is in progress until each of its callbacks is settled")
  func inProgress() {
    var steps = RecordedSteps()
    let step = steps.add(RecordedStep(.control("background", ["packing"])), causing: packing)
    steps.addCall(call(.willResignActive))
    #expect(steps.stepInProgress(of: packing) == step)
    steps.settle(CallbackKind.willResignActive.rawValue, of: packing)
    #expect(steps.stepInProgress(of: packing) == nil)
  }

  @Test("only the first observation of a topic by a client is a step")
  func observed() {
    var topics = RecordedTopics()
    var fixture = TraceFixture()
    fixture.tell(.observed, 0, 1) { $0.topic = "News" }
    let entry = fixture.entries[0]
    #expect(topics.delivery(entry, to: packing, "packing") == nil)
    let observations = (0..<2).map { _ in topics.observe(entry, by: "packing") }
    #expect(observations == [true, false])
    #expect(topics.delivery(entry, to: packing, "packing")?.conditions == ["topic=News"])
    let ends = (0..<2).map { _ in topics.cease("News", by: "packing") }
    #expect(ends == [true, false])
  }

  @Test("a process reconnects until the entry of its last connection has passed")
  func reconnects() {
    var fixture = TraceFixture()
    fixture.tell(.launched, nil, 2)
    fixture.join(1)
    fixture.join(2)
    fixture.join(1)
    var connections = RecordedConnections(fixture.entries)
    #expect(connections.isLaunched(2) && !connections.isLaunched(1))
    let expected: [(Bool, Bool)] = [(true, true), (true, true), (true, false), (false, false)]
    for (one, two) in expected {
      #expect(connections.reconnects(1) == one)
      #expect(connections.reconnects(2) == two)
      connections.advance()
    }
  }
}
