import SceneModel
import Testing

@testable import SceneBroker

struct LaunchSupervisorTests {
  private let kind = LaunchKind(role: .windowApplication, configuration: "Note")
  private let command = LaunchCommand(words: ["/bin/note"])
  private let connection = ConnectionIdentifier(1)
  private var launches = LaunchSupervisor()
  private var now: Int64 = 1_000_000_000_000

  private func session(_ number: UInt64) -> SessionIdentifier {
    SessionIdentifier(high: 0, low: number)
  }

  private func process(_ number: UInt64) -> ClientProcess {
    ClientProcess(pid: Int64(number), startTime: 7)
  }

  private mutating func start(_ number: UInt64, startCount: Int = 0) -> LaunchSupervisor.Action {
    if !launches.contains(session(number)) {
      launches.begin(session(number), by: nil)
    }
    return launches.start(session(number), kind, command, startCount: startCount, at: now)
  }

  /// Starts a process that the event loop could start.
  private mutating func launch(_ number: UInt64) -> LaunchIdentifier {
    guard case .start(let request) = start(number) else {
      Issue.record("no start")
      return LaunchIdentifier(number: 0)
    }
    #expect(request.session == session(number) && request.command == command)
    _ = launches.started(request.identifier, process(number), token: "token \(number)")
    return request.identifier
  }

  /// A process of the session has failed and has ended.
  private mutating func fail(_ number: UInt64, startCount: Int = 1) -> LaunchSupervisor.Action {
    launches.begin(session(number), by: nil)
    launches.stopping(session(number), LaunchIdentifier(number: 99), problem: nil)
    return launches.failed(
      session(number), kind, "exited with status 1", startCount: startCount, at: now)
  }

  private mutating func failure(
    _ launch: LaunchIdentifier, _ exit: ClientExit
  ) -> LaunchSupervisor.Failure? {
    launches.exited(launch, exit)?.failure
  }

  /// The queued sessions that may start now.
  private mutating func next() -> [UInt64] {
    var numbers: [UInt64] = []
    while let session = launches.nextStart() { numbers.append(session.low) }
    return numbers
  }

  @Test("a process that connects takes its session, and is found by its token until then")
  mutating func connects() throws {
    let one = launch(1)
    #expect(launches.startingProcesses == [process(1)])
    #expect(try launches.launch(showing: "token 1", as: .scene) == one)
    #expect(launches.waiting(for: one)?.reference == ClientReference(name: "note", pid: 1))
    #expect(launches.connected(one, on: connection) == session(1))
    #expect(launches.remove(session(1)) != nil)
    launches.finishStart(one)
    #expect(launches.waiting(for: one) == nil)
    #expect(launches.process(one)?.connection == connection)
    #expect(launches.flaws.isEmpty)
    #expect(failure(one, ClientExit(status: 0)) == nil)
    #expect(launches.processesThatRun.isEmpty)
  }

  @Test("five processes of a kind start at once, and the next when one has a result")
  mutating func queue() {
    let first = launch(1)
    for number in UInt64(2)...5 { _ = launch(number) }
    #expect(start(6) == .wait)
    #expect(start(7) == .wait)
    #expect(next() == [])
    launches.finishStart(first)
    #expect(next() == [6, 7])
    guard case .start = start(6) else {
      Issue.record("no start")
      return
    }
    #expect(start(7) == .wait)
    #expect(next() == [])
    #expect(launches.flaws.isEmpty)
  }

  @Test("a queued launch that is cancelled in a round is not returned in it")
  mutating func cancelledInRound() {
    let first = launch(1)
    for number in UInt64(2)...5 { _ = launch(number) }
    for number in UInt64(6)...8 { _ = start(number) }
    launches.finishStart(first)
    #expect(launches.nextStart() == session(6))
    _ = launches.cancel(session(7))
    #expect(next() == [8])
  }

  @Test("a queued launch whose kind has no starting process is a flaw")
  mutating func queuedWithoutReason() {
    let first = launch(1)
    for number in UInt64(2)...5 { _ = launch(number) }
    #expect(start(6) == .wait)
    #expect(launches.flaws == [])
    let other = LaunchKind(role: .windowApplication, configuration: "List")
    launches.begin(session(7), by: nil)
    _ = launches.start(session(7), other, command, startCount: 0, at: now)
    for number in UInt64(1)...5 { _ = launches.cancel(session(number)) }
    #expect(launches.process(first)?.isStarting == false)
    #expect(
      launches.flaws == [
        "the launch of \(session(6)) is queued, but no process of its kind is starting"
      ])
    #expect(next() == [6])
  }

  @Test("the failure of a launch that has started no process is a fault")
  func forbidden() async {
    await #expect(processExitsWith: .failure) {
      let session = SessionIdentifier(high: 0, low: 1)
      let kind = LaunchKind(role: .windowApplication, configuration: "Note")
      var launches = LaunchSupervisor()
      launches.begin(session, by: nil)
      _ = launches.failed(session, kind, "exited with status 1", startCount: 1, at: 0)
    }
  }

  @Test("the delay before a restart doubles, and the fifth failure within ten seconds is the last")
  mutating func restarts() {
    for (count, milliseconds) in [(1, Int64(250)), (2, 500), (3, 1000), (4, 2000)] {
      let failure = fail(1, startCount: count)
      #expect(failure == .restart(after: .milliseconds(milliseconds)))
      #expect(launches[session(1)]?.state == .backoff)
    }
    let problem = "exited with status 1"
    let pause = LaunchSupervisor.startLimitInterval
    #expect(fail(1, startCount: 4) == .fail(failures: 5, problem: problem, pause: pause))
    now += 1
    let rest = Interval(nanoseconds: pause.nanoseconds - 1)
    #expect(start(2) == .postpone(failures: 5, problem: problem, pause: rest))
    now += rest.nanoseconds
    guard case .start = start(2) else {
      Issue.record("no start")
      return
    }
  }

  @Test("a session has five starts, however long they take")
  mutating func starts() {
    #expect(start(1, startCount: 5) == .fail(failures: 0, problem: nil, pause: nil))
    #expect(
      fail(1, startCount: 5)
        == .fail(failures: 1, problem: "exited with status 1", pause: nil))
  }

  @Test("the problem of a process that ends is its exit, unless it was stopped for another")
  mutating func problems() {
    let exit = ClientExit(status: 3)
    let (one, two, three) = (launch(1), launch(2), launch(3))
    #expect(failure(one, exit) == .init(problem: exit.description, isTimed: true))
    launches.stopping(session(2), two, problem: "did not connect")
    #expect(launches.awaitsProcessEnd)
    #expect(failure(two, exit) == .init(problem: "did not connect", isTimed: false))
    _ = launches.cancel(session(3))
    #expect(failure(three, exit) == nil)
    #expect(launches.processesThatRun.isEmpty)
  }

  @Test("a launch that could not start is idle, and its process is gone")
  mutating func notStarted() {
    guard case .start(let request) = start(1) else {
      Issue.record("no start")
      return
    }
    let launch = request.identifier
    #expect(launches.startFailed(launch) == session(1))
    #expect(launches[session(1)]?.state == .idle)
    #expect(launches.process(launch) == nil)
    #expect(launches.startFailed(launch) == nil)
  }

  @Test("a process that connects without its token is adopted, if it is the one that was started")
  mutating func adopted() {
    let one = launch(1)
    #expect(launches.adopt(process(9), for: session(1), on: connection) == nil)
    #expect(launches.adopt(process(1), for: session(1), on: connection) == one)
    #expect(launches.process(one)?.connection == connection)
    #expect(launches.cancel(session(1))?.action == .wait)
  }

  @Test("a cancelled launch terminates a process that starts, or cancels its restart")
  mutating func cancelled() {
    let one = launch(1)
    #expect(launches.cancel(session(1))?.action == .cancelStart(one))
    #expect(launches.process(one)?.isStarting == false)
    _ = fail(2)
    #expect(launches.cancel(session(2))?.action == .cancelRestart)
    #expect(launches.cancel(session(2)) == nil)
  }
}
