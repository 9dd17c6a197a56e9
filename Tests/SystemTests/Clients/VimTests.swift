import ScenePlatform
import SceneTestSupport
import Testing

/// `scripts/scene.vim`, with which vim keeps its place.
struct VimTests {
  private static let hasVim =
    (try? RunningProgram.run("/bin/sh", ["-c", "command -v vim"]))?.code == 0

  @Test(
    "vim keeps the cursor's place with the script alone, and without the user's settings",
    .enabled(if: hasVim), arguments: ["-u NONE", "-u NONE -N"])
  func vim(options: String) throws {
    let workplace = try Workplace()
    let activity = workplace.file("activity")
    let text = try workplace.write("notes.txt", (1...9).map { "\($0)\n" }.joined())
    let script = try Repository.file("scripts/scene.vim")
    for command in ["7", "+1"] {
      let outcome = try RunningProgram.run(
        "/bin/sh",
        [
          "-c", #"printf '%s\nqa\n' "$2" | vim \#(options) -es -S "$0" "$1""#, script, text,
          command,
        ],
        environment: ["SCENE_ACTIVITY": activity])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    #expect(try workplace.read("activity").contains(#""line":8"#))
  }

  @Test(
    "vim keeps text that it recovers from a swap file, and the script only moves the cursor",
    .enabled(if: hasVim))
  func vimRecovery() throws {
    let workplace = try Workplace()
    let text = try workplace.write("notes.txt", (1...9).map { "\($0)\n" }.joined())
    let script = try Repository.file("scripts/scene.vim")
    func vim(_ option: String, _ commands: String...) throws -> (ProcessEnd, String) {
      let input = try workplace.write("commands", commands.map { $0 + "\n" }.joined())
      let outcome = try RunningProgram.run(
        "/bin/sh",
        [
          "-c", #"exec vim -u NONE -es \#(option) -S "$0" "$1" <"$2""#, script, text, input,
        ],
        environment: ["SCENE_ACTIVITY": workplace.file("activity")])
      return (outcome.end, outcome.errors)
    }
    _ = try vim(
      "", "5", "put ='typed'", "doautocmd BufEnter", "preserve",
      "call system('kill -9 ' . getpid())")
    let (end, errors) = try vim(
      "-r", "call writefile([getline('.')], '\(workplace.file("line"))')", "qa!")
    #expect(end.isSuccess, "\(errors)")
    #expect(try workplace.read("line") == "typed\n")
  }
}
