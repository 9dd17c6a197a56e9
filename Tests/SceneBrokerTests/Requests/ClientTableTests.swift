import SceneModel
import Testing

@testable import SceneBroker

struct ClientTableTests {
  private static let one = ConnectionIdentifier(1)
  private static let two = ConnectionIdentifier(2)
  private static let three = ConnectionIdentifier(3)
  private static let packing = SessionIdentifier(high: 0, low: 1)
  private static let list = SessionIdentifier(high: 0, low: 2)

  private var clients = ClientTable(sceneLimit: 2)

  private static func process(_ number: UInt64) -> ClientProcess {
    ClientProcess(pid: Int64(100 + number), startTime: 7)
  }

  private mutating func open(
    _ connection: ConnectionIdentifier, as kind: ClientKind = .scene, hosts: [String] = []
  ) {
    clients.open(connection, Self.process(connection.number))
    clients.initialize(
      connection,
      Initialize(client: ClientName(name: "notes", version: "1"), as: kind, hosts: hosts))
  }

  private func host(
    for delegateClass: String?, previous: ConnectionIdentifier? = nil,
    excluding attempted: [ConnectionIdentifier] = []
  ) -> ConnectionIdentifier? {
    clients.selectHost(for: delegateClass, previous: previous, excluding: attempted)
  }

  // MARK: - Connections

  @Test("a connection is initialized by its first message, and gone after it closes")
  mutating func connection() {
    clients.open(Self.one, Self.process(1))
    #expect(clients.isConnected(Self.one) && !clients.isInitialized(Self.one))
    #expect(clients.client(of: Self.one) == nil && clients.initialized.isEmpty)
    open(Self.two, as: .control)
    #expect(clients.initialized == [Self.two] && clients.kind(of: Self.two) == .control)
    #expect(clients.client(of: Self.two)?.startTime == nil)
    #expect(clients.reference(to: Self.two)?.startTime == 7)
    #expect(clients.connections(of: [Self.process(1), Self.process(2)]) == [Self.one, Self.two])
    clients.close(Self.one)
    #expect(!clients.isConnected(Self.one) && clients.process(of: Self.one) == nil)
  }

  @Test("a client that sends something responds again; input of a closing one is ignored")
  mutating func received() {
    open(Self.one)
    clients.setUnresponsive(Self.one)
    #expect(!clients.isResponsive(Self.one) && clients.isOpen(Self.one))
    let context = clients.received(from: Self.one)
    #expect(context?.kind == .scene && context?.isInitialized == true)
    #expect(clients.isResponsive(Self.one))
    clients.setClosing(Self.one)
    let closing = clients.received(from: Self.one)
    #expect(closing == nil && !clients.isOpen(Self.one) && !clients.isResponsive(Self.one))
  }

  // MARK: - Callbacks

  @Test("callbacks have rising numbers on each connection, and their replies count once")
  mutating func callbacks() {
    open(Self.one)
    open(Self.two)
    let numbers = [
      clients.beginCallback(.willConnect, of: Self.packing, on: Self.one),
      clients.numberCallback(on: Self.one),
      clients.beginCallback(.refresh, of: Self.list, on: Self.two),
      clients.beginCallback(.refresh, of: Self.list, on: Self.three),
    ]
    #expect(numbers == [1, 2, 1, nil])
    #expect(clients.callback(1, of: Self.one)?.kind == .willConnect)
    #expect(clients.callback(2, of: Self.one) == nil)
    #expect(clients.hasSent(2, to: Self.one) && !clients.hasSent(3, to: Self.one))
    #expect(!clients.hasSent(0, to: Self.one))
    let first = clients.endCallback(1, on: Self.one)
    let second = clients.endCallback(1, on: Self.one)
    #expect(first?.session == Self.packing && second == nil)
    #expect(clients.hasSent(1, to: Self.one))
  }

  // MARK: - Sessions

  @Test("one connection holds a limited number of scenes, not counting a replaced one")
  mutating func limit() throws {
    open(Self.one)
    clients.connected(Self.list, to: Self.one)
    try clients.checkRoom(on: Self.one)
    clients.connected(Self.packing, to: Self.one)
    #expect(clients.held(by: Self.one) == [Self.list, Self.packing] && clients.flaws.isEmpty)
    #expect(throws: BrokerError.self) { try clients.checkRoom(on: Self.one) }
    try clients.checkRoom(on: Self.one, replacing: Self.packing)
    clients.disconnected(Self.list, from: Self.one, answered: true)
    #expect(clients.held(by: Self.one) == [Self.packing])
  }

  @Test("a session with two holders is a flaw, and so is a reserved session with a holder")
  mutating func flaws() {
    open(Self.one)
    open(Self.two)
    clients.connected(Self.packing, to: Self.one)
    #expect(clients.flaws.isEmpty)
    clients.connected(Self.packing, to: Self.two)
    #expect(clients.flaws.count == 1)
    clients.disconnected(Self.packing, from: Self.two, answered: false)
    clients.reserve(Self.packing, for: Self.process(3))
    #expect(clients.flaws.count == 1)
  }

  @Test("the previous holder is a client that answered, else a host of the former process")
  mutating func previousHolder() {
    open(Self.one)
    open(Self.two, hosts: ["Note"])
    func previous(_ process: UInt64? = nil) -> ConnectionIdentifier? {
      clients.previousHolder(
        of: Self.packing, or: process.map(Self.process), hosting: "Note")
    }
    clients.connected(Self.packing, to: Self.one)
    clients.disconnected(Self.packing, from: Self.one, answered: false)
    #expect(previous() == nil && previous(1) == nil && previous(2) == Self.two)
    clients.connected(Self.packing, to: Self.one)
    clients.disconnected(Self.packing, from: Self.one, answered: true)
    #expect(previous() == Self.one && clients.previouslyHeld == [Self.packing])
    clients.close(Self.one)
    #expect(previous() == nil && previous(2) == Self.two)
    clients.forget(Self.packing)
    #expect(clients.previouslyHeld.isEmpty)
  }

  // MARK: - Hosts

  @Test("the host with the fewest scenes is selected, the oldest connection of several")
  mutating func fewest() {
    open(Self.one, hosts: ["Note"])
    open(Self.two, hosts: ["Note"])
    open(Self.three, hosts: ["Tool"])
    #expect(host(for: "Note") == Self.one && host(for: nil) == nil)
    clients.connected(Self.packing, to: Self.one)
    #expect(host(for: "Note") == Self.two && host(for: "Tool") == Self.three)
    #expect(host(for: "Note", excluding: [Self.two]) == Self.one)
    #expect(host(for: "Note", excluding: [Self.one, Self.two]) == nil)
  }

  @Test("the previous holder comes first, even if it is no host, unless it hosts one scene of any")
  mutating func previousFirst() {
    open(Self.one)
    open(Self.two, hosts: ["Note"])
    #expect(host(for: "Note", previous: Self.one) == Self.one)
    #expect(host(for: "Note", previous: Self.one, excluding: [Self.one]) == Self.two)
    clients.setUnresponsive(Self.one)
    #expect(host(for: "Note", previous: Self.one) == Self.two)
    open(Self.three, hosts: ["*"])
    clients.connected(Self.list, to: Self.three)
    #expect(host(for: "Other", previous: Self.three) == nil)
  }

  @Test("a host of any class has one scene; full, closing and unresponsive clients get none")
  mutating func none() {
    open(Self.one, hosts: ["*"])
    #expect(host(for: "Note") == Self.one)
    clients.connected(Self.packing, to: Self.one)
    #expect(host(for: "Note") == nil)
    open(Self.two, hosts: ["Note"])
    clients.setUnresponsive(Self.two)
    #expect(host(for: "Note") == nil)
    #expect(clients.unresponsiveHost(for: "Note")?.pid == Self.process(2).pid)
    #expect(clients.unresponsiveHost(for: "Tool") == nil)
    open(Self.three, hosts: ["Note"])
    clients.setClosing(Self.three)
    #expect(host(for: "Note") == nil)
    open(Self.three, as: .control, hosts: ["Note"])
    #expect(host(for: "Note") == nil)
  }

  // MARK: - Reservations and signals

  @Test("a reservation is for one process until it is removed")
  mutating func reservations() {
    clients.reserve(Self.packing, for: Self.process(1))
    clients.reserve(Self.list, for: Self.process(2))
    #expect(clients.reservationCount == 2 && clients.reservedSessions().count == 2)
    #expect(clients.reservedSessions(for: Self.process(2)) == [Self.list])
    clients.removeReservation(of: Self.list)
    #expect(clients.reservation(of: Self.list) == nil)
    #expect(clients.reservation(of: Self.packing) == Self.process(1))
  }

  @Test("a signal explains an end within ten seconds, KILL explains it at any time")
  mutating func signals() {
    open(Self.one)
    clients.connected(Self.packing, to: Self.one)
    let sender = ClientReference(name: "scenectl", pid: 9)
    let sessions = clients.sent(SentSignal("TERM", by: sender), to: Self.process(1), at: 0)
    #expect(sessions == [Self.packing])
    #expect(clients.signal(ending: Self.one, at: 10_000_000_000)?.signal == "TERM")
    #expect(clients.signal(ending: Self.one, at: 10_000_000_001) == nil)
    _ = clients.sent(SentSignal("KILL", by: sender), to: Self.process(1), at: 0)
    _ = clients.sent(SentSignal("CONT", by: sender), to: Self.process(1), at: 5)
    #expect(clients.signal(ending: Self.one, at: 10_000_000_001)?.signal == "KILL")
  }
}
