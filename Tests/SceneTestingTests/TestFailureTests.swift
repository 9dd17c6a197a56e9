import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// What a test is told when something is otherwise, and what is left of it.
@Suite("A test that fails")
struct TestFailureTests {
  @Test("an expectation says how things are, what happened, and where it stands")
  func expectation() async throws {
    try await withBroker { broker in
      try await broker.client("packing", "--background")
      var thrown: TestFailure?
      let line: UInt = #line + 2
      do throws(TestFailure) {
        try await broker.expect("packing foregroundActive")
      } catch {
        thrown = error
      }
      let failure = try #require(thrown)
      #expect(failure.reason == "no")
      #expect(failure.message.contains("no   packing foregroundActive: it is background"))
      #expect(failure.timeline.last?.contains("packing  ← willConnect") == true)
      let lines = "\(failure)".split(separator: "\n")
      #expect(lines.first == "\(#filePath):\(line): it is not so:")
      #expect(lines.contains("what happened last:"))
      #expect(lines.last?.contains("← willConnect") == true)
    }
  }

  @Test("what never comes about fails at the ceiling, with what was seen last")
  func ceiling() async throws {
    try await withBroker { broker in
      try await broker.client("packing", "--background")
      let failure = try await #require(throws: TestFailure.self) {
        try await broker.wait(for: "packing foregroundActive", within: .seconds(2))
      }
      #expect(failure.reason == nil)
      let lines = failure.message.split(separator: "\n")
      #expect(lines.first == "it has not come about:")
      #expect(lines.last == "It was given up after 2.0 seconds.")
    }
  }

  @Test("what was mistyped is no condition that does not hold")
  func mistyped() async throws {
    try await withBroker { broker in
      try await broker.client("packing")
      let member = try await #require(throws: TestFailure.self) {
        try await broker.expect("! packing activty.x=1")
      }
      #expect(member.reason == nil)
      #expect(member.message.contains("there is no activty.x; did you mean activity?"))
      let state = try await #require(throws: TestFailure.self) {
        try await broker.wait(for: "packing", "foregroundActiv")
      }
      #expect(state.message.contains("did you mean foregroundActive?"), "\(state.message)")
    }
  }

  @Test("a point at which the broker was to die, and did not come to, is told at the end")
  func missedPoint() async throws {
    let failure = try await #require(throws: TestFailure.self) {
      try await withBroker { broker in
        try await broker.scenectl("fault", "--before", "recordAppended")
        try await broker.expect("application")
      }
    }
    #expect(failure.reason == "rule")
    #expect(
      failure.message == """
        this must always be so, and is not:
        nothing ran into the point --before recordAppended: \
        the broker had not come to it when it ended
        """)
    // One that it has come to is nothing to tell of.
    try await withBroker { broker in
      let packing = try await broker.client("packing")
      try await broker.scenectl("fault", "--before", "recordAppended")
      _ = try? await packing.type("activity com.example.note")
      try await broker.start()
    }
  }

  @Test("what scenectl is told to do is done on the stage, where paths begin in its directory")
  func workingDirectory() async throws {
    try await withBroker { broker in
      try await broker.client("packing")
      try await broker.scenectl("record", "story.scene")
      #expect(File.exists("\(broker.directory)/work/story.scene"))
    }
  }

  @Test("a trace says what came instead")
  func trace() async throws {
    try await withBroker { broker in
      let packing = try await broker.client("packing")
      try await broker.background("packing")
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

  @Test("what is refused, or cannot be understood, is told as its program tells it")
  func refused() async throws {
    try await withBroker { broker in
      let none = try await #require(throws: TestFailure.self) {
        try await broker.background("packing")
      }
      #expect(none.reason == "noSession")
      let real = try await #require(throws: TestFailure.self) {
        try await broker.advance(by: .seconds(1))
      }
      #expect(real.reason == "notAllowed")
      #expect(real.message.contains("--clock virtual"))
      let condition = try await #require(throws: TestFailure.self) {
        try await broker.expect("packing foregroundActiv")
      }
      #expect(condition.message.contains("did you mean foregroundActive"))
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
      #expect(silent.message == "sh did not say \"three\"; it said:\n  one\n  two")
    }
  }

  @Test("a broker that would not start says why")
  func noStart() async throws {
    let failure = try await #require(throws: TestFailure.self) {
      _ = try await TestBroker(options: ["--no-such-option"])
    }
    #expect(failure.message.contains("--no-such-option"))
  }

  @Test("a program that is nowhere is asked for with where it was looked for")
  func programs() throws {
    let error = try #require(throws: ProgramsError.self) {
      try SceneTesting.Programs.path("no-such-program")
    }
    #expect(error.description.contains("SCENE_PROGRAMS"))
    let built = try #require(Directory.parent(of: try SceneTesting.Programs.path("scened")))
    #expect(error.places.contains(built))
    #expect(try SceneTesting.Programs.directory() == built)
  }

  // MARK: - Nothing is left

  private struct Oops: Error {}

  @Test("whatever is thrown gets through, and nothing is left")
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

  @Test("a broker that nobody refers to any more has ended")
  func released() async throws {
    var broker: TestBroker? = try await TestBroker()
    let directory = try #require(broker?.directory)
    let pid = try #require(try await broker?.launch("sleep", "1000").pid)
    broker = nil
    try expectGone((directory, [pid]))
  }

  @Test("one that is finished says so")
  func finished() async throws {
    let broker = try await TestBroker()
    try await broker.client("packing")
    try await broker.finish()
    try expectGone((broker.directory, []))
    let failure = try await #require(throws: TestFailure.self) { try await broker.settle() }
    #expect(failure.message == "the broker's test is over")
  }

  private func expectGone(_ left: (directory: String, pids: [Int32])) throws {
    #expect(!File.exists(left.directory))
    for pid in left.pids { #expect(throws: SystemError.self) { try Signal.continue.send(to: pid) } }
  }
}
