import ScenePlatform
import SceneTestSupport
import Testing

/// The sample, as a person uses it in several shells.
struct NotesTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func manifest() throws -> String {
    let outcome = try RunningProgram.run("notes", ["--print-manifest"])
    #expect(outcome.code == 0)
    return try workplace.write("notes.json", outcome.output)
  }

  private func daemon() throws -> Daemon {
    try Daemon(workplace, ["--manifest", try manifest()])
  }

  /// One that keeps the last event alone.
  private func forgetfulDaemon() throws -> Daemon {
    _ = try manifest()
    let text = try workplace.read("notes.json")
    let topic = #""Notes":{"durable":true"#
    let shorter = text.replacing(topic + #","keep":1000"#, with: topic)
      .replacing(topic, with: topic + #","keep":1"#)
    return try Daemon(workplace, ["--manifest", try workplace.write("forgetful.json", shorter)])
  }

  private var environment: [String: String] {
    ["SCENE_SOCKET": workplace.socket, "NOTES": workplace.file("notes")]
  }

  private func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram("notes", arguments, environment: environment)
  }

  private func run(_ arguments: String...) throws -> Outcome {
    try RunningProgram.run("notes", arguments, environment: environment)
  }

  private func scenectl(_ daemon: Daemon, _ words: String...) throws {
    let outcome = try daemon.run("scenectl", words)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
  }

  /// A window with two lines that are saved, one behind the first that is not.
  private func packing(_ daemon: Daemon) throws -> RunningProgram {
    let window = try start("packing")
    try window.line(containing: "--- packing")
    for line in ["tickets", "passport", ":save"] { try window.type(line) }
    try window.line(containing: "2  passport")
    for line in [":line 1", "charger", ":show"] { try window.type(line) }
    try window.line(containing: "+  charger")
    try scenectl(daemon, "wait", "packing", "activity.userInfo.draft.0=charger")
    return window
  }

  @Test("the README shows how the file begins, and what is kept")
  func readme() throws {
    let file = try Repository.text("Sources/notes/Notes.swift")
    let readme = try Repository.text("README.md")
    let section = try #require(
      readme.components(between: "## Notes in three shells", and: "\n## ").first)
    let blocks = section.components(between: "```swift\n", and: "```")
    #expect(blocks.count == 2)
    for block in blocks { #expect(file.contains(block)) }
    #expect(!file.contains("@testable"))
    #expect(file.matches(of: /(?m)^import (\w+)$/).map(\.1) == ["Foundation", "SceneClient"])
  }

  @Test("F87, F99: its manifest is in order, and declares the topic that it posts to")
  func manifestIsInOrder() throws {
    let outcome = try RunningProgram.run("scened", ["--check", "--manifest", try manifest()])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    let text = try workplace.read("notes.json")
    #expect(text.contains(#""topics":{"Notes":{"durable":true"#), "\(text)")
  }

  @Test("F63, F68: two are open, one is killed, and comes back where it was, with what was typed")
  func killed() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    let other = try start("itinerary")
    try other.line(containing: "--- itinerary")
    try packing.kill()
    let again = try start("packing")
    try again.line(containing: "--- packing, behind line 1")
    let shown = try again.lines(upTo: "passport")
    #expect(shown == ["1  tickets", "+  charger", "2  passport"])
    try scenectl(daemon, "is", "packing", "foregroundActive", "title=packing (not saved)")
    try other.type(":show")
    try other.line(containing: "--- itinerary")
  }

  @Test("killed when the note was written and that was not kept yet, the draft is not doubled")
  func killedWhileSaving() throws {
    let daemon = try daemon()
    let first = try packing(daemon)
    try first.kill()
    _ = try workplace.write("notes/packing.txt", "tickets\ncharger\npassport\n")
    let second = try start("packing")
    try second.line(containing: "--- packing, behind line 2")
    #expect(
      try second.lines(upTo: "passport") == ["1  tickets", "2  charger", "3  passport"])
    try second.type("socks")
    try scenectl(daemon, "wait", "packing", "activity.userInfo.draft.0=socks")
    // What others have written meanwhile is not the draft.
    try second.kill()
    _ = try workplace.write("notes/packing.txt", "tickets\ncharger\npassport\nhat\n")
    let third = try start("packing")
    try third.line(containing: "--- packing, behind line 2")
    let shown = try third.lines(upTo: "hat")
    #expect(shown == ["1  tickets", "2  charger", "+  socks", "3  passport", "4  hat"])
  }

  @Test("a URL's note is shown also where the session was another's, and is found by it")
  func url() throws {
    let daemon = try daemon()
    let first = try start("itinerary")
    try first.line(containing: "--- itinerary")
    try scenectl(daemon, "wait", "itinerary", "activity.userInfo.note=itinerary")
    try first.kill()
    let second = try start("itinerary", "--url", "note:shopping")
    #expect(try second.line(containing: "--- ") == "--- shopping")
    try scenectl(daemon, "wait", "shopping", "foregroundActive", "title=shopping")
    try scenectl(daemon, "is", "application", "sessions=1")
    // The note has a window already, so this one has no name.
    let third = try start("hotels", "--url", "note:shopping")
    #expect(try third.line(containing: "--- ") == "--- shopping")
    try scenectl(daemon, "is", "shopping", "client.pid=\(second.child.pid)")
    try scenectl(daemon, "is", "application", "sessions=2")
  }

  @Test("a URL's note is shown beside a window that has a draft, which stays")
  func urlBesideDraft() throws {
    let daemon = try daemon()
    try packing(daemon).kill()
    let window = try start("packing", "--url", "note:shopping")
    try window.line(containing: "--- shopping")
    try scenectl(daemon, "wait", "shopping", "foregroundActive")
    try window.type(":close")
    try window.line(containing: "--- packing, behind line 1")
    try window.line(containing: "+  charger")
  }

  @Test("new windows without a note do not write the same file, and are found by their names")
  func untitled() throws {
    let daemon = try daemon()
    let windows = [try start("--new"), try start("--new")]
    var names: Set<String> = []
    for (number, window) in windows.enumerated() {
      let name = try window.line(containing: "--- untitled ").dropFirst(4)
      for line in ["line \(number)", ":save"] { try window.type(line) }
      try window.line(containing: "1  line \(number)")
      try scenectl(daemon, "wait", String(name), "client.pid=\(window.child.pid)")
      #expect(try workplace.read("notes/\(name).txt") == "line \(number)\n")
      names.insert(String(name))
    }
    #expect(names.count == 2)
  }

  @Test("who has missed changes that are not kept any more reads the note again")
  func gap() throws {
    let daemon = try forgetfulDaemon()
    let packing = try packing(daemon)
    try scenectl(daemon, "background", "packing")
    try packing.line(containing: "(packing is in the background)")
    _ = try workplace.write("notes/packing.txt", "tickets\npassport\nhat\n")
    for name in ["packing", "itinerary", "itinerary"] {
      try scenectl(daemon, "post", "Notes", "changed", #"{"file": "\#(name)"}"#)
    }
    try scenectl(daemon, "activate", "packing")
    try packing.line(containing: "3  hat")
  }

  @Test("settings that could not be written are not announced")
  func unwrittenSettings() throws {
    let daemon = try daemon()
    // A file where the directory would be.
    _ = try workplace.write("notes", "")
    let window = try start("-c", "Settings")
    try window.line(containing: "--- Settings")
    try window.type("numbers off")
    try window.line(containing: "notes: ")
    try scenectl(daemon, "post", "Notes", "changed", #"{"file": "last"}"#)
    let first = try daemon.run("scenectl", ["observe", "Notes", "--last", "2", "--count", "1"])
    #expect(first.output.contains("last"), "\(first.output)")
  }

  @Test("the broker is killed, and both go on with the next; what was typed meanwhile is kept")
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
    try scenectl(second, "wait", "packing", "activity.userInfo.draft.1=socks")
    // Nothing was in the background meanwhile.
    try packing.type(":show")
    #expect(try packing.lines(upTo: "+  socks").allSatisfy { !$0.hasPrefix("(") })
  }

  @Test("without a broker a note is saved all the same, and said to be")
  func savedAlone() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.kill()
    try packing.errorLine(containing: "the broker is gone; what needs it waits")
    for line in ["socks", ":save"] { try packing.type(line) }
    try packing.line(containing: "(packing is saved)")
    try packing.line(containing: "socks")
    #expect(try workplace.read("notes/packing.txt").contains("socks\n"))
  }

  @Test("F73: a change in one window is shown by the other, and by its own, in the same way")
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
    // The other has missed what happens while it is in the background, and hears it on its way up.
    try scenectl(daemon, "background", "packing")
    try packing.line(containing: "(packing is in the background)")
    for line in ["socks", ":save"] { try other.type(line) }
    try other.line(containing: "4  socks")
    try scenectl(daemon, "activate", "packing")
    try packing.line(containing: "4  socks")
  }

  @Test("F53, F59: what is open already comes to the foreground, and is not opened again")
  func openAlready() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    let pid = "client.pid=\(packing.child.pid)"
    try scenectl(daemon, "background", "packing")
    let again = try run("packing")
    #expect(again.code == 0)
    #expect(again.output == "")
    #expect(
      again.errors
        == "notes: packing is held by notes \(packing.child.pid), and comes to the foreground there\n"
    )
    try scenectl(daemon, "is", "packing", "foregroundActive", pid)

    try scenectl(daemon, "background", "packing")
    let other = try start("itinerary")
    try other.line(containing: "--- itinerary")
    try other.type(":open packing")
    try other.line(containing: "(packing is open elsewhere, and comes to the foreground there)")
    try scenectl(daemon, "is", "packing", "foregroundActive", pid)

    try scenectl(daemon, "background", "packing")
    try scenectl(daemon, "open", "note:packing", "--target", "note/packing")
    try scenectl(daemon, "is", "packing", "foregroundActive", pid)
    try scenectl(daemon, "is", "application", "sessions=2")
  }

  @Test("F40: one process has several windows; what is typed is for the one in front")
  func several() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try packing.type(":open list")
    try packing.line(containing: "--- list")
    try packing.type("milk")
    try packing.type(":open packing")
    try packing.line(containing: "--- packing, behind line 1")
    try scenectl(daemon, "is", "list", "foregroundActive", "activity.userInfo.draft.0=milk")
    try packing.type(":settings")
    try packing.line(containing: "--- Settings: numbers on")
    try packing.type("numbers off")
    try packing.line(where: { $0 == "tickets" })
    // Closed, it leaves what was in front before it.
    try scenectl(daemon, "close", try session(daemon, of: "Settings"))
    try packing.line(containing: "--- packing")
  }

  private func session(_ daemon: Daemon, of title: String) throws -> String {
    let lines = try daemon.run("scenectl", []).output.split(separator: "\n")
    let line = try #require(lines.first { $0.contains(title) })
    return try #require(line.split(separator: " ").first.map(String.init))
  }

  @Test("F89: the settings are one window, whoever asks for it, and begin afresh")
  func settings() throws {
    let daemon = try daemon()
    let first = try start("-c", "Settings")
    try first.line(containing: "--- Settings: numbers on")
    let second = try run("-c", "Settings")
    #expect(second.code == 0)
    #expect(second.errors == "notes: it is open already, and comes to the foreground where it is\n")
    try first.type("numbers off")
    try first.type("colours")
    try first.line(containing: "notes: type numbers on, or numbers off")
    #expect(try workplace.read("notes/.settings.txt") == "numbers off\n")
    try first.send(.interrupt)
    #expect(try first.reap() == .exited(0))
    let other = try start("packing")
    try other.line(containing: "--- packing")
    try other.type(":settings")
    try other.line(containing: "--- Settings: numbers off")
    try scenectl(daemon, "is", "application", "sessions=2")
  }

  @Test("F41: the switcher shows what is in it, also while nobody has it")
  func switcher() throws {
    let daemon = try daemon()
    try packing(daemon).kill()
    try scenectl(daemon, "wait", "packing", "unattached")
    let shown = try daemon.run("scenectl", ["switcher"]).output
    for line in [#"packing "packing (not saved)", unattached"#, "  1  tickets", "  +  charger"] {
      #expect(shown.contains(line), "\(shown)")
    }
  }

  @Test("F51: put away, it waits, and a line that is typed brings it back")
  func reclaimed() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try scenectl(daemon, "background", "packing")
    try scenectl(daemon, "reclaim", "packing")
    try packing.line(containing: "(packing is put away; Enter brings it back)")
    try packing.type("socks")
    try packing.line(containing: "--- packing, behind line 1")
    try packing.line(containing: "+  charger")
    try scenectl(daemon, "wait", "packing", "foregroundActive", "activity.userInfo.draft.1=socks")
  }

  @Test("put away while another has the note, it says so at each line, and takes them afterwards")
  func reclaimedAndTaken() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try scenectl(daemon, "background", "packing")
    try scenectl(daemon, "reclaim", "packing")
    try packing.line(containing: "(packing is put away; Enter brings it back)")
    let other = try start("packing")
    try other.line(containing: "+  charger")
    for line in ["socks", "hat"] {
      try packing.type(line)
      try packing.errorLine(containing: "packing is held by notes \(other.child.pid)")
    }
    try other.kill()
    try scenectl(daemon, "wait", "packing", "unattached")
    try packing.type("")
    try packing.line(containing: "--- packing, behind line 1")
    try scenectl(
      daemon, "wait", "packing", "foregroundActive", "activity.userInfo.draft.1=socks",
      "activity.userInfo.draft.2=hat")
  }

  @Test("what is typed to a window in the background is for it once it has come to the foreground")
  func typedInBackground() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try scenectl(daemon, "background", "packing")
    try packing.line(containing: "(packing is in the background)")
    try packing.type(":line 9")
    let shown = try packing.lines(upTo: "notes: packing has no line 9")
    #expect(shown.contains("--- packing, behind line 1"), "\(shown)")
    try packing.type(":line 8")
    try packing.line(containing: "notes: packing has no line 8")
  }

  @Test("the end of what is typed comes behind the lines that bring it to the foreground")
  func endInBackground() throws {
    let daemon = try daemon()
    let window = try start("packing", "--background")
    for line in ["socks", "hat"] { try window.type(line) }
    window.closeInput()
    #expect(try window.reap() == .exited(0))
    try scenectl(
      daemon, "is", "packing", "unattached", "activity.userInfo.draft.0=socks",
      "activity.userInfo.draft.1=hat")
  }

  @Test("F90: the phase is told of when it changes")
  func phase() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    try scenectl(daemon, "background", "packing")
    try packing.line(containing: "(no window is in front any more)")
  }

  @Test("the end of what it reads closes it, and keeps it; where there was nothing, it stays")
  func endOfInput() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    packing.closeInput()
    #expect(try packing.reap() == .exited(0))
    try scenectl(
      daemon, "is", "packing", "unattached", "disconnect.reason=clientRequest",
      "activity.userInfo.draft.0=charger")
    let silent = try start("packing")
    silent.closeInput()
    try silent.line(containing: "+  charger")
    try scenectl(daemon, "is", "packing", "foregroundActive")
    try scenectl(daemon, "close", "packing")
    #expect(try silent.reap() == .exited(0))
  }

  @Test("without an input it stays, and a signal ends it in order")
  func noInput() throws {
    let daemon = try daemon()
    let silent = try RunningProgram(
      "/bin/sh", ["-c", "exec \"$0\" packing 0<&-", try Programs.path("notes")],
      environment: environment)
    try silent.line(containing: "--- packing")
    try silent.send(.terminate)
    #expect(try silent.reap() == .exited(0))
    try scenectl(daemon, "is", "packing", "unattached", "disconnect.reason=clientRequest")
  }

  @Test("without a broker, or with one that does not know it, it says how to start one")
  func noBroker() throws {
    let outcome = try run("packing")
    #expect(outcome.code == 69)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("notes: no broker answers ("), "\(outcome.errors)")
    let start =
      "Start one with: scened --manifest <(\(try Programs.path("notes")) --print-manifest) &\n"
    #expect(outcome.errors.hasSuffix(start), "\(outcome.errors)")
    let daemon = try Daemon(workplace)
    let stranger = try run("packing")
    #expect(stranger.code == 1)
    #expect(
      stranger.errors.hasPrefix("notes: the broker does not know this application's scenes: "),
      "\(stranger.errors)")
    try scenectl(daemon, "is", "application", "sessions=0")
  }

  @Test(
    "a wrong command line is told where it is wrong",
    arguments: [
      (["a", "b"], "unexpected argument \"b\""), (["--sav"], "unknown option --sav"),
      (["a", "--new"], "NAME and --new exclude each other"),
      (["-c", "Letter"], "is none of Note, Settings"),
    ])
  func usage(arguments: [String], message: String) throws {
    let outcome = try RunningProgram.run("notes", arguments, environment: environment)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("the broker of another application than the one that is named is not talked to")
  func stranger() throws {
    let daemon = try daemon()
    let outcome = try run("-a", "mail", "-S", daemon.socket)
    #expect(outcome.code == 69)
    #expect(
      outcome.errors == "notes: the broker is that of the application default, not of mail\n")
  }

  @Test("--help begins with what it is for; who leaves without a broker is told what is lost")
  func words() throws {
    let help = try run("--help")
    #expect(help.code == 0)
    #expect(
      help.output.contains("\n\nKeep notes in text files, each in a window;"), "\(help.output)")
    let daemon = try daemon()
    let packing = try packing(daemon)
    try daemon.kill()
    try packing.errorLine(containing: "the broker is gone")
    for line in ["socks", ":show"] { try packing.type(line) }
    try packing.line(containing: "+  socks")
    try packing.send(.interrupt)
    try packing.errorLine(containing: "without a broker nobody keeps where packing is")
    try packing.errorLine(containing: "Start one with: scened")
    try packing.errorLine(containing: "Ctrl-C again leaves all the same")
    try packing.send(.terminate)
    try packing.line(containing: "notes: the draft of packing is not kept: ")
    #expect(try packing.reap() == .exited(0))
  }

  @Test("F44: a note that cannot be called so is refused, and no session is left of it")
  func refused() throws {
    let daemon = try daemon()
    let message = "notes: a note's name has letters, digits, blanks, - and _\n"
    let outcome = try run("../secret")
    #expect(outcome.code == 1)
    #expect(outcome.errors == message)
    let packing = try packing(daemon)
    try packing.type(":open a/b")
    try packing.errorLine(containing: "a note's name has letters")
    try packing.type(":lines")
    try packing.line(containing: "notes: what is :lines? See :help")
    try packing.type(":line 9")
    try packing.line(containing: "notes: packing has no line 9")
    try scenectl(daemon, "is", "application", "sessions=1")
  }

  @Test("who takes a note over has it, and the other says so and ends")
  func takenOver() throws {
    let daemon = try daemon()
    let packing = try packing(daemon)
    let other = try start("packing", "--take-over")
    try other.line(containing: "+  charger")
    #expect(try packing.reap() == .exited(1))
    #expect(try packing.everythingOnErrors().hasSuffix("notes: packing has ended: replaced\n"))
    withExtendedLifetime(daemon) {}
  }

  @Test("who has lost the session, because it was discarded or is not known any more, says so")
  func gone() throws {
    let first = try daemon()
    let packing = try packing(first)
    try scenectl(first, "discard", "packing")
    #expect(try packing.reap() == .exited(0))
    #expect(try packing.everythingOnErrors() == "notes: packing was discarded\n")
    let other = try start("itinerary")
    try other.line(containing: "--- itinerary")
    #expect(try first.stop().isSuccess)
    try Directory.removeTree(workplace.state)
    let second = try daemon()
    #expect(try other.reap() == .exited(1))
    #expect(try other.everythingOnErrors().contains("no session "))
    withExtendedLifetime(second) {}
  }
}
