import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneBroker
@testable import SceneServer

/// The processes that the broker started for sessions, and the processes that they started.
struct ChildProcessesTests {
  private let workplace: Workplace
  private let programs: ChildProcesses
  private let launch = LaunchIdentifier(number: 1)

  init() throws {
    workplace = try Workplace()
    programs = ChildProcesses(
      poller: try Poller(), log: Log { _, _ in true }, processes: RealProcesses(),
      socket: workplace.socket, directory: nil)
  }

  private func start(_ words: String...) throws -> ChildProcess {
    let process = try programs.start(
      LaunchRequest(identifier: launch, session: .none, command: LaunchCommand(words: words)),
      token: "0")
    return ChildProcess(pid: Int32(process.pid))
  }

  @Test("the processes that an ended program left in its group are killed before it is reaped")
  func company() throws {
    let leader = try start("sh", "-c", "sleep 60 & exit 3")
    try leader.awaitEnd()
    #expect(programs.takeExits().map(\.status) == [ClientExit(status: 3)])
    #expect(!programs.isEmpty)
    programs.runTimers(at: try #require(programs.nextTimer))
    #expect(programs.isEmpty && leader.endIfEnded == nil)
  }

  @Test("a program that cannot start leaves no FIFO of its output")
  func notStarted() throws {
    let file = try workplace.write("program", "")
    #expect(throws: SystemError.self) { try start(file) }
    #expect(programs.outputCount == 0)
    #expect(try Directory.list(workplace.path) == ["program"])
  }

  @Test("a process that joins the group after the kill is killed too, and the leader is reaped")
  func latecomer() throws {
    let leader = try start("sleep", "60")
    programs.end(launch)
    programs.runTimers(at: .max)
    try leader.awaitEnd()
    let latecomer = try ChildProcess.spawn("sleep", ["60"], group: leader.pid)
    #expect(programs.takeExits().map(\.launch) == [launch])
    #expect(!programs.isEmpty)
    programs.runTimers(at: try #require(programs.nextTimer))
    #expect(programs.isEmpty && leader.endIfEnded == nil)
    #expect(try latecomer.reap() == .signalled(.kill))
  }
}
