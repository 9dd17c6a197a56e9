import SceneModel
import Testing

@testable import SceneBroker

/// The checks that the fixture makes after every event find what is wrong, and a state machine ends
/// the broker at a step that its state does not allow.
struct InvariantTests {
  private static let session = SessionIdentifier(high: 0, low: 1)
  private static let one = ConnectionIdentifier(1)

  // MARK: - Flaws

  @Test("a session with two holders is a flaw, and so is a reserved session with a holder")
  func holders() {
    var clients = ClientTable(sceneLimit: 2)
    let two = ConnectionIdentifier(2)
    for connection in [Self.one, two] {
      clients.open(connection, ClientProcess(pid: Int64(connection.number), startTime: 7))
      clients[connection]?.initialize(Initialize())
    }
    clients.connected(Self.session, to: Self.one)
    #expect(clients.flaws.isEmpty)
    clients.connected(Self.session, to: two)
    #expect(clients.flaws.count == 1)
    clients.disconnected(Self.session, from: two, answered: false, at: 0)
    clients.reservations[Self.session] = ClientProcess(pid: 3, startTime: 7)
    #expect(clients.flaws.count == 1)
  }

  @Test("a session that is held and has an end is a flaw", arguments: [false, true])
  func heldWithEnd(ofAllSessions: Bool) throws {
    var state = StoredState()
    try state.apply(
      .session(SessionAttributes(identifier: Self.session, configuration: SceneConfiguration())))
    var hold = Hold(session: Self.session)
    hold.holder = ClientProcess(pid: 7, startTime: 1)
    hold.end = DisconnectOutcome(reason: .connectionLost)
    try state.apply(.held(hold))
    #expect(
      state.flaws(ofAllSessions: ofAllSessions) == ["\(Self.session) is held and has an end"])
  }

  @Test("a session that is pending twice is a flaw, and so is a name of two")
  func pendingSessions() {
    func session(_ number: UInt64, name: String? = nil) -> PendingSession {
      PendingSession(
        identifier: SessionIdentifier(high: 0, low: number), name: name, role: .windowApplication,
        wantedConfiguration: nil, userInfo: .empty, title: nil, purpose: .connect(nil, .none),
        requester: Requester(connection: Self.one, request: nil))
    }
    var sessions = PendingSessions()
    sessions.add(session(1, name: "a"))
    sessions.add(session(2, name: "b"))
    #expect(sessions.flaws == [])
    sessions.add(session(1))
    #expect(sessions.flaws == ["a session is pending twice"])
    _ = sessions.decide(session(1).identifier)
    sessions.add(session(3, name: "b"))
    #expect(sessions.flaws == ["two pending sessions have one name"])
  }

  @Test("a sync of records that do not exist is a flaw")
  func syncedRecords() {
    var barriers = DurabilityBarriers()
    barriers.add(.held(Hold(session: Self.session)), byteCount: 100)
    #expect(barriers.flaws == [])
    barriers.removeSynced(upTo: 2)
    #expect(barriers.flaws == ["2 records are synced, and only 1 exist"])
  }

  @Test("a termination of the delegate without its question is a flaw")
  func termination() {
    var delegate = DelegateStateMachine()
    delegate.connected(Self.one)
    #expect(delegate.flaws == [])
    _ = delegate.beginTermination(sending: true)
    #expect(delegate.flaws == ["the delegate is terminating, but no question is pending"])
    delegate.sent(.willTerminate, 1)
    #expect(delegate.flaws == [])
  }

  // MARK: - Faults

  @Test("a callback that the state does not allow is a fault")
  func callback() async {
    await #expect(processExitsWith: .failure) {
      let machine = SceneStateMachine(
        Self.session, holder: Self.one, hold: 1, resumedIn: .background, target: .foregroundActive)
      machine.sent(PendingCallback(number: 1, kind: .didBecomeActive))
    }
  }

  @Test("a question that the state of the delegate does not allow is a fault")
  func question() async {
    await #expect(processExitsWith: .failure) {
      var delegate = DelegateStateMachine()
      delegate.connected(Self.one)
      delegate.sent(.didFinishLaunching(carrying: nil), 1)
    }
  }

  @Test("the failure of a launch that has started no process is a fault")
  func launch() async {
    await #expect(processExitsWith: .failure) {
      let kind = LaunchKind(role: .windowApplication, configuration: "Note")
      let launches = LaunchSupervisor()
      launches.begin(Self.session, by: nil)
      _ = launches.failed(Self.session, kind, "exited with status 1", startCount: 1, at: 0)
    }
  }
}
