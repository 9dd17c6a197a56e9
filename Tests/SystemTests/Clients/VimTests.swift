import ScenePlatform
import SceneTestSupport
import Testing

/// `scripts/scene.vim`, with which vim keeps its place.
struct VimTests {
  private static let editors = ["vim -u NONE", "vim -u NONE -N", "nvim -u NONE"].filter {
    Programs.isInstalled(String($0.prefix { $0 != " " }))
  }

  @Test(
    "an editor keeps its files and its position with the script alone, without the user's settings",
    arguments: editors)
  func position(editor: String) throws {
    let workplace = try Workplace()
    let text = try workplace.write("notes.txt", (1...9).map { "\($0) words\n" }.joined())
    let other = try workplace.write("other.txt", "other\n")
    let script = try Repository.file("scripts/scene.vim")
    func edit(_ files: [String], _ commands: String...) throws {
      let input = try workplace.write("commands", commands.map { $0 + "\n" }.joined())
      let outcome = try RunningProgram.run(
        "/bin/sh",
        ["-c", #"input=$1; shift; \#(editor) -es -S "$0" "$@" <"$input""#, script, input] + files,
        environment: ["SCENE_ACTIVITY": workplace.file("activity")])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    try edit([text, other], "7", "normal 3l", "qa")
    try edit(
      [other], "call writefile([expand('%:p'), line('.'), col('.')], '\(workplace.file("out"))')",
      "qa")
    #expect(try workplace.read("out") == "\(text)\n7\n4\n")
    let saved = try workplace.read("activity").replacing(" ", with: "")
    #expect(saved.contains(#""files":["\#(other)","\#(text)"]"#), "\(saved)")
  }

  @Test(
    "vim keeps text that it recovers from a swap file, and the script only moves the cursor",
    .enabled(if: Programs.isInstalled("vim")))
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
