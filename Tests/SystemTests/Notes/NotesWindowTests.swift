import ScenePlatform
import SceneTestSupport
import Testing

/// The windows of the sample: opening, the foreground and typed lines.
struct NotesWindowTests: NotesShells {
  let workplace: Workplace

  init() throws { workplace = try Workplace() }

  @Test("a session of another note shows the note of a URL, and takes its name")
  func url() throws {
    let daemon = try daemon()
    let first = try start("itinerary")
    try first.line(containing: "--- itinerary")
    try daemon.scenectl("wait", "itinerary", "activity.userInfo.note=itinerary")
    try first.kill()
    let second = try start("itinerary", "--url", "note:shopping")
    #expect(try second.line(containing: "--- ") == "--- shopping")
    try daemon.scenectl("wait", "shopping", "foregroundActive", "title=shopping")
    try daemon.scenectl("is", "application", "sessions=1")
    // Another window has the note already, so this window has no name.
    let third = try start("hotels", "--url", "note:shopping")
    #expect(try third.line(containing: "--- ") == "--- shopping")
    try daemon.scenectl("is", "shopping", "client.pid=\(second.child.pid)")
    try daemon.scenectl("is", "application", "sessions=2")
  }

  @Test("a URL opens its note beside a window with a draft, and the draft stays")
  func urlBesideDraft() throws {
    let daemon = try daemon()
    try packing(daemon).kill()
    let window = try start("packing", "--url", "note:shopping")
    try window.line(containing: "--- shopping")
    try daemon.scenectl("wait", "shopping", "foregroundActive")
    try window.type(":close")
    try window.line(containing: "--- packing, after line 1")
    try window.line(containing: "+  charger")
  }

  @Test("new windows without a note have different files and names")
  func untitled() throws {
    let daemon = try daemon()
    let windows = [try start("--new"), try start("--new")]
    var names: Set<String> = []
    for (number, window) in windows.enumerated() {
      let name = try window.line(containing: "--- untitled ").dropFirst(4)
      for line in ["line \(number)", ":save"] { try window.type(line) }
      try window.line(containing: "1  line \(number)")
      try daemon.scenectl("wait", String(name), "client.pid=\(window.child.pid)")
      #expect(try workplace.read("notes/\(name).txt") == "line \(number)\n")
      names.insert(String(name))
    }
    #expect(names.count == 2)
  }

  @Test("F40: one process has several windows, and the window in front gets the typed lines")
  func several() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try packing.type(":open list")
    try packing.line(containing: "--- list")
    try packing.type("milk")
    try packing.type(":open packing")
    try packing.line(containing: "--- packing, after line 1")
    try daemon.scenectl("is", "list", "foregroundActive", "activity.userInfo.draft.0=milk")
    try packing.type(":settings")
    try packing.line(containing: "--- Settings: numbers on")
    try packing.type("numbers off")
    try packing.line(where: { $0 == "tickets" })
    // When the window closes, the previous window is in front again.
    try daemon.scenectl("close", try session(daemon, of: "Settings"))
    try packing.line(containing: "--- packing")
  }

  private func session(_ daemon: Daemon, of title: String) throws -> String {
    let lines = try daemon.scenectl().split(separator: "\n")
    let line = try #require(lines.first { $0.contains(title) })
    return try #require(line.split(separator: " ").first.map(String.init))
  }

  @Test("a closed window stays closed when the broker returns", arguments: [true, false])
  func closedBefore(inOrder: Bool) throws {
    let first = try daemon()
    let packing = try packing(first)
    try packing.type(":settings")
    try packing.line(containing: "--- Settings")
    try packing.type(":close")
    try packing.line(containing: "--- packing")
    try first.scenectl("settle")
    if inOrder { #expect(try first.stop().isSuccess) } else { try first.kill() }
    try packing.errorLine(containing: "the broker is gone")
    let second = try daemon()
    try packing.errorLine(containing: "the broker is back")
    try second.scenectl("wait", "packing", "foregroundActive")
    try second.scenectl("settle")
    let settings = try session(second, of: "Settings")
    try second.scenectl("is", settings, "unattached", "disconnect.reason=clientRequest")
  }

  @Test("F51: a reclaimed window waits, and a typed line brings it back")
  func reclaimed() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.scenectl("background", "packing")
    try daemon.scenectl("reclaim", "packing")
    try packing.line(
      containing: "(packing was reclaimed; Enter or :open in another window brings it back)")
    try packing.type("socks")
    try packing.line(containing: "--- packing, after line 1")
    try packing.line(containing: "+  charger")
    try daemon.scenectl("wait", "packing", "foregroundActive", "activity.userInfo.draft.1=socks")
  }

  @Test("a reclaimed window whose note another window holds keeps typed lines until it returns")
  func reclaimedAndTaken() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.scenectl("background", "packing")
    try daemon.scenectl("reclaim", "packing")
    try packing.line(
      containing: "(packing was reclaimed; Enter or :open in another window brings it back)")
    let other = try start("packing")
    try other.line(containing: "+  charger")
    for line in ["socks", "hat"] {
      try packing.type(line)
      try packing.errorLine(containing: "packing is held by notes \(other.child.pid)")
    }
    try other.kill()
    try daemon.scenectl("wait", "packing", "unattached")
    try packing.type("")
    try packing.line(containing: "--- packing, after line 1")
    try daemon.scenectl(
      "wait", "packing", "foregroundActive", "activity.userInfo.draft.1=socks",
      "activity.userInfo.draft.2=hat")
  }

  @Test("a line typed in the background brings the window to the foreground, and applies there")
  func typedInBackground() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.scenectl("background", "packing")
    try packing.line(containing: "(packing is in the background)")
    try packing.type(":line 9")
    let shown = try packing.lines(upTo: "notes: packing has no line 9")
    #expect(shown.contains("--- packing, after line 1"), "\(shown)")
    try packing.type(":line 8")
    try packing.line(containing: "notes: packing has no line 8")
  }

  @Test("F90: a window prints a change of the phase")
  func phase() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.scenectl("background", "packing")
    try packing.line(containing: "(no window is in the foreground)")
  }
}
