import SceneTestSupport
import ScenePlatform
import Testing

/// Real processes under a clock that stands still until it is told to go on.
struct VirtualClockTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace(), ["--clock", "virtual"]) }

  private func scenectl(_ arguments: String...) throws -> Outcome {
    try daemon.run("scenectl", arguments)
  }

  @Test("a scene that hangs is over its budget when the clock says so, its neighbour is not")
  func hung() throws {
    let hung = try daemon.start("scene", ["packing", "--json"])
    try hung.line(containing: "didBecomeActive")
    let neighbour = try daemon.start("scene", ["itinerary", "--json"])
    try neighbour.line(containing: "didBecomeActive")
    try hung.type(#"{"do":"hang","callback":"didEnterBackground"}"#)
    #expect(try scenectl("background", "--no-wait", "packing").end == .exited(0))
    try hung.line(containing: "didEnterBackground")
    #expect(try scenectl("advance", "4900ms").end == .exited(0))
    #expect(try scenectl("is", "packing", "unattached").end == .exited(1))
    #expect(try scenectl("advance", "100ms").end == .exited(0))
    let ended = ["packing", "unattached", "disconnect.reason=watchdog"]
    #expect(
      try daemon.run("scenectl", ["is", "-v"] + ended + ["disconnect.callback=didEnterBackground"])
        .end == .exited(0))
    #expect(try scenectl("is", "itinerary", "foregroundActive").end == .exited(0))
  }

  @Test("a process that was stopped does not answer either")
  func stopped() throws {
    let frozen = try daemon.start("scene", ["packing", "--json"])
    try frozen.line(containing: "didBecomeActive")
    try frozen.send(.stop)
    #expect(try scenectl("background", "--no-wait", "packing").end == .exited(0))
    #expect(try scenectl("advance", "1m").end == .exited(0))
    #expect(
      try scenectl("is", "packing", "unattached", "disconnect.reason=watchdog").end == .exited(0))
    try frozen.send(.continue)
  }

  @Test("an hour in which everybody answers harms nobody")
  func hour() throws {
    let scene = try daemon.start("scene", ["packing", "--json"])
    try scene.line(containing: "didBecomeActive")
    for _ in 0..<10 {
      #expect(try scenectl("background", "--no-wait", "packing").end == .exited(0))
      #expect(try scenectl("advance", "3m").end == .exited(0))
      #expect(try scenectl("activate", "--no-wait", "packing").end == .exited(0))
      #expect(try scenectl("advance", "3m").end == .exited(0))
    }
    #expect(try scenectl("settle").end == .exited(0))
    #expect(try scenectl("is", "packing", "foregroundActive").end == .exited(0))
  }

  @Test("how long ago something was is told by the clock that it was by")
  func ages() throws {
    let scene = try daemon.start("scene", ["packing", "--json"])
    try scene.line(containing: "didBecomeActive")
    #expect(try scenectl("save", "packing", "com.example.note", "{}").end == .exited(0))
    #expect(try scenectl("advance", "3h").end == .exited(0))
    for words in [["sessions"], ["status"], ["show", "packing"], ["why", "packing"]] {
      #expect(try daemon.run("scenectl", words).output.contains("3h "), "\(words)")
    }
    #expect(try scenectl("history", "packing").output.contains(" 3h ago "))
    let watching = try daemon.start("scenectl", ["sessions", "--watch"])
    try watching.line(containing: " 3h ")
    try watching.kill()
  }

  @Test("a broker with the real clock says why it cannot")
  func real() throws {
    let daemon = try Daemon(Workplace())
    let outcome = try daemon.run("scenectl", ["advance", "1s"])
    #expect(outcome.end == .exited(77))
    #expect(outcome.errors.contains("--clock virtual"))
  }
}
