import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl move` between two brokers of this machine, and over a stand-in for ssh.
@Suite("scenectl move")
struct MoveTests {
  private let here: Daemon
  private let there: Daemon
  private let workplace: Workplace

  init() throws {
    workplace = try Workplace()
    here = try Daemon(Workplace())
    there = try Daemon(Workplace())
  }

  private var remote: String {
    get throws { "\(try Programs.path("scenectl").shellWord) -S \(there.socket.shellWord)" }
  }

  private func move(
    _ words: String..., remote: String? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    let options = try ["--remote", remote ?? self.remote]
    return try here.run("scenectl", ["move"] + words + options, environment: environment)
  }

  /// A session with an activity and without a scene.
  private func make(_ name: String = "notes", in daemon: Daemon) throws {
    let scene = try daemon.scene(name)
    try daemon.scenectl("save", name, #"com.example.note={"line":137}"#)
    try daemon.scenectl("close", name)
    try scene.kill()
  }

  @Test("a session with a scene moves, with its activity and its data directory, and returns")
  func toAndFro() throws {
    let scene = try here.scene("notes")
    try here.scenectl("save", "notes", #"com.example.note={"line":137}"#)
    let data = try here.scenectl("data", "notes").trimmingLineFeed
    try File.write("history".utf8, to: data + "/history")
    let moved = try move("notes", "--to", "desktop")
    #expect(moved.output.hasPrefix("notes: moved to desktop (generation "), "\(moved.errors)")
    #expect(moved.code == 0 && moved.errors.isEmpty)
    try scene.line(containing: "didDisconnect")
    #expect(
      try scene.finish().errors.contains(
        "scene: the session is at desktop; take it back with: scenectl"))
    try here.scenectl("is", "notes away.to=desktop away.confirmed=true")
    #expect(
      try there.scenectl("show", "notes", "--value", "activity.userInfo.line") == "137\n")
    let copied = try there.scenectl("data", "notes").trimmingLineFeed
    #expect(try File.read(copied + "/history") == ContiguousArray("history".utf8))
    let place = "he session is at desktop; take it back with: scenectl"
    #expect(try here.scenectl("why", "notes").contains("T" + place))
    #expect(try here.run("scenectl", ["reopen", "notes"]).errors.contains("t" + place))
    // The same command again changes nothing, and a third host gets nothing.
    #expect(try move("notes", "--to", "desktop").code == 0)
    let third = try move("notes", "--to", "phone")
    #expect(third.code == 1)
    #expect(
      try third.errors == "scenectl: notes is at desktop; take it back with: scenectl move notes "
        + "--from desktop --remote \(remote.shellWord)\n")
    let back = try move("notes", "--from", "desktop")
    #expect(back.output.hasPrefix("notes: moved from desktop (generation "), "\(back.errors)")
    try here.scenectl("is", "notes unattached fence=2")
  }

  @Test("a client in Python ends in order, and its last save moves")
  func python() throws {
    let script = try Repository.file("scripts/scene.py")
    let client = try here.start("python3", [script, "packing"])
    try client.line(containing: "at line 1 - saved")
    let moved = try move("packing", "--to", "desktop")
    #expect(moved.code == 0, "\(moved.errors)")
    #expect(try client.finish().code == 0)
    #expect(try there.scenectl("show", "packing", "--value", "activity.userInfo.line") == "1\n")
    let refused = try here.run("python3", [script, "packing"])
    let place = "packing is at desktop; take it back with: scenectl -S "
    #expect(refused.errors.hasPrefix(place), "\(refused.errors)")
  }

  @Test("a session that was discarded here and arrives again keeps its data directory")
  func discardedBefore() throws {
    try make(in: here)
    let data = try here.scenectl("data", "notes").trimmingLineFeed
    try File.write("history".utf8, to: data + "/history")
    #expect(try move("notes", "--to", "desktop").code == 0)
    try here.scenectl("discard", "notes")
    #expect(try move("notes", "--from", "desktop").code == 0)
    try here.kill()
    let next = try Daemon(here.workplace)
    let kept = try next.scenectl("data", "notes").trimmingLineFeed
    #expect(try File.read(kept + "/history") == ContiguousArray("history".utf8))
  }

  @Test("the variables of a command stay, and the verb names them")
  func variables() throws {
    let scene = try here.start(
      "scene", ["notes", "--env", "PORT=1", "--", "sleep", "1000"])
    try here.scenectl("wait", "notes", "foregroundActive")
    let moved = try move("notes", "--to", "desktop")
    #expect(moved.code == 0)
    #expect(
      moved.errors.hasPrefix("scenectl: notes: the variables of its command stay at "),
      "\(moved.errors)")
    #expect(moved.errors.hasSuffix(": PORT\n"), "\(moved.errors)")
    #expect(
      try there.scenectl("show", "notes", "--json").contains("PORT") == false)
    _ = try scene.finish()
  }

  @Test("a command that cannot run there keeps the session here, unless --anyway leaves it")
  func program() throws {
    let directory = workplace.file("project")
    try Directory.make(directory)
    let scene = try here.start(
      "scene", ["notes", "--", "sleep", "1000"], workingDirectory: directory)
    try here.scenectl("wait", "notes", "foregroundActive")
    try here.scenectl("close", "notes")
    _ = try scene.finish()
    try Directory.removeTree(directory)
    let refused = try move("notes", "--to", "desktop")
    #expect(refused.code == 1)
    #expect(
      refused.errors.hasPrefix("scenectl: desktop: cannot run sleep in \(directory) at desktop: "))
    #expect(refused.errors.hasSuffix("use --anyway to move the session without its program\n"))
    #expect(try here.run("scenectl", ["show", "notes", "--value", "away"]).code != 0)
    let bare = try move("notes", "--to", "desktop", "--anyway")
    #expect(
      bare.output.hasSuffix(" without its command, which it gets again when it returns\n"),
      "\(bare)")
    #expect(try there.run("scenectl", ["show", "notes", "--value", "program"]).code != 0)
    let back = try move("notes", "--from", "desktop")
    #expect(back.output.contains("; open it with: "), "\(back)")
    // The command can run there again, so --anyway leaves nothing.
    try Directory.make(directory)
    #expect(try !move("notes", "--to", "desktop", "--anyway").output.contains("without"))
    #expect(
      try there.scenectl("show", "notes", "--value", "program.arguments") == #"["sleep","1000"]"#
        + "\n")
  }

  @Test("a taken name is refused before the release; --copy makes a second session")
  func name() throws {
    try make(in: here)
    try make(in: there)
    let refused = try move("notes", "--to", "desktop")
    #expect(refused.code == 1)
    #expect(
      refused.errors == "scenectl: desktop: a session called notes already exists at desktop; "
        + "rename one of them\n")
    let copied = try move("notes", "--to", "desktop", "--copy")
    #expect(copied.output.hasPrefix("notes: copied to desktop"), "\(copied.errors)")
    #expect(try there.scenectl("sessions", "--names").split(separator: "\n").count == 2)
    // The message names the copy, which has no name here.
    #expect(try there.run("scene", ["notes", "--", "true"]).code == 0)
    let fetched = try move("notes", "--from", "desktop", "--copy").output
    let original = try there.scenectl("show", "notes", "--value", "session")
    let word = try #require(fetched.trimmingLineFeed.split(separator: " ").last)
    let copy = try here.scenectl("show", String(word), "--value", "session")
    #expect(fetched.contains("; open it with: ") && copy != original, "\(fetched)")
  }

  @Test("--force makes a session present whose host is lost")
  func force() throws {
    try make(in: here)
    #expect(try move("notes", "--to", "desktop").code == 0)
    #expect(try move("notes", "--from", "desktop", "--force").code == 0)
    try here.scenectl("is", "notes unattached fence=2")
    let again = try move("notes", "--from", "desktop")
    #expect(again.code == 1)
    #expect(again.errors.contains("notes is present at both hosts; to make a copy"))
    #expect(try move("notes", "--from", "desktop", "--copy").code == 0)
  }

  @Test("the command of --files gets the paths before the release, and can refuse")
  func files() throws {
    let scene = try here.scene("notes")
    try here.scenectl(
      "save", "notes",
      #"{"activityType":"com.example.note","userInfo":{"files":["/a b","relative","/c"]}}"#)
    let list = workplace.file("list")
    let failed = try move("notes", "--to", "desktop", "--files", "false")
    #expect(failed.code == 1)
    #expect(
      failed.errors == "scenectl: the command of --files exited with status 1; nothing has moved\n")
    try here.scenectl("is", "notes foregroundActive")
    #expect(try move("notes", "--to", "desktop", "--files", "tee \(list)").code == 0)
    #expect(try workplace.read("list") == "/a b\n/c\n")
    try make("plain", in: here)
    let plain = try move("plain", "--to", "desktop", "--files", "false")
    #expect(plain.code == 0)
    #expect(plain.errors.contains("plain: the activity lists no files"), "\(plain.errors)")
    _ = scene
  }

  @Test(
    "an end that does not speak the exchange moves nothing",
    arguments: [
      ("echo Welcome; cat", 65, "expected a line of the exchange, found \"Welcome\""),
      (#"echo '{"accept'; cat"#, 65, "invalid line of the exchange: "),
      (#"echo '{"later":{}}'; cat"#, 65, "later: unknown line"),
      ("read x", 65, "closed the connection in the middle"),
      ("exit 127", 69, "has no scenectl in PATH or ~/.local/bin"),
      ("head -c 30000000 /dev/zero | tr '\\0' '{'", 65, "has more than 24 MiB"),
      ("exec sleep 100", 124, "timed out after 300ms: desktop does not answer"),
    ])
  func badEnd(script: String, code: Int32, message: String) throws {
    try make(in: here)
    let words = script.hasPrefix("exec sleep") ? ["--timeout", "300ms"] : []
    let outcome = try here.run(
      "scenectl",
      ["move", "notes", "--to", "desktop", "--remote", "sh -c \(script.shellWord)"] + words)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    try here.scenectl("is", "notes unattached")
    #expect(try here.run("scenectl", ["is", "notes", "away.to=desktop"]).code != 0)
  }

  @Test("after a lost connection the same command finishes the move")
  func lost() throws {
    try make(in: here)
    // The connection ends after the offer and the answer: the session is released and not adopted.
    let cut =
      "scenectl=$1; socket=$2; mkfifo $0; ($scenectl -S $socket adopt <$0 | head -n 1) & "
      + "exec 3>$0; read -r offer; printf '%s\\n' \"$offer\" >&3; read -r session; kill $!"
    let script =
      "sh -c \(cut.shellWord) \(workplace.file("pipe").shellWord) "
      + "\(try Programs.path("scenectl").shellWord) \(there.socket.shellWord)"
    let outcome = try move("notes", "--to", "desktop", remote: script)
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("notes can be away: the same command finishes the move"),
      "\(outcome.errors)")
    try here.scenectl("is", "notes away.to=desktop")
    #expect(try here.run("scenectl", ["is", "notes away.confirmed=true"]).code == 1)
    #expect(try move("notes", "--to", "desktop").code == 0)
    try there.scenectl("is", "notes unattached")
  }

  @Test("ssh runs one command for a shell, which adds ~/.local/bin to its path")
  func ssh() throws {
    try make(in: here)
    let bin = workplace.file(".local/bin")
    try Directory.makeAll(bin)
    try File.link(bin + "/scenectl", to: Programs.path("scenectl"))
    // Has the environment of a command over ssh, and the options of a sanitizer.
    let stand =
      "echo \"$1\" >&2; exec env -i ${ASAN_OPTIONS:+ASAN_OPTIONS=$ASAN_OPTIONS} "
      + "${TSAN_OPTIONS:+TSAN_OPTIONS=$TSAN_OPTIONS} HOME=\(workplace.path) PATH=/usr/bin:/bin "
      + "SCENE_SOCKET=\(there.socket) sh -c \"$2\""
    let outcome = try here.run(
      "scenectl", ["move", "notes", "--to", "me@desktop"],
      environment: ["SCENE_SSH": "sh -c \(stand.shellWord) ssh"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors == "me@desktop\n")
    try here.scenectl("is", "notes away.to=desktop")
  }

  @Test("a host that ssh cannot reach has status 69, after ssh's own line")
  func unreachable() throws {
    try make(in: here)
    let outcome = try here.run(
      "scenectl", ["move", "notes", "--to", "desktop"],
      environment: ["SCENE_SSH": "sh -c 'echo no route >&2; exit 255'"])
    #expect(outcome.code == 69)
    #expect(
      outcome.errors.hasPrefix("no route\nscenectl: desktop is unreachable; check with: "),
      "\(outcome.errors)")
  }

  @Test("the way back names the user of the destination, and a lost ssh of --remote is status 69")
  func destination() throws {
    try make(in: here)
    let ssh = "sh -c 'shift; exec \(try remote) adopt'"
    let moved = try here.run(
      "scenectl", ["move", "notes", "--to", "ada@desktop"], environment: ["SCENE_SSH": ssh])
    #expect(moved.code == 0, "\(moved.errors)")
    #expect(try here.scenectl("why", "notes").contains("--from ada@desktop"))
    try make("other", in: here)
    let lost = try move("other", "--to", "desktop", remote: "sh -c 'exit 255'")
    #expect(lost.code == 69)
    #expect(lost.errors.contains("desktop is unreachable"), "\(lost.errors)")
  }

  @Test("while scenehandoff observes its topic, move refuses, and all advice names handoff take")
  func agent() throws {
    try make(in: here)
    try make("away", in: here)
    #expect(try move("away", "--to", "desktop").code == 0)
    try here.scenectl("post", "org.scenebroker.handoff", "{}")
    // The broker sorts the topics by name.
    try here.scenectl("post", "org.scenebroker.handofa", "{}")
    let observer = try here.start(
      "scenectl", ["observe", "org.scenebroker.handoff", "--last", "1"])
    try observer.line(containing: "org.scenebroker.handoff")
    let pushed = try move("notes", "--to", "desktop")
    #expect(pushed.code == 1)
    #expect(pushed.errors.contains("run at desktop: scenectl"), "\(pushed.errors)")
    let fetched = try move("notes", "--from", "desktop")
    #expect(fetched.errors.contains(" handoff take notes"), "\(fetched.errors)")
    let advice = [
      try here.scenectl("why", "away"), try here.run("scenectl", ["reopen", "away"]).errors,
      try here.run("scenectl", ["save", "away", "com.example.note={}"]).errors,
    ]
    for text in advice { #expect(text.contains(" handoff take away"), "\(text)") }
    try observer.kill()
  }
}

extension String {
  fileprivate var trimmingLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
