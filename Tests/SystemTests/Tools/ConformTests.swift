import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl conform` and its results.
@Suite("Conformance of clients")
struct ConformTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func conform(_ words: [String], _ command: String...) throws -> Outcome {
    try conform(words, command)
  }

  private func conform(_ words: [String], _ command: [String]) throws -> Outcome {
    let outcome = try RunningProgram.run(
      "scenectl", ["conform"] + words + ["--"] + command,
      environment: ["TMPDIR": workplace.path, "SCENE_SOCKET": "/nowhere"])
    // The run has removed all its files.
    #expect(try Directory.list(workplace.path).allSatisfy { !$0.hasPrefix("scene-script-") })
    return outcome
  }

  /// A correct client has all the time that it needs.
  private static let patience = ["--patience", "3m"]

  /// The names of the cases whose lines begin with `result` and have `directive`.
  private func cases(_ result: String, _ directive: String?, in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("\(result) "),
        line.contains("# \(directive ?? "")") == (directive != nil)
      else { return nil }
      return line.split(separator: " - ").dropFirst().first?.split(separator: ":").first
        .map(String.init)
    }
  }

  // MARK: - Clients of this package

  @Test(
    "`scene --json` and the scene in Swift pass every required and every optional case",
    arguments: [["scene", "--json"], ["note-scene"]])
  func complete(words: [String]) throws {
    let outcome = try conform(Self.patience, [Programs.path(words[0])] + words.dropFirst())
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(!outcome.output.contains("not ok"), "\(outcome.output)")
    #expect(!outcome.output.contains("# SKIP"), "\(outcome.output)")
  }

  @Test("the scene in Python passes every required case, and ends in cases where others wait")
  func python() throws {
    let outcome = try conform(Self.patience, try Repository.file("scripts/scene.py"))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(cases("not ok", nil, in: outcome.output) == [], "\(outcome.output)")
    #expect(cases("not ok", "TODO", in: outcome.output) == ["resume", "restore"])
    #expect(cases("ok", "SKIP", in: outcome.output) == ["again"])
  }

  // MARK: - Faulty clients

  @Test(
    "a fault makes its own cases fail, and no others",
    arguments: [
      ("", [], ["connect", "request", "killed", "pieces"]),
      ("asks-first", ["hello"], []),
      ("answers-twice", ["background"], ["connect", "interrupt"]),
      ("text-id", ["background", "interrupt"], ["connect"]),
      ("torn-frame", ["connect"], ["hello"]),
      ("says-yes", ["request"], ["notification", "background"]),
      ("answers-notifications", ["notification"], ["request"]),
      ("strict", ["members"], ["notification", "pieces"]),
      ("strict-frame", ["members"], ["notification", "pieces"]),
      ("odd-request-id", ["connect"], []),
      ("no-id", ["connect"], []),
      ("no-version", ["connect"], []),
      ("reads-once", ["pieces"], ["background", "members"]),
      ("odd-activity", ["activity"], ["background"]),
      ("refuses-again", ["killed"], ["reclaim", "discard"]),
      ("dies-with-broker", ["lost"], ["shutdown"]),
    ])
  func fault(_ name: String, _ failing: [String], _ passing: [String]) throws {
    let outcome = try conform(
      (failing + passing).flatMap { ["--case", $0] } + Self.patience,
      try Repository.file("Tests/Scripts/bad-scene.py"), name)
    #expect(outcome.code == (failing.isEmpty ? 0 : 1), "\(outcome.errors)")
    #expect(Set(cases("not ok", nil, in: outcome.output)) == Set(failing), "\(outcome.output)")
    #expect(Set(cases("ok", nil, in: outcome.output)) == Set(passing), "\(outcome.output)")
  }

  @Test("a violation is a failure, even in an optional case")
  func violated() throws {
    let bad = try Repository.file("Tests/Scripts/bad-scene.py")
    let outcome = try conform(["--case", "kept"] + Self.patience, bad, "answers-twice")
    #expect(outcome.code == 1)
    #expect(cases("not ok", nil, in: outcome.output) == ["kept"], "\(outcome.output)")
    #expect(outcome.output.contains("\n# actual: a reply with the id "))
  }

  @Test("a report notes an optional action that a client does not do, and it is no failure")
  func optional() throws {
    let bad = try Repository.file("Tests/Scripts/bad-scene.py")
    let new = try conform(["--case", "same", "--case", "kept"] + Self.patience, bad, "always-new")
    #expect(new.code == 0)
    #expect(cases("not ok", "TODO the client requested a new session", in: new.output) == ["same"])
    #expect(cases("ok", "SKIP the client requested a new session", in: new.output) == ["kept"])
    let forgetful = try conform(["--case", "kept"] + Self.patience, bad, "forgets")
    #expect(forgetful.code == 0)
    #expect(cases("not ok", "TODO the client had {", in: forgetful.output) == ["kept"])
  }

  @Test(
    "the run ends a client that does not answer",
    arguments: [
      (
        "hangs", "background",
        "willResignActive answered, didEnterBackground not answered, timed out after"
      ),
      ("waits-for-ever", "lost", "the client neither reconnected nor exited"),
    ])
  func hanging(fault: String, name: String, words: String) throws {
    let outcome = try conform(
      ["--case", name, "--patience", "10s", "--junit", workplace.file("report.xml")],
      try Repository.file("Tests/Scripts/bad-scene.py"), fault)
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\n# actual: \(words)"), "\(outcome.output)")
    #expect(outcome.output.contains("\n# expected: to "))
    #expect(outcome.output.contains("\n# to reproduce: scenectl conform --case \(name) -- "))
    #expect(try workplace.read("report.xml").contains("<failure message=\"\(words)"))
  }

  @Test("a command that does not exist is not run")
  func noCommand() throws {
    #expect(try conform([], "no-such-client").code == 127)
    #expect(try conform([], "/no/such/client").code == 127)
    #expect(try conform(["--case", "nothing"], "true").code == 2)
    let quiet = try conform(["--case", "connect"] + Self.patience, "true")
    #expect(quiet.code == 1)
    #expect(
      quiet.output.contains("no callback reached the client, the client exited with status 0"))
  }

  @Test("a command that cannot be started has the exit status of a shell, and no case runs")
  func notStarted() throws {
    let text = try workplace.write("client", "#!/no/such/interpreter\n")
    #expect(try conform([], text).code == 126)
    #expect(try conform([], workplace.path).code == 126)
    try File.setMode(text, 0o755)
    let outcome = try conform([], text)
    #expect(outcome.code == 127)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("/no/such/interpreter does not exist"), "\(outcome.errors)")
  }

  @Test("the run ends without an error when its reader exits")
  func unread() throws {
    let outcome = try RunningProgram.run(
      "/bin/bash",
      [
        "-c", #""$0" conform -- "$1" --json | head -n 1; echo ${PIPESTATUS[0]}"#,
        try Programs.path("scenectl"), try Programs.path("scene"),
      ], environment: ["TMPDIR": workplace.path])
    #expect(outcome.output == "TAP version 13\n141\n")
    #expect(outcome.errors == "")
    #expect(try Directory.list(workplace.path).isEmpty)
  }

  @Test(
    "the report names a process that exits and leaves another process as the client")
  func forked() throws {
    let client = try workplace.write(
      "client",
      """
      #!/usr/bin/env python3
      import os, signal, subprocess, sys, time
      started = os.getpid()
      reader, writer = os.pipe()
      if os.fork():
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
      scene = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
      scene.stdout.readline()
      # The started process goes after the connection, and is reaped before the next callback.
      scene.send_signal(signal.SIGSTOP)
      os.close(writer)
      try:
        while True: os.kill(started, 0); time.sleep(0.001)  # no event tells of the reaping
      except ProcessLookupError: pass
      scene.send_signal(signal.SIGCONT)
      scene.wait()
      """)
    try File.setMode(client, 0o755)
    let outcome = try conform(
      ["--case", "killed"] + Self.patience, client, try Programs.path("scene"), "--json")
    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        "\n# actual: the started process exited with status 0, but another process is the client; "),
      "\(outcome.output)")
  }
}
