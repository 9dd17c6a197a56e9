import SceneBroker
import SceneModel
import ScenePlatform
import Testing

@testable import SceneServer

@Suite("The output scheduler")
struct OutputSchedulerTests {
  private func connection(_ number: UInt64) -> Connection {
    let connection = Connection(
      ConnectionIdentifier(number), process: ClientProcess(pid: 1, startTime: 1), descriptor: nil,
      frameLimit: 1 << 20)
    connection.stage = .open
    return connection
  }

  private func error(_ connection: Connection, after record: UInt64 = 0) -> Outbound {
    let error = BrokerError(.tooMany, String(repeating: "x", count: 1000))
    return Outbound(
      connection: connection.identifier, message: .error(.number(1), error), after: record)
  }

  private func pass(_ output: inout OutputScheduler) -> [UInt64] {
    output.beginPass()
    var numbers: [UInt64] = []
    while let connection = output.next() { numbers.append(connection.identifier.number) }
    return numbers
  }

  @Test("a pass has each scheduled connection once, in order, and no closed connection")
  func passes() {
    var output = OutputScheduler()
    let connections = (1...3).map { connection(UInt64($0)) }
    for connection in connections + connections { output.schedule(connection) }
    #expect(output.hasReady)
    connections[1].stage = .closed
    #expect(pass(&output) == [1, 3])
    #expect(!output.hasReady)
    #expect(pass(&output).isEmpty)
  }

  @Test("a drained connection is reported once, when its client has taken all output")
  func drained() {
    var output = OutputScheduler()
    let one = connection(1)
    _ = output.append(error(one), to: one, durable: 0)
    #expect(pass(&output) == [1])
    output.reportWhenDrained(one)
    #expect(pass(&output) == [1], "the connection is looked at without new output")
    let isEarly = output.takeDrained(one)
    _ = one.outbox.flush { $0.byteCount }
    let isDrained = output.takeDrained(one)
    let isAgain = output.takeDrained(one)
    #expect(!isEarly && isDrained && !isAgain)
  }

  @Test("each invariant that does not hold has a sentence")
  func flaws() {
    var output = OutputScheduler()
    var other = OutputScheduler()
    let one = connection(1)
    _ = output.append(error(one), to: one, durable: 0)
    #expect(output.flaws(of: [one]) == [])
    let count = one.waitingByteCount
    #expect(output.flaws(of: []) == ["\(count) bytes wait, 0 in the open connections"])
    let two = connection(2)
    other.schedule(two)
    _ = other.append(error(two, after: 7), to: two, durable: 0)
    #expect(
      output.flaws(of: [one, two]) == [
        "\(count) bytes wait, \(2 * count) in the open connections",
        "the list of ready connections is wrong about 2",
        "the list of connections that wait for the disk is wrong about 2",
      ])
  }
}
