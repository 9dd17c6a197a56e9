import ScenePlatform
import SceneScript
import SceneTestSupport
import SceneTesting
import Testing

/// The failures that a test receives, and the cleanup after them.
@Suite("Failing tests")
struct TestFailureTests {
  @Test("a failed expectation reports the state, the last events and its location")
  func expectation() async throws {
    try await withBroker { broker in
      try await broker.client("packing", "--background")
      var thrown: TestFailure?
      let line = #line + 2
      do throws(TestFailure) {
        try await broker.expect("packing foregroundActive")
      } catch {
        thrown = error
      }
      let failure = try #require(thrown)
      #expect(failure.reason == "no")
      #expect(failure.message.contains("no   packing foregroundActive: the state is background"))
      #expect(failure.timeline.last?.contains("packing  ← willConnect") == true)
      let lines = "\(failure)".split(separator: "\n")
      #expect(lines.first == "\(#filePath):\(line): expectation failed:")
      #expect(lines.contains("last events:"))
      #expect(lines.last?.contains("← willConnect") == true)
    }
  }

  @Test("a wait fails at its timeout with the last state")
  func ceiling() async throws {
    try await withBroker { broker in
      try await broker.client("packing", "--background")
      let failure = try await #require(throws: TestFailure.self) {
        try await broker.wait(for: "packing foregroundActive", within: .seconds(2))
      }
      #expect(failure.reason == nil)
      let lines = failure.message.split(separator: "\n")
      #expect(lines.first == "the condition was not met:")
      #expect(lines.last == "The timeout is 2.0 seconds.")
    }
  }

  @Test("a fault that did not occur is reported at the end")
  func missedPoint() async throws {
    let failure = try await #require(throws: TestFailure.self) {
      try await withBroker { broker in
        try await broker.scenectl("fault", "--before", "recordAppended")
        try await broker.expect("application")
        return 0
      }
    }
    #expect(failure.reason == "rule")
    #expect(
      failure.message == """
        invariants were violated:
        the fault --before recordAppended did not occur: the broker ended before it reached this \
        point
        """)
    // A fault that occurred is not reported.
    try await withBroker { broker in
      let packing = try await broker.client("packing")
      try await broker.scenectl("fault", "--before", "recordAppended")
      _ = try? await packing.type("activity com.example.note")
      try await broker.start()
    }
  }

  @Test("scenectl runs in the directory of the broker")
  func workingDirectory() async throws {
    try await withBroker { broker in
      try await broker.client("packing")
      try await broker.scenectl("timeline", "--html", "story.html")
      #expect(File.exists("\(broker.directory)/work/story.html"))
    }
  }

  @Test("a verb that scripts can use runs in the process of the test")
  func sameProcess() async throws {
    try await withBroker { broker in
      try await broker.client("packing")
      try await broker.scenectl("background", "packing")
      let reasons = try await broker.scenectl("why", "packing", "--json")
      let pid = ProcessIdentity.currentPID
      #expect(reasons.contains(#""name":"scenectl","pid":\#(pid)"#), "\(reasons)")
    }
  }

  @Test("a verb in the process of the test has an empty standard input")
  func noInput() async throws {
    let failure = try await #require(throws: TestFailure.self) {
      try await withBroker { broker in
        return try await broker.scenectl("post", "Chat", "added", "-")
      }
    }
    #expect(failure.reason == "badData")
  }

  @Test("a failed trace shows the actual callbacks")
  func trace() async throws {
    try await withBroker { broker in
      let packing = try await broker.client("packing")
      try await broker.scenectl("background", "packing")
      let failure = try await #require(throws: TestFailure.self) {
        try await packing.expectTrace("willResignActive", "didDisconnect")
      }
      #expect(failure.message.contains("\n    willResignActive\n"))
      #expect(failure.message.contains("\n  - didDisconnect"))
      #expect(failure.message.contains("\n  + didEnterBackground"))
      let nonsense = try await #require(throws: TestFailure.self) {
        try await packing.expectTrace("willResign")
      }
      #expect(nonsense.message.contains("did you mean willResignActive"))
    }
  }

  @Test("a refusal has the message of its program")
  func refused() async throws {
    try await withBroker { broker in
      let none = try await #require(throws: TestFailure.self) {
        try await broker.scenectl("background", "packing")
      }
      #expect(none.reason == "noSession")
      let real = try await #require(throws: TestFailure.self) {
        try await broker.scenectl("advance", "1s")
      }
      #expect(real.reason == "notAllowed")
      #expect(real.message.contains("--clock virtual"))
      let twice = try await #require(throws: TestFailure.self) {
        try await broker.client("packing")
        try await broker.client("other", "packing")
      }
      #expect(twice.message.hasPrefix("other was refused: "))
      let unknown = try await #require(throws: TestFailure.self) {
        _ = try await broker.launch("no-such-command")
      }
      #expect(unknown.message.contains("no-such-command"))
      let silent = try await #require(throws: TestFailure.self) {
        try await broker.launch("sh", "-c", "echo one; echo two >&2").line(containing: "three")
      }
      #expect(silent.message == "sh did not print \"three\"; its output:\n  one\n  two")
    }
  }

  @Test("a missing program is reported with the searched directories")
  func programs() throws {
    let error = try #require(throws: StepFailure.self) {
      try SceneTesting.Programs.path("no-such-program")
    }
    #expect(error.message.contains("SCENE_PROGRAMS"))
    let built = try #require(Directory.parent(of: try SceneTesting.Programs.path("scened")))
    #expect(error.message.split(separator: "\n").contains("  \(built)"))
    #expect(try SceneTesting.Programs.directory() == built)
  }

  // MARK: - Nothing is left

  private struct Oops: Error {}

  @Test("an error of the body is rethrown, and no process is left")
  func thrown() async throws {
    var left: (directory: String, pids: [Int32])?
    await #expect(throws: Oops.self) {
      try await withBroker { broker in
        let scene = try await broker.client("packing")
        let command = try await broker.launch("sleep", "1000")
        left = (broker.directory, [scene.pid, command.pid])
        throw Oops()
      }
    }
    try expectGone(try #require(left))
  }

  @Test("a broker without references has ended")
  func released() async throws {
    var broker: TestBroker? = try await TestBroker()
    let directory = try #require(broker?.directory)
    let pid = try #require(try await broker?.launch("sleep", "1000").pid)
    broker = nil
    try expectGone((directory, [pid]))
  }

  @Test("a finished broker refuses further calls")
  func finished() async throws {
    let broker = try await TestBroker()
    try await broker.client("packing")
    try await broker.finish()
    try expectGone((broker.directory, []))
    let failure = try await #require(throws: TestFailure.self) { try await broker.settle() }
    #expect(failure.message == "the test of this broker has ended")
  }

  private func expectGone(_ left: (directory: String, pids: [Int32])) throws {
    #expect(!File.exists(left.directory))
    for pid in left.pids { #expect(throws: SystemError.self) { try Signal.continue.send(to: pid) } }
  }
}
