import ScenePlatform
import SceneTestSupport
import Testing

/// The sample as a program: its command line, its end and its messages.
struct NotesWordTests: NotesShells {
  let workplace: Workplace

  init() throws { workplace = try Workplace() }

  @Test("the manual page shows parts of the file unchanged")
  func manualPage() throws {
    let file = try Repository.text("Sources/SceneNotes/Notes.swift")
    let page = try Repository.text("Sources/Manual/Manual.docc/Several-windows.md")
    let section = try #require(
      page.split(separator: "## The sample: notes\n").last)
    let blocks = String(section).components(between: "```swift\n", and: "```")
    #expect(blocks.count == 2)
    for block in blocks { #expect(file.contains(block)) }
    #expect(!file.contains("@testable"))
    #expect(file.matches(of: /(?m)^import (\w+)$/).map(\.1) == ["Foundation", "SceneApp"])
  }

  @Test("F87, F99: the sample's manifest is valid, and declares the sample's topic")
  func manifestIsInOrder() throws {
    let outcome = try RunningProgram.run("scened", ["--check", "--manifest", try manifest()])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    let text = try workplace.read("notes.json")
    #expect(text.contains(#""topics":{"Notes":{"durable":true"#), "\(text)")
  }

  @Test("the end of the input closes a window; a window without any input stays")
  func endOfInput() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    packing.closeInput()
    #expect(try packing.reap() == .exited(0))
    try daemon.scenectl(
      "is", "packing", "unattached", "disconnect.reason=clientRequest",
      "activity.userInfo.draft.0=charger")
    let silent = try start("packing")
    silent.closeInput()
    try silent.line(containing: "+  charger")
    try daemon.scenectl("wait", "packing", "foregroundActive")
    try daemon.scenectl("close", "packing")
    #expect(try silent.reap() == .exited(0))
  }

  @Test("without a broker of its application, the sample's error says how to start one")
  func noBroker() throws {
    let outcome = try run("packing")
    #expect(outcome.code == 69)
    #expect(outcome.output == "")
    #expect(
      outcome.errors.hasPrefix("notes: no broker runs for application default: "),
      "\(outcome.errors)")
    let start =
      "Start one with: \(try Programs.path("notes")) --print-manifest > notes.json; "
      + "scened --manifest notes.json &\n"
    #expect(outcome.errors.hasSuffix(start), "\(outcome.errors)")
    let daemon = try Daemon(workplace)
    let stranger = try run("packing")
    #expect(stranger.code == 78)
    #expect(
      stranger.errors.hasPrefix("notes: the broker does not know this application's scenes: "),
      "\(stranger.errors)")
    let advice = "\nEnd this broker with: scenectl"
    #expect(stranger.errors.contains(advice), "\(stranger.errors)")
    try daemon.scenectl("is", "application", "sessions=0")
  }

  @Test("the sample does not use the broker of another application than the named one")
  func stranger() throws {
    let daemon = try daemon()
    let outcome = try run("-a", "mail", "-S", daemon.socket)
    #expect(outcome.code == 69)
    #expect(
      outcome.errors == "notes: the broker serves the application default, not mail\n")
  }

  /// A window with a line that was typed after the end of the broker.
  private func typedAlone(_ daemon: Daemon) throws -> RunningProgram {
    let packing = try packing(daemon)
    try daemon.kill()
    try packing.errorLine(containing: "the broker is gone")
    for line in ["socks", ":show"] { try packing.type(line) }
    try packing.line(containing: "+  socks")
    return packing
  }

  @Test("without a terminal and a broker, the sample ends with its input and names what is lost")
  func endWithoutBroker() throws {
    let daemon = try daemon()
    let packing = try typedAlone(daemon)
    packing.closeInput()
    try packing.line(containing: "notes: the draft of packing is not saved: ")
    #expect(try packing.reap() == .exited(69))
    #expect(
      try packing.everythingOnErrors()
        .hasSuffix("notes: unsaved state in packing is lost: no broker is running\n"))
  }

  @Test("F44: a note with an invalid name is refused, and no session is left")
  func refused() throws {
    let daemon = try daemon()
    let message =
      "notes: invalid note name \"../secret\": use letters, digits, blanks, - and _\n"
    let outcome = try run("../secret")
    #expect(outcome.code == 1)
    #expect(outcome.errors == message)
    let packing = try packing(daemon)
    try packing.type(":open a/b")
    try packing.errorLine(containing: "invalid note name \"a/b\": use letters")
    try packing.type(":lines")
    try packing.line(containing: "notes: there is no command \":lines\"; type :help")
    try packing.type(":open")
    try packing.line(containing: "notes: :open needs an argument; type :help")
    try packing.type(":line 9")
    try packing.line(containing: "notes: packing has no line 9")
    try daemon.scenectl("is", "application", "sessions=1")
  }

  @Test("a window that takes over a note has it, and the other window reports this and ends")
  func takenOver() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    let other = try start("packing", "--take-over")
    try other.line(containing: "+  charger")
    #expect(try packing.reap() == .exited(1))
    #expect(
      try packing.everythingOnErrors()
        .hasSuffix("notes: the scene of packing has ended: replaced\n"))
    withExtendedLifetime(daemon) {}
  }
}
