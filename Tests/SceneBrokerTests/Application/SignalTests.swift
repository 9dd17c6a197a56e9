import SceneModel
import Testing

@testable import SceneBroker

/// Signals that the broker sends for a client.
final class SignalTests: BrokerSuite {
  private static func signal(
    _ session: SessionIdentifier, _ name: String = "KILL", pid: Int64? = nil
  ) -> any RequestMessage {
    SceneSignal(session: session, signal: name, pid: pid)
  }

  private func history(of session: SessionIdentifier, from control: Client) -> SessionHistory.Reply?
  {
    control.ask(SessionHistory(session: session))
    guard let history = control.lastReply?.content as? SessionHistory.Reply else { return nil }
    return history
  }

  @Test("the trace, the history and a later broker name the sender of KILL")
  func sender() throws {
    let session = scene.become("packing")
    #expect(control.hears(Self.signal(session, pid: scene.process.pid)) == ["2 {}"])
    scene.close()
    let ends = try #require(history(of: session, from: control))
    #expect(ends.reasons.suffix(2).map(\.event) == [.signalled, .disconnected])
    #expect(ends.reasons.suffix(2).map(\.by?.pid) == [control.process.pid, control.process.pid])
    #expect(ends.reasons.suffix(2).map(\.reason) == ["KILL", "connectionLost"])
    let next = fixture.crashed()
    let later = try #require(history(of: session, from: next.control()))
    #expect(later.end?.signal?.signal == "KILL")
    #expect(later.end?.signal?.by.pid == control.process.pid)
    next.client().become("packing")
    #expect(history(of: session, from: next.control())?.end == nil)
  }

  @Test("the end of a scene does not name a signal that the process can survive")
  func survived() throws {
    let session = scene.become("packing")
    control.ask(Self.signal(session, "TERM"))
    scene.close()
    let ends = try #require(history(of: session, from: control))
    #expect(ends.reasons.last?.event == .disconnected)
    #expect(ends.reasons.last?.by == nil)
    #expect(ends.end?.signal?.signal == "TERM")
  }

  @Test("a signal explains only an end within ten seconds, unless it is KILL")
  func late() throws {
    let cases: [([String], Int64, String?)] = [
      (["TERM"], 10, "TERM"), (["TERM"], 11, nil), (["KILL", "CONT"], 11, "KILL"),
    ]
    for (names, seconds, signal) in cases {
      let fixture = BrokerFixture()
      let client = fixture.client()
      let session = client.become("packing")
      let control = fixture.control()
      for name in names { control.ask(Self.signal(session, name)) }
      fixture.pass(.seconds(seconds))
      client.close()
      let end = try #require(history(of: session, from: control)?.end)
      #expect(end.signal?.signal == signal)
    }
  }

  @Test("a signal that stops a process is in the trace and not in the end")
  func stops() throws {
    let session = scene.become("packing")
    control.ask(Self.signal(session, "STOP"))
    scene.close()
    let ends = try #require(history(of: session, from: control))
    #expect(ends.reasons.suffix(2).map(\.event) == [.signalled, .disconnected])
    #expect(ends.reasons.last?.by == nil)
    #expect(ends.end?.signal == nil)
  }

  @Test(
    "a signal that was not sent leaves no trace",
    arguments: [
      (.gone, "2 {}"), (.unknown, "2 invalidParams"), (.refused("no"), "2 notPermitted"),
    ] as [(SignalOutcome, String)])
  func notSent(outcome: SignalOutcome, answer: String) throws {
    fixture.signalOutcome = { _ in outcome }
    let session = scene.become("packing")
    #expect(control.hears(Self.signal(session)) == [answer])
    scene.close()
    let ends = try #require(history(of: session, from: control))
    #expect(!ends.reasons.contains { $0.event == .signalled })
    #expect(ends.reasons.last?.by == nil)
    #expect(ends.end?.signal == nil)
  }

  @Test("only a control can send a signal, and only to the process that it names")
  func refusals() {
    let session = scene.become("packing")
    #expect(scene.hears(Self.signal(session)).last?.hasSuffix(" notPermitted") == true)
    #expect(control.hears(Self.signal(session, pid: 1)) == ["2 sessionInUse"])
    scene.close()
    #expect(control.hears(Self.signal(session)) == ["3 sessionNotHeld"])
  }

  @Test("signals have their outcome in the order in which they were requested")
  func order() {
    var waiters = ConditionWaiters()
    for signal in ["TERM", "HUP"] {
      waiters.add(
        PendingSignal(
          session: SessionIdentifier(high: 0, low: 1),
          process: ClientProcess(pid: 101, startTime: 7), signal: signal,
          sender: ClientReference(name: "scenectl", pid: 9),
          requester: Requester(connection: ConnectionIdentifier(1), request: nil)))
    }
    #expect((1...3).map { _ in waiters.completeSignal()?.signal } == ["TERM", "HUP", nil])
  }
}
