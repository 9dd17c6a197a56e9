import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

@Suite("Job control")
struct JobControlTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("a signal within 500 ms is the same one again, and a later signal is another one")
  func repeated() {
    let first = JobControl.HandledSignal(at: 1_000_000_000)
    #expect(first.isRepeated(at: 1_000_000_000))
    #expect(first.isRepeated(at: 1_500_000_000))
    #expect(!first.isRepeated(at: 1_500_000_001))
  }

  /// An application with an active scene, and the result of its move.
  private func move(
    to state: SceneModel.ActivationState, _ script: (BrokerEnd) throws -> Void
  ) throws -> JobControl.MoveResult {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let result = ConditionMutex<JobControl.MoveResult?>(nil)
    try application.client.moveForJobControl(packing, to: state) { outcome in
      result.withLock { $0 = outcome }
    }
    let (number, request) = try end.request()
    #expect(request == .transition(SceneTransition(session: packing, to: state)))
    if state == .background {
      try end.ask(.willResignActive(SceneReference(session: packing)))
      try end.ask(.background(packing))
    }
    try end.reply(number, .moved(SceneTransition.Reply(state: state)))
    try script(end)
    let found = result.wait(until: SystemClock.monotonic() + ceiling) { $0 }
    return try #require(found, "the move does not end")
  }

  /// Answers the next request, behind a callback. Returns the callback's number.
  @discardableResult
  private func answerShow(
    _ end: BrokerEnd, state: SceneModel.ActivationState, behind callback: Callback? = nil
  ) throws -> RequestIdentifier? {
    let (number, request) = try end.request()
    #expect(request == .show(SessionShow(session: packing)))
    let called = try callback.map { try end.call($0) }
    var details = SessionDetails()
    details.summary.session = packing
    details.summary.state = state
    try end.reply(number, .shown(details))
    return called
  }

  @Test("a move has ended when the broker has the activity and the answer to its save")
  func settled() throws {
    let result = try move(to: .background) { end in
      let question = try answerShow(end, state: .background, behind: .ask(packing))
      #expect(try end.answer().0 == question)
      try answerShow(end, state: .background)
      try answerShow(end, state: .background)
    }
    #expect(result == .settled)
  }

  @Test("a scene that returns to the foreground meanwhile does not stop the process")
  func returned() throws {
    let result = try move(to: .background) { end in
      try answerShow(end, state: .background)
      try answerShow(end, state: .foregroundInactive)
    }
    #expect(result == .returned)
  }

  @Test("a scene that is on its way to the foreground is not asked whether it stays")
  func foreground() throws {
    let result = try move(to: .foregroundActive) { end in
      for _ in 0..<3 { try answerShow(end, state: .foregroundActive) }
    }
    #expect(result == .settled)
  }

  @Test("an error while the move is awaited does not keep the process from stopping")
  func refused() throws {
    let result = try move(to: .background) { end in
      let (number, _) = try end.request()
      try end.refuse(number, .sessionNotFound)
    }
    #expect(result == .settled)
  }
}
