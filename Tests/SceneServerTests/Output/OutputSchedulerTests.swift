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
