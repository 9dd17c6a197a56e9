import ScenePlatform
import SceneTestSupport
import Testing

@Suite("scenectl test")
struct TestVerbTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func test(_ words: String...) throws -> Outcome {
    try RunningProgram.run(
      "scenectl", ["test"] + words, environment: ["TMPDIR": workplace.path],
      workingDirectory: workplace.path)
  }

  /// The directories of scripts that are left.
  private func scriptDirectories() throws -> [String] {
    try Directory.list(workplace.path).filter { $0.hasPrefix("scene-script-") }
  }

  @Test("the report has a line for each section, in the order of the files")
  func order() throws {
    _ = try workplace.write("a.scene", "# Slow\nbroker start\nclient a\n# Then\nkill a\n")
    _ = try workplace.write("b.scene", "exec true\n")
    let outcome = try test("--jobs", "2", "a.scene", "b.scene")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        TAP version 13
        1..3
        ok 1 - a.scene: Slow
        ok 2 - a.scene: Then
        ok 3 - b.scene

        """)
    #expect(outcome.errors == "")
    #expect(try scriptDirectories() == [])
  }

  @Test("a failed script does not stop the other scripts, and both reports list it")
  func failing() throws {
    _ = try workplace.write("a.scene", "broker start\nexpect packing\n")
    _ = try workplace.write("b.scene", "exec true\n")
    let outcome = try test("--junit", "report.xml", "a.scene", "b.scene")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\nnot ok 1 - a.scene\n# a.scene:2:1: expect packing\n"))
    #expect(outcome.output.contains("\n# to reproduce: scenectl test a.scene:2\n"))
    #expect(outcome.output.hasSuffix("\nok 2 - b.scene\n"))
    #expect(
      try workplace.read("report.xml").contains(
        "<failure message=\"a.scene:2:1: expect packing: expectation failed: no   packing"))
    #expect(try scriptDirectories() == [])
  }

  @Test("an invalid line number is an error", arguments: ["0", "x", "-1", ""])
  func noLine(location: String) throws {
    _ = try workplace.write("a.scene", "exec true\n")
    let outcome = try test("a.scene:\(location)")
    #expect(outcome.code == 2)
    let word = location.isEmpty ? "\"\"" : location
    #expect(
      outcome.errors.hasPrefix("scenectl test: \(word) is not a line number of a.scene; "),
      "\(outcome.errors)")
    #expect(try test("b.scene:\(location)").code == 66)
  }

  @Test("a script runs up to a line, and --keep keeps the directory")
  func upTo() throws {
    _ = try workplace.write("a.scene", "exec touch here\n# B\nexec false\n")
    let outcome = try test("--keep", "a.scene:2")
    #expect(outcome.code == 0)
    let kept = try #require(try scriptDirectories().first)
    #expect(
      outcome.output
        == "TAP version 13\n1..1\nok 1 - a.scene\n"
        + "# a.scene: files kept in \(workplace.path)/\(kept)\n")
    #expect(try Directory.list("\(workplace.path)/\(kept)/work") == ["here"])
  }

  @Test("the page of a failed script shows the failure and ends with the script")
  func failedPage() throws {
    _ = try workplace.write("a.scene", "broker start\nclient a\nexpect a background\n")
    #expect(try test("--keep", "a.scene").code == 1)
    let kept = try #require(try scriptDirectories().first)
    let page = try workplace.read("\(kept)/timeline.html")
    #expect(
      page.contains(
        "<pre>a.scene:3:1: expect a background\nexpectation failed:\n"
          + "  no   a background: the state is foregroundActive</pre>"))
    #expect(!page.contains("without the entries before"))
    #expect(!page.contains("connectionLost"))
  }

  @Test("a repeated script runs until it fails")
  func repeating() throws {
    _ = try workplace.write("a.scene", "exec true\n")
    let path = workplace.file("plays")
    _ = try workplace.write(
      "b.scene", "exec sh -c 'echo >>\(path); test $(wc -l <\(path)) -lt 3'\n")
    let outcome = try test("--repeat", "5", "--jobs", "1", "a.scene", "b.scene")
    #expect(outcome.code == 1)
    #expect(
      outcome.output.hasPrefix(
        "TAP version 13\n1..2\nok 1 - a.scene\n# a.scene: passed 5 times\nnot ok 2 - b.scene\n"))
    #expect(
      outcome.output.hasSuffix(
        "\n# b.scene: passed 2 times, then failed\n"))
    #expect(try workplace.read("plays") == "\n\n\n")
    #expect(try scriptDirectories() == [])
  }

  @Test("no script runs if one has errors, and all errors are reported")
  func errors() throws {
    _ = try workplace.write("a.scene", "exec touch here\nzzz\n[x] y\n")
    _ = try workplace.write("b.scene", "kill\n")
    let outcome = try test("a.scene", "b.scene")
    #expect(outcome.code == 65)
    #expect(outcome.output == "")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3)
    let places = ["a.scene:2:1: ", "a.scene:3:1: ", "b.scene:1:1: "]
    for (line, location) in zip(lines, places) { #expect(line.hasPrefix("scenectl: \(location)")) }
    #expect(try scriptDirectories() == [])
  }

  @Test("--accept rewrites the blocks of a script")
  func accept() throws {
    let text = "broker start\nclient a\ntrace a {}\n"
    let file = try workplace.write("a.scene", text)
    #expect(try test("a.scene").code == 1)
    let outcome = try test("--accept", "a.scene")
    #expect(outcome.code == 0)
    #expect(outcome.errors == "scenectl: rewrote a.scene\n")
    #expect(
      try workplace.read("a.scene") == """
        broker start
        client a
        trace a {
            willConnect isNew=true reason=launch
            willEnterForeground
            didBecomeActive
        }

        """)
    #expect(try test(file).code == 0)
    _ = try workplace.write("a.scene", text)
    #expect(try test("--accept", "a.scene", "a.scene", "./a.scene").code == 0)
    #expect(try test(file).code == 0)
  }

  @Test("an accepted value with line breaks becomes one line and keeps the line endings")
  func acceptingBreaks() throws {
    let text =
      "broker start\r\nclient a --activity t='{\"t\": \"x\\ny\", \"l\": [1,  2]}'\r\n"
      + "kill a\r\nclient a\r\ntrace a {\r\n"
      + "  willConnect activity.userInfo.t=x activity.userInfo.l=[]\r\n  ...\r\n}\r\n"
    let file = try workplace.write("a.scene", text)
    let outcome = try test("--accept", "a.scene")
    #expect(outcome.errors == "scenectl: rewrote a.scene\n", "\(outcome.output)")
    #expect(
      try workplace.read("a.scene").hasSuffix(
        "trace a {\r\n    willConnect 'activity.userInfo.t=\"x\\ny\"' "
          + "activity.userInfo.l=[1,  2]\r\n    ...\r\n}\r\n"))
    #expect(try test(file).code == 0)
  }

  @Test("no script runs if the report cannot be written or a program is missing")
  func prepared() throws {
    _ = try workplace.write("a.scene", "exec touch \(workplace.file("played"))\n")
    let outcome = try test("--junit", "nowhere/report.xml", "a.scene")
    #expect(outcome.code == 74)
    #expect(outcome.errors.hasPrefix("scenectl: --junit: open nowhere/report.xml: "))
    #expect(outcome.output == "")
    let program = workplace.file("scenectl")
    try File.write(try File.read(try Programs.path("scenectl"), limit: 1 << 30), to: program)
    let alone = try RunningProgram.run(
      "sh", ["-c", "chmod 700 scenectl && exec ./scenectl test a.scene"],
      workingDirectory: workplace.path)
    #expect(alone.code == 78)
    #expect(
      alone.errors.hasSuffix("install scened, scene and scenectl together\n"), "\(alone.errors)")
    #expect(!File.exists(workplace.file("played")))
  }

  @Test("a missing file and a file that is not UTF-8 are errors")
  func files() throws {
    #expect(try test("nothing.scene").code == 66)
    try File.write([0x23, 0xFF, 0x0A], to: workplace.file("a.scene"))
    let outcome = try test("a.scene")
    #expect(outcome.code == 65)
    #expect(outcome.errors == "scenectl: a.scene: the byte 0xff at offset 1 is not UTF-8\n")
  }

  /// Each script would leave one descriptor.
  @Test("a script leaves no open descriptor")
  func descriptors() throws {
    let text = "exec sh -c 'ls /proc/$PPID/fd | wc -l >>\(workplace.file("counts"))'\n"
    let script = try workplace.write(
      "a.scene", "[linux] \(text)broker start\nclient a\n[linux] \(text)")
    let outcome = try RunningProgram.run(
      "scenectl", ["test", "--jobs", "1"] + Array(repeating: script, count: 24),
      environment: ["TMPDIR": workplace.path])
    #expect(outcome.code == 0, "\(outcome.output)")
    guard File.exists(workplace.file("counts")) else { return }
    let counts = try workplace.read("counts").split(separator: "\n").compactMap { line in
      Int(line.trimmingPrefix(while: { $0 == " " }))
    }
    #expect(counts.count == 48)
    // A new process may not have closed its inherited descriptors yet.
    #expect(try #require(counts.last) <= counts[1] + 8, "\(counts)")
  }

  /// Starts a script with a broker, a frozen client and a command that has a child.
  ///
  /// - Returns: The process identifiers of the command and its child, when the last line runs.
  private func begun(_ program: inout RunningProgram?) throws -> [Int32] {
    let script = try workplace.write(
      "a.scene",
      """
      broker start
      client a
      freeze a
      exec sh -c 'sleep 1000 & echo $$ $! >\(workplace.file("pids")); exec sleep 1000'
      """)
    program = try RunningProgram(
      "scenectl", ["test", script], environment: ["TMPDIR": workplace.path])
    var pids: [Int32] = []
    try eventually("the numbers are written", polling: .files) {
      guard File.exists(workplace.file("pids")) else { return false }
      pids = try workplace.read("pids").split { $0.isWhitespace }.compactMap { Int32($0) }
      return pids.count == 2
    }
    return pids
  }

  @Test("a signal ends the run without processes or files", arguments: ["INT", "TERM", "HUP"])
  func interrupted(name: String) throws {
    var program: RunningProgram?
    let pids = try begun(&program)
    let signal = try #require(Signal(name: name))
    try program?.send(signal)
    #expect(try program?.reap() == .exited(128 + signal.rawValue))
    let said = try #require(try program?.everythingOnErrors())
    #expect(
      said.hasPrefix(
        "scenectl: interrupted by \(signal)\n  \(workplace.file("a.scene")):4:1: exec sh "),
      "\(said)")
    #expect(try scriptDirectories() == [])
    #expect(pids.allSatisfy(ProcessIdentity.isEnding))
  }

  @Test("an interruption with --keep names the kept directory")
  func interruptedKeeping() throws {
    let script = try workplace.write("a.scene", "exec sh -c 'touch here; exec sleep 1000'")
    let program = try RunningProgram(
      "scenectl", ["test", "--keep", script], environment: ["TMPDIR": workplace.path])
    var kept = ""
    try eventually("the line is being done", polling: .files) {
      kept = try scriptDirectories().first.map { workplace.file($0) } ?? ""
      return File.exists(kept + "/work/here")
    }
    try program.send(.terminate)
    #expect(try program.reap() == .exited(143))
    #expect(
      try program.everythingOnErrors().hasSuffix("\n  files kept in \(kept)\n"))
  }

  @Test(
    "a closed report ends the run at once without processes or files",
    arguments: ["exec sleep 1000\n", "exec true\n"])
  func unread(text: String) throws {
    _ = try workplace.write("a.scene", "broker start\nclient a\n" + text)
    let outcome = try RunningProgram.run(
      "/bin/bash",
      [
        "-c", #""$0" test a.scene a.scene a.scene | head -n 1; echo ${PIPESTATUS[0]}"#,
        try Programs.path("scenectl"),
      ], environment: ["TMPDIR": workplace.path], workingDirectory: workplace.path)
    #expect(outcome.output == "TAP version 13\n141\n")
    #expect(outcome.errors == "")
    #expect(try scriptDirectories() == [])
  }

  @Test(
    "options without an effect are refused",
    arguments: [
      (["--json"], "--json does not apply to test"),
      (["-S", "x"], "--socket does not apply to test"),
      (["-a", "x"], "--application does not apply to test"),
      (["--junit", "-"], "--junit cannot write to standard output"),
    ])
  func meaningless(options: [String], message: String) throws {
    _ = try workplace.write("a.scene", "exec true\n")
    let outcome = try RunningProgram.run(
      "scenectl", ["test"] + options + ["a.scene"], environment: ["TMPDIR": workplace.path],
      workingDirectory: workplace.path)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("--repeat keeps the directory of the failed or else of the last run")
  func repeatingAndKeeping() throws {
    _ = try workplace.write("a.scene", "exec true\n")
    #expect(try test("--repeat", "5", "--keep", "a.scene").code == 0)
    #expect(try scriptDirectories().count == 1)
    let path = workplace.file("plays")
    _ = try workplace.write(
      "b.scene", "exec sh -c 'echo >>\(path); touch $(wc -l <\(path)); test ! -e 3'\n")
    let outcome = try test("--repeat", "5", "--jobs", "1", "--keep", "b.scene")
    #expect(outcome.code == 1)
    #expect(try scriptDirectories().count == 2)
    let line = try #require(outcome.output.split(separator: "\n").last { $0.contains(" kept in ") })
    let kept = String(try #require(line.split(separator: " ").last))
    #expect(try Directory.list(kept + "/work") == ["3"])
  }

  @Test("a socket path that is too long is an error with advice")
  func longDirectory() throws {
    _ = try workplace.write("a.scene", "broker start\n")
    let long = workplace.file(String(repeating: "x", count: 100))
    try Directory.make(long)
    let outcome = try RunningProgram.run(
      "scenectl", ["test", "a.scene"], environment: ["TMPDIR": long],
      workingDirectory: workplace.path)
    #expect(outcome.code == 78)
    #expect(outcome.errors.hasSuffix("; set TMPDIR to a shorter path\n"), "\(outcome.errors)")
    #expect(outcome.output == "")
    #expect(try Directory.list(long).isEmpty)
  }

  @Test("SIGKILL leaves no process, no child process and no directory")
  func killed() throws {
    var program: RunningProgram?
    let pids = try begun(&program)
    let directory = try #require(try scriptDirectories().first)
    try program?.kill()
    try eventually("the broker has ended", polling: .files) {
      !answers(workplace.file(directory) + "/sock")
    }
    try eventually("the directory is gone", polling: .files) { try scriptDirectories() == [] }
    try eventually("all processes are gone", polling: .processes) {
      pids.allSatisfy(ProcessIdentity.isEnding)
    }
  }

  @Test("SIGKILL right after the start leaves no directory", arguments: 1...5)
  func killedAtOnce(_: Int) throws {
    let script = try workplace.write("a.scene", "broker start\nexec sleep 1000\n")
    let program = try RunningProgram(
      "scenectl", ["test", script], environment: ["TMPDIR": workplace.path])
    // No event reports the directory, and a late poll would prove nothing.
    while try scriptDirectories().isEmpty {}
    try program.kill()
    try eventually("the directory is gone", polling: .files) { try scriptDirectories() == [] }
  }

  private func answers(_ socket: String) -> Bool {
    (try? UnixSocket.connect(to: socket).number) != nil
  }
}
