import SceneCommandLine
import SceneControlTestSupport
import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("Drawing timelines")
struct TimelineVerbTests {
  private static let start: Int64 = 1_700_000_000_000

  private func entry(
    _ number: Int64, _ event: TraceEvent, session: Int? = nil, pid: Int64? = 4711
  ) -> String {
    var entry = TraceEntry(event)
    entry.number = number
    entry.time = Self.start + number
    entry.elapsed = number * 1000
    entry.session = session.map(identifier)
    entry.name = session.map { "name-\($0)" }
    entry.client = pid.map { ClientReference(name: "scene", pid: $0) }
    return text(of: entry)
  }

  private var told: [String] {
    [entry(1, .joined), entry(2, .connected, session: 1), entry(3, .saved, session: 2, pid: nil)]
  }

  @Test("what the broker keeps is drawn, without who asks")
  func live() throws {
    let own = entry(4, .joined, pid: Int64(ProcessIdentity.currentPID))
    let outcome = try Outcome.of(
      ["timeline"],
      [result(1)] + (told + [own]).map { notification("trace/entry", $0) } + [result(2)],
      environment: ["LANG": "en_US.UTF-8"])
    #expect(outcome.code == .success)
    #expect(
      outcome.output == """
        default: 1 process, 2 sessions, 0.002 s from 2023-11-14 22:13:20 UTC
        │ ┬  0.000          scene 4711 joined
        │ ●  0.001  name-1  connected to scene 4711
        ◆ │  0.002  name-2  saved generation 0

        """)
    #expect(outcome.requests == ["trace/observe {}", "broker/ping {}"])
  }

  @Test(
    "a recording is drawn without a broker, also for some sessions only",
    arguments: ["name-1", "aaaabbbb-0000-0001"])
  func recorded(word: String) throws {
    let directory = try StateDirectory()
    let path = directory.path + "/story.jsonl"
    try File.write(told.joined(separator: "\n").utf8, to: path)
    let outcome = try Outcome.of(["timeline", "--from", path, word])
    #expect(outcome.code == .success)
    #expect(
      outcome.output == """
        story.jsonl: 1 process, 1 session, 0.001 s from 2023-11-14 22:13:20 UTC
        | .  0.000          scene 4711 joined
        | @  0.001  name-1  connected to scene 4711

        """)
    let unknown = try Outcome.of(["timeline", "--from", path, "name-1", "name-3"])
    #expect(unknown.code == .noSession)
    #expect(
      unknown.errors == "scenectl: the trace has no session called name-3\n")
  }

  @Test("a damaged line is told")
  func damaged() throws {
    let directory = try StateDirectory()
    let path = directory.path + "/story.jsonl"
    try File.write((told + ["{}"]).joined(separator: "\n").utf8, to: path)
    let outcome = try Outcome.of(["timeline", "--from", path])
    #expect(outcome.code == .badData)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        scenectl: \(path), line 4: number: missing; expected an integer
        Record a trace with: scenectl trace --json

        """)
    let missing = try Outcome.of(["timeline", "--from", path + "x"])
    #expect(missing.code == .noSession)
  }

  @Test("a page goes to its file")
  func page() throws {
    let directory = try StateDirectory()
    let path = directory.path + "/story.jsonl"
    try File.write(told.joined(separator: "\n").utf8, to: path)
    let outcome = try Outcome.of(["timeline", "--from", path, "--html", path + ".html"])
    #expect(outcome.code == .success)
    #expect(outcome.output == "")
    let page = String(decoding: try File.read(path + ".html"), as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    let printed = try Outcome.of(["timeline", "--from", path, "--html", "-"])
    #expect(printed.output == page)
    let nowhere = try Outcome.of(["timeline", "--from", path, "--html", directory.path])
    #expect(nowhere.code == .inputOutput)
  }

  @Test(
    "what the environment says about text",
    arguments: [
      (["LANG": "en_US.UTF-8"], true), (["LC_CTYPE": "UTF-8"], true), (["LANG": "C.utf8"], true),
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
      (["LANG": "de_DE.ISO-8859-1"], false), ([:], false),
    ])
  func locale(environment: [String: String], isUTF8: Bool) {
    #expect(Locale.isUTF8(environment) == isUTF8)
  }
}
