import SceneTestSupport
import Testing

/// The helpers of a test that uses the sample in several shells.
protocol NotesShells {
  var workplace: Workplace { get }
}

extension NotesShells {
  func manifest() throws -> String {
    let outcome = try RunningProgram.run("notes", ["--print-manifest"])
    #expect(outcome.code == 0)
    return try workplace.write("notes.json", outcome.output)
  }

  func daemon() throws -> Daemon {
    try Daemon(workplace, ["--manifest", try manifest()])
  }

  var environment: [String: String] {
    ["SCENE_SOCKET": workplace.socket, "NOTES": workplace.file("notes")]
  }

  func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram("notes", arguments, environment: environment)
  }

  func run(_ arguments: String...) throws -> Outcome {
    try RunningProgram.run("notes", arguments, environment: environment)
  }

  /// A window with two saved lines, and an unsaved line after the first.
  func packing(_ daemon: Daemon) throws -> RunningProgram {
    let window = try start("packing")
    try window.line(containing: "--- packing")
    for line in ["tickets", "passport", ":save"] { try window.type(line) }
    try window.line(containing: "2  passport")
    for line in [":line 1", "charger", ":show"] { try window.type(line) }
    try window.line(containing: "+  charger")
    try daemon.scenectl("wait", "packing", "activity.userInfo.draft.0=charger")
    return window
  }
}
