import ScenePlatform
import SceneTestSupport
import Testing

/// The lock file records that there is a journal, and a full disk must not remove this line.
struct FullLockTests {
  @Test(
    "a start that cannot write keeps the line that detects a deleted journal",
    Sanitizer.changes("writes a file at the start of a program", only: "thread"))
  func kept() throws {
    let workplace = try Workplace()
    let longer = workplace.file("a-longer-name-for-the-socket")
    let first = try RunningProgram(
      "scened", ["-S", longer, "--state", workplace.state, "--leash-fd", "0"])
    try first.line(containing: "ready")
    first.closeInput()
    #expect(try first.reap().isSuccess)
    #expect(try workplace.read("state/lock").hasSuffix("\njournal\n"))

    // With another durability, the broker cannot continue the existing log.
    let outcome = try RunningProgram.run(
      "/bin/sh",
      [
        "-c", "ulimit -f 0; exec \"$@\"", "sh", try Programs.path("scened"), "-S", workplace.socket,
        "--state", workplace.state, "--durability", "os",
      ])
    #expect(outcome.code == 75, "\(outcome.errors)")
    #expect(try workplace.read("state/lock").hasSuffix("\njournal\n"))
    for name in try Directory.list(workplace.state) where name != "lock" {
      try File.remove(workplace.file("state/\(name)"))
    }
    let refused = try workplace.scened()
    #expect(refused.code == 65, "\(refused.errors)")
  }
}
