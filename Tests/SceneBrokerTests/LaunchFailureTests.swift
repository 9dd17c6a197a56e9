import SceneModel
import Testing

@testable import SceneBroker

/// Programs that were started for a session and do not take it.
struct LaunchFailureTests {
  private let activate = ClientRequest.activate(RequestActivation(name: "packing"))

  private func stage() -> Stage { Stage(.launching("Note")) }

  @Test("a program that ends before it has the scene is started again, each time later, five times")
  func backOff() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    for pause: Int64 in [250, 500, 1000, 2000] {
      let count = stage.launches.count
      stage.exit(ClientExit(status: 3))
      stage.pass(.milliseconds(pause - 1))
      #expect(stage.launches.count == count)
      stage.pass(.milliseconds(1))
      #expect(stage.launches.count == count + 1)
    }
    #expect(control.heard == [])
    stage.exit(ClientExit(signal: "SEGV"))
    #expect(control.heard == ["2 launchFailed later"])
    #expect(
      control.lastError?.message
        == "the broker started notes 5 times for packing: the last process was terminated by SEGV; "
        + "see its output in the broker's log")
    #expect(stage.broker.stored.sessions.isEmpty && stage.broker.pendingSessions.count == 0)
    #expect(stage.timers.isEmpty)
  }

  @Test("five that came to nothing within ten seconds are enough for a configuration")
  func tooOften() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    for _ in 0..<5 {
      stage.exit(ClientExit(status: 3))
      stage.pass(.seconds(2))
    }
    #expect(control.heard == ["2 launchFailed later"])
    // Those of the first two seconds still count.
    #expect(control.hears(.activate(RequestActivation(name: "list"))) == [])
    #expect(stage.launches.count == 6)
    stage.exit(ClientExit(status: 3))
    #expect(control.heard == ["3 launchFailed later"])
    stage.pass(.seconds(10))
    control.ask(activate)
    #expect(stage.launches.count == 7)
  }

  @Test("no more than five are under way at once that may come to nothing; others wait for them")
  func queued() {
    let stage = stage()
    let control = stage.control()
    for number in 0..<7 { control.ask(.activate(RequestActivation(name: "\(number)"))) }
    #expect(stage.launches.count == 5)
    let first = stage.launchedClient(launch: stage.launches[0])
    #expect(stage.launches.count == 5)
    first.acknowledge()
    #expect(stage.launches.count == 6)
    stage.launchedClient(launch: stage.launches[1]).acknowledgeAll()
    #expect(stage.launches.count == 7)
  }

  @Test("when the five running starts fail, the launches that wait for them fail too")
  func queuedInVain() {
    let stage = stage()
    let control = stage.control()
    for number in 0..<6 { control.ask(.activate(RequestActivation(name: "\(number)"))) }
    for launch in stage.launches { stage.exit(ClientExit(status: 3), launch) }
    stage.pass(.seconds(1))
    #expect(
      control.heard.map { $0.split(separator: " ")[1] }
        == Array(repeating: "launchFailed", count: 6))
    #expect(stage.launches.count == 5)
  }

  @Test("a program that cannot be started is not tried again at once")
  func notStarted() {
    let stage = stage()
    stage.startsPrograms = false
    let control = stage.control()
    #expect(control.hears(activate) == ["2 launchFailed later"])
    #expect(control.lastError?.message == "cannot start notes")
    #expect(stage.launches.count == 1)
    #expect(stage.timers.isEmpty)
  }

  @Test("one that does not say who it is in time is ended, and the next is started behind its end")
  func silent() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    stage.pass(.seconds(20))
    #expect(stage.dismissals == [stage.launches[0].identifier])
    stage.pass(.seconds(5))
    #expect(stage.launches.count == 1)
    stage.exit(ClientExit(signal: "TERM"))
    stage.pass(.milliseconds(250))
    #expect(stage.launches.count == 2)
    for _ in 0..<4 {
      stage.pass(.seconds(20))
      stage.exit(ClientExit(signal: "TERM"))
      stage.pass(.seconds(3))
    }
    #expect(
      control.lastError?.message
        == "the broker started notes 5 times for packing: the last process did not connect within "
        + "20.0 s; see its output in the broker's log")
  }

  @Test("one that goes, or hangs, while it is given the scene has come to nothing")
  func lostOnTheWay() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    let client = stage.launchedClient()
    client.close()
    #expect(stage.dismissals == [stage.launches[0].identifier])
    stage.exit(ClientExit(status: 4))
    stage.pass(.milliseconds(250))
    let hanging = stage.launchedClient()
    #expect(hanging.heard.last == "willConnect S1 new activation 2")
    stage.pass(.seconds(20))
    #expect(stage.dismissals.count == 2)
    hanging.close()
    stage.exit(ClientExit(signal: "TERM"))
    stage.pass(.milliseconds(500))
    stage.launchedClient().acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("an existing session stays when no program can be started for it")
  func keptOnFailure() {
    let stage = stage()
    let (control, scene) = (stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    stage.startsPrograms = false
    control.ask(activate)
    #expect(control.heard == ["2 launchFailed later"])
    #expect(stage.end(session)?.reason == .connectionLost)
  }
}
