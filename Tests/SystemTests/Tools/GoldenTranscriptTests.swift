import ScenePlatform
import SceneTestSupport
import Testing

/// Command lines with their output and their status, in `Tests/Golden/transcripts`.
struct GoldenTranscriptTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  @Test(
    "the programs write what the transcript shows", arguments: ["errors", "lists", "prompt"])
  func transcript(_ name: String) throws {
    let file = "transcripts/\(name).txt"
    let commands = try GoldenFile.text(file).split(separator: "\n").filter { $0.hasPrefix("$ ") }
      .map { $0.dropFirst(2) }
    let directory = try #require(Directory.parent(of: try Programs.path("scened")))
    let outcome = try RunningProgram.run(
      "/bin/sh", ["-c", commands.map(shown).joined(separator: "\n")],
      environment: [
        "COLUMNS": "100", "HOME": workplace.path, "LC_ALL": "C.UTF-8", "TERM": "dumb", "TZ": "UTC",
        "PATH": "\(directory):/usr/bin:/bin", "SCENE_SOCKET": workplace.socket,
      ],
      workingDirectory: workplace.path)
    let output = masked(outcome.output)
    try #require(
      output.split(separator: "\n").count { $0.hasPrefix("$ ") } == commands.count, "\(output)")
    try GoldenFile.expect(output, equals: file)
  }

  /// A script that shows a command, its output, and its status unless the status is 0.
  private func shown(_ command: Substring) -> String {
    """
    printf '%s\\n' \("$ \(command)".shellWord)
    { \(command)
    } 2>&1
    status=$?; [ $status = 0 ] || echo "[status $status]"
    """
  }

  /// The output without the values that differ in each run. Identifiers are numbered in the order
  /// of their appearance.
  private func masked(_ output: String) -> String {
    var numbers: [Substring: Int] = [:]
    return output.replacing(workplace.path, with: "/WORK")
      .replacing(#/\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b|\b[0-9a-f]{8}\b/#.ignoresCase()) {
        let key = $0.output.0.lowercased().prefix(8)
        let number = numbers[key, default: numbers.count + 1]
        numbers[key] = number
        return "<id \(number)>"
      }
      .replacing(#/\b(scene|scenectl) \d+\b/#) { "\($0.output.1) PID" }
      .replacing(#/"(pid|started|number|offset|sequence|bytes)":\d+/#) { "\"\($0.output.1)\":N" }
      .replacing(#/"(origin|instance)":"[0-9a-f]+"/#) { "\"\($0.output.1)\":N" }
      .replacing(#/\d+ bytes count/#, with: "N bytes count")
      // One batch has the records that wait for the disk.
      .replacing(#/\d+ batches/#, with: "N batches")
      .replacing(#/batch \d+/#, with: "batch N")
      .replacing(#/\b1\d{12}\b/#, with: "MILLISECONDS")
      .replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/#, with: "DATE")
  }
}
