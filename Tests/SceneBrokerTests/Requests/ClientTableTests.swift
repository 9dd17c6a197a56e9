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
    clients[connection]?.initialize(
      Initialize(client: ClientName(name: "notes", version: "1"), as: kind, hosts: hosts))
  }

  private func host(
    for delegateClass: String?, previous: ConnectionIdentifier? = nil,
    excluding attempted: [ConnectionIdentifier] = []
  ) -> ConnectionIdentifier? {
    clients.selectHost(for: delegateClass, previous: previous, excluding: attempted)
  }

  // MARK: - Connections

  @Test("a client that sends something responds again; input of a closing one is ignored")
  mutating func received() throws {
    open(Self.one)
    let client = try #require(clients[Self.one])
    client.isUnresponsive = true
    #expect(!client.isResponsive && client.received() && client.isResponsive)
    client.isClosing = true
    #expect(!client.received() && !client.isOpen && !client.isResponsive)
  }

  // MARK: - Callbacks

  @Test("callbacks have rising numbers on each connection, and their replies count once")
  mutating func callbacks() throws {
    open(Self.one)
    let client = try #require(clients[Self.one])
    #expect(client.beginCallback(.willConnect, of: Self.packing) == 1)
    #expect(client.numberCallback() == 2)
    #expect(client.outstandingCallbacks.mapValues(\.kind) == [1: .willConnect])
    #expect(client.hasSent(2) && !client.hasSent(3) && !client.hasSent(0))
    #expect(client.endCallback(1)?.session == Self.packing && client.endCallback(1) == nil)
    #expect(client.hasSent(1))
  }

  // MARK: - Sessions

  @Test("one connection holds a limited number of scenes, not counting a replaced one")
  mutating func limit() throws {
    open(Self.one)
    clients.connected(Self.list, to: Self.one)
    try clients.checkRoom(on: Self.one)
    clients.connected(Self.packing, to: Self.one)
    #expect(clients[Self.one]?.held == [Self.list, Self.packing] && clients.flaws.isEmpty)
    #expect(throws: BrokerError.self) { try clients.checkRoom(on: Self.one) }
    try clients.checkRoom(on: Self.one, replacing: Self.packing)
    clients.disconnected(Self.list, from: Self.one, answered: true)
    #expect(clients[Self.one]?.held == [Self.packing])
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
    clients.reservations[Self.packing] = Self.process(3)
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
    #expect(previous() == Self.one && clients.previousHolders.keys.contains(Self.packing))
    clients.close(Self.one)
    #expect(previous() == nil && previous(2) == Self.two)
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
    clients[Self.one]?.isUnresponsive = true
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
    clients[Self.two]?.isUnresponsive = true
    #expect(host(for: "Note") == nil)
    #expect(clients.unresponsiveHost(for: "Note")?.pid == Self.process(2).pid)
    #expect(clients.unresponsiveHost(for: "Tool") == nil)
    open(Self.three, hosts: ["Note"])
    clients[Self.three]?.isClosing = true
    #expect(host(for: "Note") == nil)
    open(Self.three, as: .control, hosts: ["Note"])
    #expect(host(for: "Note") == nil)
  }

  // MARK: - Signals

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
