import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A broker that was stopped for a while, as by a debugger or a laptop's lid, and continues.
struct StoppedBrokerTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// Returns after the broker has stopped. Until then it could still react.
  private func stop(_ daemon: Daemon) throws {
    try daemon.program.send(.stop)
    try daemon.program.awaitStop()
  }

  @Test(
    "a client without an answer learns that the broker is stopped, and how to continue or end it")
  func told() throws {
    try stop(daemon)
    let (pid, place) = (daemon.pid, daemon.workplace)
    let asked = try daemon.run("scenectl", ["is", "application", "-S", daemon.socket])
    #expect(asked.code == 124)
    #expect(
      asked.errors == """
        scenectl: the broker at \(daemon.socket) (process \(pid)) does not answer
        Process \(pid) is stopped, as by Ctrl-Z, and does not react to: kill \(pid)
        To continue it: kill -CONT \(pid)

        """)
    let scene = try daemon.start("scene", ["packing"])
    try scene.line(
      containing: "the broker does not answer: process \(pid) is stopped; continue it with: "
        + "kill -CONT \(pid) (Ctrl-C ends scene)")
    let another = try RunningProgram.run(
      "scened", ["-S", place.socket, "--state", place.file("other")])
    #expect(another.code == 69)
    #expect(
      another.errors.hasSuffix(
        """
        Process \(pid) is stopped, as by Ctrl-Z. To continue it: kill -CONT \(pid)
        To end it: kill -CONT \(pid) && kill \(pid)

        """), "\(another.errors)")
    let journal = try daemon.run("scenectl", ["journal", "verify"])
    #expect(journal.errors.hasSuffix("end the broker first: kill -CONT \(pid) && kill \(pid)\n"))
    try daemon.program.send(.continue)
    try scene.line(containing: "didBecomeActive")
  }

  @Test("Ctrl-C prints that the broker is stopped, and prints nothing if it is not")
  func interrupted() throws {
    let wait = try daemon.start("scenectl", ["wait", "packing", "--timeout", "1h"])
    // After the request was sent, while the client waits.
    try eventually("the client waits", polling: .broker) {
      try daemon.run("scenectl", ["is", "application", "connections=2"]).code == 0
    }
    func threads(_ program: RunningProgram) -> Int {
      (try? Directory.list("/proc/\(program.child.pid)/task"))?.count ?? 2
    }
    try eventually("scenectl handles Ctrl-C", polling: .procFiles) { threads(wait) > 1 }
    try wait.send(.interrupt)
    #expect(try wait.reap() == .signalled(.interrupt))
    #expect(try wait.everythingOnErrors() == "")
    try stop(daemon)
    let asked = try daemon.start("scenectl", ["background", "packing"])
    try eventually("scenectl handles Ctrl-C", polling: .procFiles) { threads(asked) > 1 }
    try asked.send(.interrupt)
    #expect(try asked.reap() == .signalled(.interrupt))
    #expect(
      try asked.everythingOnErrors().contains(
        "scenectl: the broker at \(daemon.socket) does not answer\n"
          + "Process \(daemon.pid) is stopped, as by Ctrl-Z"))
  }
}
