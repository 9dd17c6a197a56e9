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
    connection.open()
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

  private func result(
    _ output: inout OutputScheduler, _ outcome: SendOutcome, _ connection: Connection
  ) -> OutputScheduler.SendResult {
    output.didSend(outcome, to: connection)
  }

  private func verdict(
    _ output: inout OutputScheduler, _ connection: Connection, hasTaken: Bool = false,
    _ limits: Limits = Limits()
  ) -> OutputScheduler.ReaderState {
    output.checkReader(connection, hasTaken: hasTaken, limits: limits)
  }

  @Test("a pass has each scheduled connection once, in order, and no closed connection")
  func passes() {
    var output = OutputScheduler()
    let connections = (1...3).map { connection(UInt64($0)) }
    for connection in connections + connections { output.schedule(connection) }
    #expect(output.hasReady)
    connections[1].close()
    #expect(pass(&output) == [1, 3])
    #expect(!output.hasReady)
    #expect(pass(&output).isEmpty)
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

  @Test("a connection that is scheduled during a pass is in the next pass")
  func nextPass() {
    var output = OutputScheduler()
    let one = connection(1)
    output.schedule(one)
    output.beginPass()
    while let connection = output.next() { output.schedule(connection) }
    #expect(output.hasReady)
    #expect(pass(&output) == [1])
  }

  @Test("output about a record waits until the record is durable")
  func awaitingSync() {
    var output = OutputScheduler()
    let one = connection(1)
    #expect(output.append(error(one, after: 5), to: one, durable: 4) == nil)
    #expect(output.awaitsDisk)
    for (durable, waits) in [(UInt64(4), true), (5, false)] {
      output.beginRelease()
      while let connection = output.nextToRelease() {
        connection.outbox.release(upTo: durable) { _ in }
        output.didRelease(connection)
      }
      #expect(output.awaitsDisk == waits)
      #expect(one.outbox.waitsForDisk == waits)
    }
  }

  @Test("waiting bytes are those of all open connections")
  func counting() {
    var output = OutputScheduler()
    let (one, two) = (connection(1), connection(2))
    _ = output.append(error(one), to: one, durable: 0)
    _ = output.append(error(two, after: 1), to: two, durable: 0)
    #expect(output.waitingByteCount == one.outbox.byteCount + two.outbox.byteCount)
    two.close()
    output.remove(two)
    #expect(!output.awaitsDisk)
    #expect(output.waitingByteCount == one.outbox.byteCount)
    if let buffer = one.outbox.flush({ $0.byteCount }) { output.recycle(buffer) }
    output.recount(one)
    #expect(output.waitingByteCount == 0)
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

  @Test("output counts against a turn until the next pass")
  func written() {
    var output = OutputScheduler()
    let one = connection(1)
    for _ in 1...2 { _ = output.append(error(one), to: one, durable: 0) }
    #expect(one.output.writtenByteCount == one.outbox.byteCount)
    _ = pass(&output)
    #expect(one.output.writtenByteCount == 0)
  }

  @Test("the loop sends again while the kernel lacks memory, but not forever")
  func memory() {
    var output = OutputScheduler()
    let one = connection(1)
    let noMemory = SendOutcome.failed(.noMemory)
    for _ in 0..<OutputScheduler.maxResends {
      #expect(result(&output, noMemory, one) == .resendLater)
      #expect(result(&output, noMemory, one) == .open, "one timer runs")
      output.resend(one)
    }
    #expect(result(&output, noMemory, one) == .keepsFailing(.noMemory))
  }

  @Test("a send that succeeds ends the wait for memory")
  func recovery() {
    var output = OutputScheduler()
    let one = connection(1)
    #expect(result(&output, .failed(.noMemory), one) == .resendLater)
    #expect(result(&output, .bytes(7), one) == .recovered)
    #expect(one.output.resendCount == 0)
    #expect(result(&output, .bytes(7), one) == .open)
    #expect(result(&output, .wouldBlock, one) == .open)
  }

  @Test("a client that does not read has two timers if it reads something in the first")
  func slowReader() {
    var limits = Limits()
    (limits.slowReaderBytes, limits.outboxBytes) = (100, 10_000)
    var output = OutputScheduler()
    let one = connection(1)
    #expect(verdict(&output, one, limits) == .keepsUp)
    _ = output.append(error(one), to: one, durable: 0)
    #expect(verdict(&output, one, limits) == .startTimer)
    #expect(verdict(&output, one, limits) == .keepsUp)
    output.scheduleLastOffer(one)
    #expect(verdict(&output, one, hasTaken: true, limits) == .startTimer)
    output.scheduleLastOffer(one)
    #expect(verdict(&output, one, hasTaken: true, limits) == .slowReader)
    _ = one.outbox.flush { $0.byteCount }
    #expect(verdict(&output, one, limits) == .stopTimer)
    #expect(verdict(&output, one, limits) == .keepsUp)
  }

  @Test("too much output closes a connection at once")
  func tooMuch() {
    var limits = Limits()
    limits.outboxBytes = 500
    var output = OutputScheduler()
    let (one, two) = (connection(1), connection(2))
    _ = output.append(error(one), to: one, durable: 0)
    #expect(verdict(&output, one, limits) == .slowReader)
    for _ in 1...2 { _ = output.append(error(two, after: 1), to: two, durable: 0) }
    #expect(verdict(&output, two, limits) == .diskBehind)
  }

  @Test("a lingering connection closes when it is empty, or when its time is over")
  func lingering() {
    var output = OutputScheduler()
    let one = connection(1)
    one.linger()
    _ = output.append(error(one), to: one, durable: 0)
    #expect(verdict(&output, one) == .keepsUp)
    output.scheduleLastOffer(one)
    #expect(verdict(&output, one) == .close)
    _ = one.outbox.flush { $0.byteCount }
    #expect(verdict(&output, one) == .close)
  }
}
