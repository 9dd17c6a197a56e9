import ScenePlatform
import SceneTestSupport
import Testing

/// The input of the sample from a pipe, and the files that the sample then writes.
struct NotesInputTests: NotesShells {
  let workplace: Workplace

  init() throws { workplace = try Workplace() }

  @Test("the window gets every line of a pipe, however many there are, and also the last one")
  func many() throws {
    let daemon = try daemon()
    let lines = (1...1500).map(String.init)
    _ = try workplace.write("input", (lines + [":save", "last"]).joined(separator: "\n") + "\n")
    let command = "notes packing <\(workplace.file("input").shellWord)"
    let outcome = try RunningProgram.run(
      "/bin/sh", ["-c", command], environment: try withPrograms)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    #expect(try workplace.read("notes/packing.txt") == lines.map { $0 + "\n" }.joined())
    try daemon.scenectl("is", "packing", "unattached", "activity.userInfo.draft.0=last")
  }

  @Test("a line that is not UTF-8 is discarded with a message, and a line can end with CR LF")
  func bytes() throws {
    let daemon = try daemon()
    let outcome = try RunningProgram.run(
      "/bin/sh", ["-c", #"printf 'a\377b\nhat\r\n:save\r\n' | notes packing"#],
      environment: try withPrograms)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "line discarded: the line is not UTF-8\n")
    #expect(try workplace.read("notes/packing.txt") == "hat\n")
    #expect(try daemon.stop().isSuccess)
  }

  @Test("a note that is a link is written at its target, and keeps its mode")
  func link() throws {
    let daemon = try daemon()
    try Directory.make(workplace.file("notes"))
    let file = try workplace.write("real", "tickets\n")
    let prepare = "chmod 640 \(file.shellWord); ln -s ../real notes/packing.txt"
    let outcome = try RunningProgram.run(
      "/bin/sh",
      [
        "-c", "cd \(workplace.path.shellWord); \(prepare); printf 'hat\\n:save\\n' | notes packing",
      ],
      environment: try withPrograms)
    #expect(outcome.code == 0)
    #expect(try workplace.read("real") == "tickets\nhat\n")
    #expect(try FileStatus(of: file).mode & 0o777 == 0o640)
    #expect(try daemon.stop().isSuccess)
  }

  @Test("the error for a note that cannot be read or written names the note")
  func unreadable() throws {
    let daemon = try daemon()
    try Directory.makeAll(workplace.file("notes/packing.txt"))
    let window = try run("packing")
    #expect(window.code == 1)
    #expect(window.errors.contains("notes: \(workplace.file("notes/packing.txt")): "))
    _ = try workplace.write("none", "")
    var environment = try withPrograms
    environment["NOTES"] = workplace.file("none")
    let outcome = try RunningProgram.run(
      "/bin/sh", ["-c", #"printf 'hat\n:save\n' | notes hats"#], environment: environment)
    #expect(outcome.output.contains("notes: \(workplace.file("none/hats.txt")): "))
    #expect(try daemon.stop().isSuccess)
  }

  private var withPrograms: [String: String] {
    get throws { environment.merging(["PATH": try Programs.searchPath()]) { $1 } }
  }
}
