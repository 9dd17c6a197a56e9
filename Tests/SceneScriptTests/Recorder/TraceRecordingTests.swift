import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// Records scripts with a real broker, and runs the recorded scripts with another broker.
@Suite("Recorded scripts")
struct TraceRecordingTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    /// The script up to the recording.
    let script: String
    /// Lines that the recorded script contains in this order.
    let lines: [String]

    init(_ name: String, _ script: String, says lines: [String]) {
      (self.name, self.script, self.lines) = (name, script, lines)
    }

    var testDescription: String { name }
  }

  @Test("a withheld activity is not expected")
  func withheld() throws {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.tell(.connected, 0, 1) { entry in
      (entry.reason, entry.state, entry.generation) = ("recover", .foregroundActive, 2)
      entry.withheld = .crashLoop
    }
    fixture.call(0, 1, "willConnect", "recover")
    fixture.answer(0, 1, "willConnect")
    var recording = TraceRecording(application: "default")
    recording.entries = fixture.entries
    let activity = try TypedActivity("com.example.note {}").activity
    recording.note([Generation(session: identifier(0), number: 2, activity: activity, saved: 1)])
    #expect(recording.script.contains("    willConnect reason=recover activity=null\n"))
  }

  @Test("a heading has one line for all unknown activities")
  func counts() {
    var fixture = TraceFixture()
    for session in 0..<2 {
      fixture.tell(.created, session)
      fixture.connect(session, Int64(session + 1))
    }
    for number in 1...120 {
      fixture.tell(.saved, number % 2, Int64(number % 2 + 1)) { $0.generation = Int64(number) }
      fixture.join(Int64(1000 + number))
      fixture.leave(Int64(1000 + number))
    }
    var recording = TraceRecording(application: "default")
    recording.entries = fixture.entries
    let headings = recording.script.split(separator: "\n").filter { $0.hasPrefix("# ") }
    #expect(
      headings.dropFirst() == [
        "# 120 activities that 2 sessions saved are not known; placeholders stand for them.",
        "# 120 processes connected and left without a scene; their requests are not known.",
      ])
  }

  @Test("a session whose first scene begins the recording has no scene before it")
  func first() {
    var fixture = TraceFixture()
    fixture.connect(0, 1)
    fixture.call(0, 1, "willConnect", "launch")
    var recording = TraceRecording(application: "default")
    recording.entries = fixture.entries
    #expect(recording.script.ranges(of: "client packing\n").count == 1)
    #expect(!recording.script.contains("What was there before it"))
  }

  @Test("a comment names each rename, because no line of a script renames a session")
  func renames() {
    var fixture = TraceFixture()
    fixture.tell(.created, 0)
    fixture.connect(0, 1)
    fixture.tell(.saved, 0, 1) { ($0.name, $0.generation) = ("luggage", 1) }
    fixture.tell(.saved, 0, 1) { ($0.name, $0.generation) = ("luggage", 2) }
    var recording = TraceRecording(application: "default")
    recording.entries = fixture.entries
    func notes() -> [String] {
      recording.script.split(separator: "\n").map(String.init)
        .filter { $0.hasSuffix("; this script does not rename the session.") }
    }
    let renamed = "# The session packing was renamed to luggage"
    #expect(notes() == ["\(renamed); this script does not rename the session."])
    var summary = SessionSummary()
    summary.session = identifier(0)
    recording.sessions = [summary]
    #expect(
      notes()
        == [renamed, "# The session packing lost its name"]
        .map { "\($0); this script does not rename the session." })
  }

  @Test("a recorded script passes", arguments: Self.examples)
  func again(example: Example) throws {
    let workplace = try Workplace()
    let file = workplace.file("recorded.scene")
    // `record --follow` writes the file by itself.
    let end =
      example.script.contains("exec sh follow.sh") ? "exec sh enough.sh" : "exec scenectl record"
    let original = try ScriptFixture.run("\(example.script)\n\(end) \(file)\n\(Self.files(file))")
    try #require(original.passed, "\(TestReport.lines(of: original, from: 1))")
    let recorded = try workplace.read("recorded.scene")
    var rest = recorded.split(separator: "\n").map(String.init)[...]
    for line in example.lines {
      guard let index = rest.firstIndex(of: line) else {
        Issue.record("not there, or not behind the lines before it: \(line)\n\(recorded)")
        break
      }
      rest = rest[(index + 1)...]
    }
    let replayed = try ScriptFixture.run(recorded)
    #expect(replayed.passed, "\(recorded)\n\(TestReport.lines(of: replayed, from: 1))")
  }

  /// The helper scripts of recordings across brokers.
  private static func files(_ file: String) -> String {
    """
    -- follow.sh --
    # Returns once what happens is recorded.
    mkfifo says over
    {
      scenectl record --follow \(file) 2>says &
      echo $! >pid
      wait $!
      echo $? >over
    } </dev/null >/dev/null &
    read line <says
    -- enough.sh --
    # Ends the recording as Ctrl-C does; returns when the script is written.
    kill -TERM $(cat pid)
    read status <over
    exit $status
    -- call.sh --
    # Calls a method, about a session.
    session=$(scenectl show "$1" --value session) || exit
    scenectl call "$2" "{\\"session\\":\\"$session\\",$3}"
    """
  }
}
