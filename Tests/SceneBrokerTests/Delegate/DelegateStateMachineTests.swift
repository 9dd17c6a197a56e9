import SceneModel
import Testing

@testable import SceneBroker

struct DelegateStateMachineTests {
  private let connection = ConnectionIdentifier(1)
  private let session = SessionIdentifier(high: 0, low: 1)
  private let report = ReportIdentifier(request: SessionIdentifier(high: 0, low: 2), part: 0)
  private var delegate = DelegateStateMachine()

  /// Sends the questions of a launch, which the delegate answers.
  private mutating func launch() {
    delegate.connected(connection)
    delegate.sent(.willFinishLaunching, 1)
    _ = delegate.replied(to: 1, .done)
    delegate.sent(.didFinishLaunching(carrying: nil), 2)
    _ = delegate.replied(to: 2, .done)
  }

  @Test("one question at a time, in the order of a launch")
  mutating func order() {
    #expect(delegate.next(isListening: true) == nil)
    delegate.connected(connection)
    #expect(delegate.next(isListening: false) == nil)
    #expect(delegate.next(isListening: true) == .willFinishLaunching)
    delegate.sent(.willFinishLaunching, 1)
    #expect(delegate.next(isListening: true) == nil)
    #expect(delegate.replied(to: 2, .done) == nil)
    let first = delegate.replied(to: 1, .done)
    #expect(first?.subject == .willFinishLaunching && first?.action == nil)
    #expect(delegate.isLaunching && !delegate.takesQuestions)
    #expect(delegate.next(isListening: true) == .didFinishLaunching)
    delegate.sent(.didFinishLaunching(carrying: nil), 2)
    #expect(delegate.replied(to: 2, .done)?.action == .release(declined: nil))
    #expect(delegate.hasLaunched && delegate.takesQuestions && !delegate.isLaunching)
    #expect(delegate.next(isListening: true) == .any)
  }

  @Test("only a delegate that declines names the session", arguments: [false, true])
  mutating func declines(accepts: Bool) {
    delegate.connected(connection)
    delegate.sent(.willFinishLaunching, 1)
    _ = delegate.replied(to: 1, .done)
    delegate.sent(.didFinishLaunching(carrying: session), 2)
    #expect(
      delegate.replied(to: 2, .launched(accepted: accepts))?.action
        == .release(declined: accepts ? nil : session))
  }

  @Test("a reply decides a configuration, and a failed one acknowledges no report")
  mutating func questions() {
    launch()
    delegate.sent(.configuration(of: session), 3)
    #expect(delegate.replied(to: 3, .failed(message: "no"))?.action == .decide(session))
    delegate.sent(.discards(report), 4)
    #expect(delegate.sentReports == [report])
    let failed = delegate.replied(to: 4, .failed(message: "no"))
    #expect(failed?.subject == .discards(report) && failed?.action == nil)
    delegate.sent(.discards(report), 5)
    #expect(delegate.replied(to: 5, .done)?.action == .acknowledge(report))
  }

  @Test("after an overrun of willFinishLaunching the requests proceed, and the launch continues")
  mutating func lateLaunch() {
    delegate.connected(connection)
    delegate.sent(.willFinishLaunching, 1)
    #expect(delegate.timedOut(1) == .release(declined: nil))
    #expect(delegate.hasLaunched && delegate.isLaunching)
    #expect(delegate.next(isListening: true) == .didFinishLaunching)
  }

  @Test("the late reply to a report counts once")
  mutating func lateReport() {
    launch()
    delegate.sent(.discards(report), 3)
    #expect(delegate.timedOut(4) == nil)
    #expect(delegate.timedOut(3) == nil)
    #expect(delegate.question == nil)
    #expect(delegate.repliedLate(to: 3) == report)
    #expect(delegate.repliedLate(to: 3) == nil)
    delegate.sent(.configuration(of: session), 4)
    #expect(delegate.timedOut(4) == .decide(session))
    #expect(delegate.repliedLate(to: 4) == nil)
  }

  @Test("a later delegate launches again, although one has launched before")
  mutating func disconnected() {
    launch()
    delegate.sent(.discards(report), 3)
    #expect(delegate.disconnected() == 3)
    #expect(delegate.connection == nil && delegate.question == nil)
    #expect(!delegate.isLaunching && !delegate.takesQuestions)
    #expect(delegate.hasLaunched)
    delegate.connected(ConnectionIdentifier(2))
    #expect(delegate.sentReports.isEmpty && delegate.hasLaunched)
    #expect(delegate.next(isListening: true) == .willFinishLaunching)
  }

  @Test("willTerminate is the last question, and the wait for its reply ends")
  mutating func termination() {
    #expect(delegate.termination == .done)
    launch()
    delegate.sent(.discards(report), 3)
    #expect(delegate.termination == .notBegun)
    #expect(delegate.beginTermination(sending: true) == 3)
    delegate.sent(.willTerminate, 4)
    #expect(delegate.termination == .pending)
    #expect(delegate.repliedLate(to: 3) == report)
    #expect(delegate.replied(to: 4, .done)?.action == .stop)
    #expect(delegate.termination == .done)
    #expect(delegate.terminationTimedOut() == false)
    #expect(delegate.next(isListening: true) == nil)
  }

  @Test("a question that the state does not allow is a fault")
  func forbidden() async {
    await #expect(processExitsWith: .failure) {
      var delegate = DelegateStateMachine()
      delegate.connected(ConnectionIdentifier(1))
      delegate.sent(.didFinishLaunching(carrying: nil), 1)
    }
  }

  @Test("a termination without its question is a flaw")
  mutating func flaws() {
    launch()
    #expect(delegate.flaws == [])
    _ = delegate.beginTermination(sending: true)
    #expect(delegate.flaws == ["the delegate is terminating, but no question is pending"])
    delegate.sent(.willTerminate, 3)
    #expect(delegate.flaws == [])
  }

  @Test("willTerminate that times out, or that cannot be sent, ends the wait")
  mutating func terminationTimeout() {
    launch()
    _ = delegate.beginTermination(sending: true)
    delegate.sent(.willTerminate, 3)
    #expect(delegate.terminationTimedOut() == true)
    #expect(delegate.termination == .done)
    launch()
    #expect(delegate.beginTermination(sending: false) == nil)
    #expect(delegate.termination == .done)
  }
}
