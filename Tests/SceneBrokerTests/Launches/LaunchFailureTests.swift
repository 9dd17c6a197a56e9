import SceneModel
import Testing

@testable import SceneBroker

/// Programs that were started for a session and do not become its scene.
final class LaunchFailureTests: BrokerSuite {
  private let activate = RequestActivation(name: "packing")

  init() { super.init(.launching("Note")) }

  @Test("a program that ends without the scene starts again, five times with growing delays")
  func backOff() {
    control.ask(activate)
    for pause: Int64 in [250, 500, 1000, 2000] {
      let count = fixture.launches.count
      fixture.exit(ClientExit(status: 3))
      fixture.pass(.milliseconds(pause - 1))
      #expect(fixture.launches.count == count)
      fixture.pass(.milliseconds(1))
      #expect(fixture.launches.count == count + 1)
    }
    #expect(control.heard == [])
    fixture.exit(ClientExit(signal: "SEGV"))
    #expect(control.heard == ["2 launchFailed later"])
    #expect(
      control.lastError?.message
        == "the broker started notes 5 times for packing: the last process was terminated by SEGV; "
        + "see its output in the broker's log; the program can start again in 7 s, or at once "
        + "after: scenectl manifest reload")
    #expect(fixture.broker.stored.sessions.isEmpty && fixture.broker.pendingSessions.count == 0)
    #expect(fixture.timers.isEmpty)
  }

  @Test("five failed starts within ten seconds reach the limit of a configuration")
  func tooOften() {
    control.ask(activate)
    for _ in 0..<5 {
      fixture.exit(ClientExit(status: 3))
      fixture.pass(.seconds(2))
    }
    #expect(control.heard == ["2 launchFailed later"])
    // Those of the first two seconds still count.
    #expect(control.hears(RequestActivation(name: "list")) == [])
    #expect(fixture.launches.count == 6)
    fixture.exit(ClientExit(status: 3))
    #expect(control.heard == ["3 launchFailed later"])
    fixture.pass(.seconds(10))
    control.ask(activate)
    #expect(fixture.launches.count == 7)
  }

  @Test("the limit of one configuration does not hold for another one")
  func otherConfiguration() {
    let fixture = BrokerFixture(.launching("Note", "List"))
    let control = fixture.control()
    for number in 0..<6 { control.ask(RequestActivation(name: "\(number)")) }
    #expect(fixture.launches.count == 5)
    control.ask(RequestActivation(configuration: "List"))
    #expect(fixture.launches.count == 6)
    for launch in fixture.launches.prefix(5) { fixture.exit(ClientExit(status: 3), launch) }
    fixture.pass(.seconds(1))
    #expect(control.heard.count == 6)
    #expect(control.hears(RequestActivation(name: "next")) == ["9 launchFailed later"])
    control.ask(RequestActivation(configuration: "List"))
    #expect(fixture.launches.count == 7)
  }

  @Test("after five failures the broker says when it starts the program again, and a reload is now")
  func repaired() {
    control.ask(activate)
    for (status, pause) in zip(1..., [250, 500, 1000, 2000, 2000] as [Int64]) {
      fixture.exit(ClientExit(status: Int64(status)))
      fixture.pass(.milliseconds(pause))
    }
    #expect(control.heard == ["2 launchFailed later"])
    #expect(control.hears(activate) == ["3 launchFailed later"])
    #expect(fixture.launches.count == 5)
    #expect(
      control.lastError?.message
        == "the broker did not start notes: it failed 5 times for Note within 10 s, and the last "
        + "process exited with status 5; the program can start again in 5 s, or at once after: "
        + "scenectl manifest reload")
    fixture.handle(.manifestRead(.manifest(.launching("Note"))))
    control.ask(activate)
    #expect(fixture.launches.count == 6)
  }

  @Test("at most five starts of a configuration run at once; others are queued")
  func queued() {
    for number in 0..<7 { control.ask(RequestActivation(name: "\(number)")) }
    #expect(fixture.launches.count == 5)
    let first = fixture.launchedClient(launch: fixture.launches[0])
    #expect(fixture.launches.count == 5)
    first.acknowledge()
    #expect(fixture.launches.count == 6)
    fixture.launchedClient(launch: fixture.launches[1]).acknowledgeAll()
    #expect(fixture.launches.map(\.session.low) == Array(1...7))
  }

  @Test("the discard of a session that starts lets the next one start")
  func discardedStart() {
    let sessions = (0..<6).map { scene.become("\($0)") }
    scene.close()
    for session in sessions { control.ask(RequestActivation(session: session)) }
    #expect(fixture.launches.count == 5)
    control.ask(RequestDestruction(sessions: [sessions[0]]))
    #expect(fixture.launches.map(\.session) == sessions)
  }

  @Test("when the five running starts fail, the launches that wait for them fail too")
  func queuedInVain() {
    for number in 0..<6 { control.ask(RequestActivation(name: "\(number)")) }
    for launch in fixture.launches { fixture.exit(ClientExit(status: 3), launch) }
    fixture.pass(.seconds(1))
    #expect(
      control.heard.map { $0.split(separator: " ")[1] }
        == Array(repeating: "launchFailed", count: 6))
    #expect(fixture.launches.count == 5)
  }

  @Test("a program that cannot be started fails its launch at once")
  func notStarted() {
    fixture.startsPrograms = false
    #expect(control.hears(activate) == ["2 launchFailed later"])
    #expect(control.lastError?.message == "cannot start notes")
    #expect(fixture.launches.count == 1)
    #expect(fixture.timers.isEmpty)
  }

  @Test("a process that does not connect in time is terminated before the next one starts")
  func silent() {
    control.ask(activate)
    fixture.pass(.seconds(20))
    #expect(fixture.terminations == [fixture.launches[0].identifier])
    fixture.pass(.seconds(5))
    #expect(fixture.launches.count == 1)
    fixture.exit(ClientExit(signal: "TERM"))
    fixture.pass(.milliseconds(250))
    #expect(fixture.launches.count == 2)
    for _ in 0..<4 {
      fixture.pass(.seconds(20))
      fixture.exit(ClientExit(signal: "TERM"))
      fixture.pass(.seconds(3))
    }
    #expect(
      control.lastError?.message
        == "the broker started notes 5 times for packing: the last process did not connect with "
        + "its launch token within 20.0 s; see its output in the broker's log")
  }

  @Test("a process that ends or hangs in willConnect counts as a failed start")
  func lostOnTheWay() {
    control.ask(activate)
    let client = fixture.launchedClient()
    client.close()
    #expect(fixture.terminations == [fixture.launches[0].identifier])
    fixture.exit(ClientExit(status: 4))
    fixture.pass(.milliseconds(250))
    let hanging = fixture.launchedClient()
    #expect(hanging.heard.last == "willConnect S1 new activation 2")
    fixture.pass(.seconds(20))
    #expect(fixture.terminations.count == 2)
    hanging.close()
    fixture.exit(ClientExit(signal: "TERM"))
    fixture.pass(.milliseconds(500))
    fixture.launchedClient().acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("an existing session stays when no program can be started for it")
  func keptOnFailure() {
    let session = scene.become("packing")
    scene.close()
    fixture.startsPrograms = false
    control.ask(activate)
    #expect(control.heard == ["2 launchFailed later"])
    #expect(fixture.end(session)?.reason == .connectionLost)
  }
}
