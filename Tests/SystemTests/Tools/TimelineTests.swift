import ScenePlatform
import SceneTestSupport
import Testing

/// The output of `scenectl timeline` for real processes.
struct TimelineTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func scene(_ name: String) throws -> RunningProgram {
    let scene = try daemon.start("scene", [name, "--json"])
    try scene.line(containing: #""callback":"didBecomeActive""#)
    return scene
  }

  private func act(_ words: String...) throws {
    let outcome = try daemon.run("scenectl", words)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
  }

  /// Draws with the characters of a UTF-8 terminal.
  private func draw(_ words: String...) throws -> Outcome {
    try RunningProgram.run(
      "scenectl", ["timeline"] + words,
      environment: ["SCENE_SOCKET": daemon.socket, "LC_ALL": "C.UTF-8"])
  }

  /// The lines without pauses, times and process IDs, which differ in each run.
  private func story(_ text: String, _ names: [Int32: String]) -> [String] {
    text.split(separator: "\n").dropFirst().filter { !$0.contains("⋮") }.map { line in
      var line = String(line).replacing(#/, after \d+\.\d+ s$/#, with: "")
        .replacing(#/ by scenectl \d+/#, with: " by scenectl")
        .replacing(#/ +\d+\.\d\d\d  /#, with: "  ")
      for (pid, name) in names { line.replace("scene \(pid)", with: name) }
      return line
    }
  }

  @Test("the timeline of a road trip shows a reclaim, an activation, a kill and a recovery")
  func roadTrip() throws {
    let first = try scene("packing")
    let second = try scene("itinerary")
    try act("settle")
    try act("background", "packing")
    try act("reclaim", "packing")
    try second.kill()
    try act("wait", "itinerary unattached disconnect.reason=connectionLost")
    let third = try scene("itinerary")
    try act("settle")
    try act("activate", "packing")
    try act("save", "packing", "com.example.note", "{}")

    // A client that only sends requests has no lane. Each request appears beside its effect.
    let all = try draw().output
    #expect(!all.contains(#/scenectl \d+ (joined|left)/#), "\(all)")
    #expect(all.contains(#/target set to background by scenectl/#))

    let outcome = try draw("packing", "itinerary")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("default: 3 processes, 2 sessions, "))
    let names = [first.child.pid: "A", second.child.pid: "B", third.child.pid: "C"]
    #expect(
      story(outcome.output, names).joined(separator: "\n") == """
        │ ┬             A joined
        + │  packing    created by A
        │ ●  packing    connected to A (launch)
        │ ▼  packing    → willConnect (launch)
        │ ▲  packing    ← willConnect
        │ ▼  packing    → willEnterForeground
        │ ▲  packing    ← willEnterForeground
        │ ▼  packing    → didBecomeActive
        │ ▲  packing    ← didBecomeActive
        │ │ ┬             B joined
        + │ │  itinerary  created by B
        │ │ ●  itinerary  connected to B (launch)
        │ │ ▼  itinerary  → willConnect (launch)
        │ │ ▲  itinerary  ← willConnect
        │ │ ▼  itinerary  → willEnterForeground
        │ │ ▲  itinerary  ← willEnterForeground
        │ │ ▼  itinerary  → didBecomeActive
        │ │ ▲  itinerary  ← didBecomeActive
        │ ◇ │  packing    target set to background by scenectl
        │ ▼ │  packing    → willResignActive
        │ ▲ │  packing    ← willResignActive
        │ ▼ │  packing    → didEnterBackground
        │ ▲ │  packing    ← didEnterBackground
        │ ▼ │  packing    → stateRestorationActivity
        │ ▲ │  packing    ← stateRestorationActivity
        │ ◇ │  packing    target set to unattached (reclaimed) by scenectl
        │ ▼ │  packing    → didDisconnect (reclaimed)
        │ ▲ │  packing    ← didDisconnect
        │ ○ │  packing    disconnected (reclaimed)
        │ │ ○  itinerary  disconnected (connectionLost)
        │ │ ┴             B left (connectionLost)
        │ │ ┬             C joined
        │ │ ●  itinerary  connected to C (recover)
        │ │ ▼  itinerary  → willConnect (recover)
        │ │ ▲  itinerary  ← willConnect
        │ │ ▼  itinerary  → willEnterForeground
        │ │ ▲  itinerary  ← willEnterForeground
        │ │ ▼  itinerary  → didBecomeActive
        │ │ ▲  itinerary  ← didBecomeActive
        │ ● │  packing    connected to A (activation) by scenectl
        │ ▼ │  packing    → willConnect (activation)
        │ ▲ │  packing    ← willConnect
        │ ▼ │  packing    → willEnterForeground
        │ ▲ │  packing    ← willEnterForeground
        │ ▼ │  packing    → didBecomeActive
        │ ▲ │  packing    ← didBecomeActive
        │ ◆ │  packing    saved generation 1 by scenectl
        """)
  }

  @Test("a recorded trace has the same drawing as the broker's, also as a page")
  func recorded() throws {
    let client = try scene("packing")
    try act("settle")
    let recording = try daemon.run("scenectl", ["trace", "--json"])
    let file = try daemon.workplace.write("story.jsonl", recording.output)
    let page = daemon.workplace.file("story.html")
    let live = try draw("packing")
    let drawn = try draw("--from", file, "packing")
    #expect(story(live.output, [:]).count == 9)
    #expect(
      drawn.output.split(separator: "\n").dropFirst()
        == live.output.split(separator: "\n").dropFirst())
    try act("timeline", "--from", file, "--html", page)
    #expect(
      try daemon.workplace.read("story.html").contains(
        "connected to scene \(client.child.pid) (launch)"))

    _ = try daemon.workplace.write("story.jsonl", String(recording.output.dropLast(9)))
    let damaged = try daemon.run("scenectl", ["timeline", "--from", file])
    let lines = recording.output.split(separator: "\n").count
    #expect(damaged.code == 65)
    #expect(
      damaged.errors.hasPrefix("scenectl: \(file), line \(lines): unexpected end of the JSON"))
  }
}
