import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// What happens with a real broker is recorded from what it tells, and the script is played with
/// another.
@Suite("Scripts written from what happened")
struct RecordingTests {
  struct Story: Sendable, CustomTestStringConvertible {
    /// What such a script does.
    let name: String
    /// What happens until it is recorded.
    let script: String
    /// What the recorded script says of it: these lines, in this order.
    let lines: [String]

    init(_ name: String, _ script: String, says lines: [String]) {
      (self.name, self.script, self.lines) = (name, script, lines)
    }

    var testDescription: String { name }
  }

  @Test("what was withheld from a scene is not expected to come back")
  func withheld() throws {
    var tale = Tale()
    tale.join(1)
    tale.tell(.connected, 0, 1) { entry in
      (entry.reason, entry.state, entry.generation) = ("recover", .foregroundActive, 2)
      entry.withheld = .crashLoop
    }
    tale.call(0, 1, "willConnect", "recover")
    tale.answer(0, 1, "willConnect")
    var recording = Recording(application: "default")
    recording.entries = tale.entries
    let activity = try TypedActivity("com.example.note {}").activity
    recording.note([Generation(session: identifier(0), number: 2, activity: activity, saved: 1)])
    #expect(recording.script.contains("    willConnect reason=recover activity=null\n"))
  }

  @Test("a heading has one line for all unknown activities")
  func counts() {
    var tale = Tale()
    for session in 0..<2 {
      tale.tell(.created, session)
      tale.connect(session, Int64(session + 1))
    }
    for number in 1...120 {
      tale.tell(.saved, number % 2, Int64(number % 2 + 1)) { $0.generation = Int64(number) }
      tale.join(Int64(1000 + number))
      tale.leave(Int64(1000 + number))
    }
    var recording = Recording(application: "default")
    recording.entries = tale.entries
    let headings = recording.script.split(separator: "\n").filter { $0.hasPrefix("# ") }
    #expect(
      headings.dropFirst() == [
        "# 120 activities that 2 sessions saved are not known; placeholders stand for them.",
        "# 120 processes connected and left without a scene; their requests are not known.",
      ])
  }

  @Test("a session whose first scene begins the recording has no scene before it")
  func first() {
    var tale = Tale()
    tale.connect(0, 1)
    tale.call(0, 1, "willConnect", "launch")
    var recording = Recording(application: "default")
    recording.entries = tale.entries
    #expect(recording.script.ranges(of: "client packing\n").count == 1)
    #expect(!recording.script.contains("What was there before it"))
  }

  @Test("is played again", arguments: Self.stories)
  func again(story: Story) throws {
    let workplace = try Workplace()
    let file = workplace.file("recorded.scene")
    // Whoever follows writes it by itself.
    let end =
      story.script.contains("exec sh follow.sh") ? "exec sh enough.sh" : "exec scenectl record"
    let happened = try Theatre.play("\(story.script)\n\(end) \(file)\n\(Self.files(file))")
    try #require(happened.passed, "\(TestReport.lines(of: happened, from: 1))")
    let recorded = try workplace.read("recorded.scene")
    var rest = recorded.split(separator: "\n").map(String.init)[...]
    for line in story.lines {
      guard let index = rest.firstIndex(of: line) else {
        Issue.record("not there, or not behind the lines before it: \(line)\n\(recorded)")
        break
      }
      rest = rest[(index + 1)...]
    }
    let replayed = try Theatre.play(recorded)
    #expect(replayed.passed, "\(recorded)\n\(TestReport.lines(of: replayed, from: 1))")
  }

  /// For those that go on recording while brokers come and go.
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
