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
