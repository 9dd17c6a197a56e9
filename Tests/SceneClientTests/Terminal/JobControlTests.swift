import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneApp
@testable import SceneClient

@Suite("Job control")
struct JobControlTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("a second signal within 500 ms counts as the first, and a later signal does not")
  func repeated() {
    let first = JobControl.HandledSignal(at: 1_000_000_000)
    #expect(first.isRepeated(at: 1_000_000_000))
    #expect(first.isRepeated(at: 1_500_000_000))
    #expect(!first.isRepeated(at: 1_500_000_001))
  }

  /// The result of a move of an active scene. The broker accepts the move at once. Then it sends
  /// the callbacks, each after the answer to the previous one.
  private func move(
    to state: SceneModel.ActivationState, callbacks: [(Callback, SceneModel.ActivationState)],
    target: SceneModel.ActivationState, shows: Int, failing: Bool = false
  ) throws -> (result: JobControl.MoveResult, answers: Int) {
    let (application, end) = try connected()
    defer { application.stop() }
    try end.bring(packing)
    let result = ConditionMutex<JobControl.MoveResult?>(nil)
    try application.client.moveForJobControl(packing, to: state) { outcome in
      result.withLock { $0 = outcome }
    }
    let (number, request) = try end.request()
    #expect(request == ClientRequest(SceneTransition(session: packing, to: state)))
    var summary = SessionSummary()
    summary.session = packing
    summary.state = .foregroundActive
    summary.target = target
    try end.reply(number, BrokerReply(SceneTransition.Reply(state: .foregroundActive)))
    var rest = callbacks[...]
    if let first = rest.first { try end.call(first.0) }
    var shown = 0
    while shown < shows {
      switch try end.next() {
      case .request(let number, ClientRequest(SessionShow(session: packing)))?:
        shown += 1
        if failing {
          try end.refuse(number, .sessionNotFound)
        } else {
          var details = SessionDetails()
          details.summary = summary
          try end.reply(number, BrokerReply(details))
        }
      case .answer?:
        summary.state = rest.removeFirst().1
        if let next = rest.first { try end.call(next.0) }
      case let message: throw Unmet("unexpected: \(String(describing: message))")
      }
    }
    let found = result.wait(until: SystemClock.monotonic() + ceiling) { $0 }
    return (try #require(found, "the move does not end"), callbacks.count - rest.count)
  }

  private static let toBackground: [(Callback, SceneModel.ActivationState)] = [
    (Callback(.willResignActive, of: packing), .foregroundInactive),
    (.background(packing), .background), (.ask(packing), .background),
  ]

  @Test(
    "a move to the background ends when the broker has the activity of the scene",
    arguments: [
      (toBackground, SceneModel.ActivationState.background, 5, false, .settled),
      // The scene returns to the foreground, or does not reach the background.
      (toBackground, .foregroundActive, 1, false, .isInForeground),
      ([], .background, 5, false, .isInForeground),
      // An error does not prevent the stop of the process.
      (toBackground, .background, 1, true, .settled),
    ]
      as [(
        [(Callback, SceneModel.ActivationState)], SceneModel.ActivationState, Int, Bool,
        JobControl.MoveResult
      )])
  func background(
    callbacks: [(Callback, SceneModel.ActivationState)], target: SceneModel.ActivationState,
    shows: Int, isFailing: Bool, result: JobControl.MoveResult
  ) throws {
    let (found, answers) = try move(
      to: .background, callbacks: callbacks, target: target, shows: shows, failing: isFailing)
    #expect(found == result)
    if shows == 5 { #expect(answers == callbacks.count) }
  }

  @Test("a move to the foreground ends after its callbacks")
  func foreground() throws {
    let (result, _) = try move(
      to: .foregroundActive, callbacks: [], target: .foregroundActive, shows: 5)
    #expect(result == .settled)
  }
}
