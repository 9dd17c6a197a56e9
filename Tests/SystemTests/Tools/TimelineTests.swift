import ScenePlatform
import SceneTestSupport
import Testing

/// The output of `scenectl timeline` for real processes.
struct TimelineTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// Draws with the characters of a UTF-8 terminal.
  private func draw(_ words: String...) throws -> Outcome {
    try daemon.run("scenectl", ["timeline"] + words, environment: ["LC_ALL": "C.UTF-8"])
  }

  @Test("a recorded trace has the same drawing as the broker's, also as a page")
  func recorded() throws {
    let client = try daemon.scene("packing", "--json")
    try daemon.scenectl("settle")
    let recording = try daemon.run("scenectl", ["trace", "--json"])
    let file = try daemon.workplace.write("story.jsonl", recording.output)
    let page = daemon.workplace.file("story.html")
    let live = try draw("packing")
    let drawn = try draw("--from", file, "packing")
    #expect(live.output.split(separator: "\n").count { !$0.contains("⋮") } == 10)
    #expect(
      drawn.output.split(separator: "\n").dropFirst()
        == live.output.split(separator: "\n").dropFirst())
    try daemon.scenectl("timeline", "--from", file, "--html", page)
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
