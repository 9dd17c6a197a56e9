import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Synchronization
import Testing

/// The broker is killed while clients save as fast as possible.
struct LoadTests {
  @Test("every save that was acknowledged under load exists after kill -9", arguments: 1...3)
  func acknowledgedSaves(round: Int) throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let acknowledged = Mutex<[Int: Int]>([:])
    let enough = ConditionMutex(0)
    var threads: [SavingThread] = []
    for number in 0..<4 {
      let client = try daemon.connect()
      try client.initialize()
      let session = try client.request(SceneConnect(name: "s\(number)")).session
      try client.callback(.didBecomeActive)
      threads.append(
        try SavingThread(client, session) { save in
          acknowledged.withLock { $0[number] = save }
          enough.withLock { $0 += 1 }
        })
    }
    // After this number of saves the broker is killed, wherever the clients are.
    try #require(
      enough.wait(until: SystemClock.monotonic() + ceiling) { $0 >= 100 * round ? true : nil }
        != nil)
    try daemon.kill()
    for thread in threads { thread.join() }

    let again = try Daemon(workplace)
    let reader = try again.connect()
    try reader.initialize(as: .control)
    for (number, save) in acknowledged.withLock({ $0 }) {
      var show = SessionShow()
      show.name = "s\(number)"
      let shown = try reader.request(show)
      #expect(shown.summary.generation >= Int64(save), "s\(number)")
      let activity = try #require(shown.sceneSession.stateRestorationActivity)
      #expect(activity == .numbered(Int(shown.summary.generation)))
    }
  }
}

/// A client that saves one activity after another until the broker ends.
private final class SavingThread {
  private let thread: Mutex<Thread?>

  init(
    _ client: WireClient, _ session: SessionIdentifier,
    acknowledged: @escaping @Sendable (Int) -> Void
  ) throws {
    nonisolated(unsafe) let client = client
    thread = Mutex(
      try Thread("saving") {
        var number = 1
        while true {
          let save = SaveActivity(session: session, activity: .numbered(number))
          guard let reply = try? client.request(save), reply.generation == number else { return }
          acknowledged(number)
          number += 1
        }
      })
  }

  func join() { thread.withLock { $0.take() }?.join() }
}
