import SceneModel
import Testing

@testable import SceneBroker

struct PendingSessionsTests {
  private var sessions = PendingSessions()

  private func session(
    _ number: UInt64, name: String? = nil, connects: Bool = true, connection: UInt64 = 1
  ) -> PendingSession {
    PendingSession(
      identifier: SessionIdentifier(high: 0, low: number), name: name, role: .windowApplication,
      wantedConfiguration: nil, userInfo: .empty, title: nil,
      purpose: connects ? .connect(nil, .none) : .activate(.refresh),
      requester: Requester(connection: ConnectionIdentifier(connection), request: nil))
  }

  @Test("undecided sessions are decided once, oldest first")
  mutating func order() {
    sessions.add(session(1, name: "a"))
    sessions.add(session(2))
    #expect(sessions.hasUndecided(named: "a") && sessions.hasUndecided(.windowApplication))
    #expect(sessions.firstUndecided?.identifier.low == 1)
    #expect(sessions.decide(session(2).identifier)?.identifier.low == 2)
    #expect(sessions.decide(session(2).identifier) == nil)
    #expect(sessions.removeUndecided().map(\.identifier.low) == [1])
    #expect(sessions.count == 0 && !sessions.hasUndecided(named: "a"))
  }

  @Test("a closed connection removes the pending sessions whose scene it requested")
  mutating func closed() {
    sessions.add(session(1))
    sessions.add(session(2, connects: false))
    sessions.add(session(3, connection: 2))
    sessions.removeConnecting(of: ConnectionIdentifier(1))
    #expect(sessions.removeUndecided().map(\.identifier.low) == [2, 3])
  }

  @Test("a session that is pending twice is a flaw, and so is a name of two")
  mutating func flaws() {
    sessions.add(session(1, name: "a"))
    sessions.add(session(2, name: "b"))
    #expect(sessions.flaws == [])
    sessions.add(session(1))
    #expect(sessions.flaws == ["a session is pending twice"])
    _ = sessions.decide(session(1).identifier)
    sessions.add(session(3, name: "b"))
    #expect(sessions.flaws == ["two pending sessions have one name"])
  }

  @Test("a configured session is found by name and identifier until its process has it")
  mutating func configured() {
    let pending = session(1, name: "a", connects: false)
    sessions.add(
      ConfiguredSession(
        pending: pending,
        resolved: ResolvedConfiguration(configuration: .standard, userInfo: .empty)))
    #expect(sessions.configured(named: "a") == pending.identifier)
    #expect(sessions[pending.identifier] == pending)
    #expect(sessions.count == 1 && sessions.configured.count == 1)
    #expect(!sessions.hasUndecided(named: "a"))
    #expect(sessions.removeConfigured(pending.identifier)?.pending == pending)
    #expect(sessions.removeConfigured(pending.identifier) == nil)
    #expect(sessions.count == 0)
  }
}
