import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

private func connection(_ number: UInt64) -> Connection {
  Connection(
    ConnectionIdentifier(number), process: ClientProcess(pid: 1, startTime: 1), descriptor: nil,
    frameLimit: 1 << 20)
}

@Suite("The input scheduler")
struct InputSchedulerTests {
  @Test("an iteration that did not read all input does not count")
  func iterations() {
    var input = InputScheduler()
    input.beginIteration(seesAll: true)
    #expect(input.iteration == 1 && !input.hasInput)
    input.hasInput = true
    input.hasNewClients = true
    #expect(input.hasInput && input.hasNewClients)
    input.beginIteration(seesAll: false)
    #expect(input.iteration == 1 && input.hasInput && !input.hasNewClients)
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
    one.input.waitsForTurn = false
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
