import ScenePlatform
import SceneTestSupport
import Testing

/// The sample in several shells, with kills and changes of the notes.
struct NotesTests: NotesShells {
  let workplace: Workplace

  init() throws { workplace = try Workplace() }

  @Test("a kill after the note is written and before the broker knows it does not double the draft")
  func killedWhileSaving() throws {
    let daemon = try daemon()
    let first = try packing(daemon)
    try first.kill()
    _ = try workplace.write("notes/packing.txt", "tickets\ncharger\npassport\n")
    let second = try start("packing")
    try second.line(containing: "--- packing, after line 2")
    #expect(
      try second.lines(upTo: "passport") == ["1  tickets", "2  charger", "3  passport"])
    try second.type("socks")
    try daemon.scenectl("wait", "packing", "activity.userInfo.draft.0=socks")
    // Lines that others have written meanwhile are not part of the draft.
    try second.kill()
    _ = try workplace.write("notes/packing.txt", "tickets\ncharger\npassport\nhat\n")
    let third = try start("packing")
    try third.line(containing: "--- packing, after line 2")
    let shown = try third.lines(upTo: "hat")
    #expect(shown == ["1  tickets", "2  charger", "+  socks", "3  passport", "4  hat"])
  }

  @Test("both windows continue with the next broker, and keep the lines that were typed meanwhile")
  func brokerKilled() throws {
    let first = try daemon()
    let packing = try packing(first)
    try first.kill()
    try packing.errorLine(containing: "the broker is gone")
    try packing.type("socks")
    try packing.type(":show")
    try packing.line(containing: "+  socks")
    let second = try daemon()
    try packing.errorLine(containing: "the broker is back")
    try second.scenectl("wait", "packing", "activity.userInfo.draft.1=socks")
    // No window was in the background meanwhile.
    try packing.type(":show")
    #expect(try packing.lines(upTo: "+  socks").allSatisfy { !$0.hasPrefix("(") })
  }

  @Test("a note can be saved without a broker")
  func savedAlone() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.kill()
    try packing.errorLine(containing: "the broker is gone; requests wait")
    for line in ["socks", ":save"] { try packing.type(line) }
    try packing.line(containing: "(packing is saved)")
    try packing.line(containing: "socks")
    #expect(try workplace.read("notes/packing.txt").contains("socks\n"))
  }

  @Test("F73: a change in one window appears in both windows, in the same way")
  func changed() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    let other = try start("--new", "--url", "note:packing")
    try other.line(containing: "--- packing")
    try packing.type(":save")
    for window in [packing, other] {
      try window.line(containing: "(packing is saved)")
      try window.line(containing: "2  charger")
    }
    #expect(try workplace.read("notes/packing.txt") == "tickets\ncharger\npassport\n")
    // The other window misses events in the background, and gets them on its way to the foreground.
    try daemon.scenectl("background", "packing")
    try packing.line(containing: "(packing is in the background)")
    for line in ["socks", ":save"] { try other.type(line) }
    try other.line(containing: "4  socks")
    try daemon.scenectl("activate", "packing")
    try packing.line(containing: "4  socks")
  }
}
