import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

private func connection(_ number: UInt64) -> Connection {
  Connection(
    ConnectionIdentifier(number), process: ClientProcess(pid: 1, startTime: 1), descriptor: nil,
    frameLimit: 1 << 20)
}

@Suite("The request pipeline")
struct RequestPipelineTests {
  private func append(
    _ text: String, from connection: Connection, to requests: inout RequestPipeline
  ) throws {
    let bytes = ContiguousArray(text.utf8)
    let envelope = try requests.envelope(of: bytes.span)
    guard case .request(let identifier, let method, let params) = envelope else {
      Issue.record("not a request: \(text)")
      return
    }
    requests.append(identifier, method: method, params: params, from: connection)
  }

  @Test("requests leave the pipeline in the order of their arrival, valid or not")
  func order() throws {
    var requests = RequestPipeline()
    let (one, two) = (connection(1), connection(2))
    for _ in 1...2 {
      #expect(requests.isEmpty)
      try append(#"{"jsonrpc":"2.0","id":7,"method":"broker/ping"}"#, from: one, to: &requests)
      try append(#"{"jsonrpc":"2.0","id":8,"method":"no/such"}"#, from: two, to: &requests)
      #expect(one.input.hasParsedRequest && two.input.hasParsedRequest && !requests.isEmpty)
      guard case .valid(let first, .number(7), RequestMethod(Ping.self), .ping)? = requests.next(),
        case .invalid(let second, .number(8), let error)? = requests.next()
      else {
        Issue.record("wrong requests")
        return
      }
      #expect(first === one && second === two)
      #expect(error.reason == .methodNotFound)
      #expect(requests.next() == nil)
    }
  }

  @Test("a frame without a message is refused")
  func noMessage() {
    let bytes = ContiguousArray("[1]".utf8)
    #expect(throws: EnvelopeError.self) { try RequestPipeline().envelope(of: bytes.span) }
  }
}

@Suite("The input scheduler")
struct InputSchedulerTests {
  @Test("an iteration that did not read all input does not count")
  func iterations() {
    var input = InputScheduler()
    input.beginIteration(seesAll: true)
    #expect(input.iteration == 1 && !input.hasInput)
    input.noteInput()
    input.noteNewClients()
    #expect(input.hasInput && input.hasNewClients)
    input.beginIteration(seesAll: false)
    #expect(input.iteration == 1 && input.hasInput && !input.hasNewClients)
  }

  @Test("a connection has one turn, and its turns are in order")
  func turns() {
    var input = InputScheduler()
    let (one, two) = (connection(1), connection(2))
    for connection in [one, two, one] { input.waitForTurn(connection) }
    #expect(input.turnCount == 2 && one.input.waitsForTurn)
    #expect(input.beginTurn(at: 0) === one)
    #expect(!one.input.waitsForTurn)
    input.waitForTurn(one)
    input.endTurns(1)
    #expect(input.beginTurn(at: 0) === two)
    #expect(input.beginTurn(at: 1) === one)
    input.endTurns(2)
    #expect(!input.hasTurns)
  }

  @Test("a connection can have unread input after a full read, in a turn, and while bytes are held")
  func unread() {
    var input = InputScheduler()
    input.beginIteration(seesAll: true)
    let one = connection(1)
    #expect(!input.hasUnreadInput(one))
    one.input.didRead(isFull: true, in: 1)
    #expect(input.hasUnreadInput(one))
    input.beginIteration(seesAll: true)
    #expect(!input.hasUnreadInput(one))
    let byte: ContiguousArray<UInt8> = [1]
    one.input.hold(byte.span)
    #expect(input.hasUnreadInput(one))
  }

  @Test("a connection that waits for a turn is in the list once")
  func flaws() {
    var input = InputScheduler()
    let one = connection(1)
    input.waitForTurn(one)
    input.waitForTurn(one)
    #expect(input.flaws(of: [one]) == [])
    one.input.beginTurn()
    #expect(input.flaws(of: [one]) == ["connection 1 is 1 times in the list of turns"])
  }
}

@Suite("The memory monitor")
struct MemoryMonitorTests {
  @Test("memory is returned once when the size has fallen far enough")
  func threshold() {
    var returns = 0
    var memory = MemoryMonitor { returns += 1 }
    let large = 2 * MemoryMonitor.threshold
    let schedules = [large, large - MemoryMonitor.threshold + 1, large / 2, 0].map {
      memory.note($0)
    }
    #expect(schedules == [false, false, true, false])
    memory.returnUnused(0)
    #expect(returns == 1 && !memory.isScheduled)
    let isAgain = memory.note(0)
    #expect(!isAgain)
  }
}
