import ScenePlatform
import SceneTestSupport
import Testing

/// `scene --retry`, without a terminal.
extension HostedProgramTests {
  /// A script that fails in its first two runs: by a signal, and then with a status.
  private var failingTwice: String {
    """
    echo run >>runs
    case $(wc -l <runs) in
    *1) kill -9 $$ ;;
    *2) exit 1 ;;
    esac
    echo ready
    """
  }

  private func reset() throws { try File.remove(daemon.workplace.file("runs")) }

  private static let failures = """
    scene: sh was ended by KILL; restarts in 100 ms
    scene: sh failed with status 1; restarts in 200 ms

    """

  private func scene(
    running options: [String], on other: Daemon? = nil
  ) throws -> Outcome {
    let place = daemon.workplace.path
    return try (other ?? daemon).start(
      "scene", options, environment: ["TMPDIR": place], workingDirectory: place
    ).finish()
  }

  @Test("a failed program runs again after the delay, and its stored command does the same")
  func retries() throws {
    let words = ["--", "sh", try daemon.workplace.write("fails", failingTwice)]
    for options in [["packing", "--retry", "100ms"] + words, ["packing"]] {
      let outcome = try scene(running: options)
      #expect(outcome.end.isSuccess && outcome.output == "ready\n")
      #expect(outcome.errors == Self.failures)
      try reset()
    }
    let page = try daemon.scenectl("show", "packing")
    #expect(page.contains("retry") && page.contains("100 ms\n"), "\(page)")
    #expect(try scene(running: ["packing", "--retry", "0"]).end == .exited(137))
  }

  @Test("a program without a time of its own has the time of its session's configuration")
  func retryOfConfiguration() throws {
    let manifest = try daemon.workplace.write(
      "app.json",
      #"{"supportsMultipleScenes": true, "configurations": {"windowApplication": "#
        + #"[{"name": "Remote", "reopen": {"retry": "100ms"}}]}}"#)
    let other = try Daemon(Workplace(), ["--manifest", manifest])
    let words = ["--", "sh", try daemon.workplace.write("fails", failingTwice)]
    let outcome = try scene(running: ["packing"] + words, on: other)
    #expect(outcome.end.isSuccess && outcome.errors == Self.failures)
    try reset()
    let never = try scene(running: ["packing", "--retry", "0"] + words, on: other)
    #expect(never.end == .exited(137))
  }

  @Test("a program that ran continues with its resume command")
  func retryResumes() throws {
    let wait = try "\(Programs.path("scenectl").shellWord) wait 'packing foregroundActive'"
    let outcome = try scene(running: [
      "packing", "--retry", "100ms", "--resume-with", "echo resumed", "--", "sh", "-c",
      "\(wait); kill -9 $$",
    ])
    #expect(outcome.end.isSuccess && outcome.output == "resumed\n")
  }

  @Test("a program that cannot be started again has failed once more")
  func retryWithoutProgram() throws {
    let path = daemon.workplace.file("script")
    try File.write("#!/bin/sh\nrm \"$0\"\nexit 1\n".utf8, to: path, mode: 0o700)
    let program = try start(["packing", "--retry", "100ms", "--", path])
    try program.errorLine(containing: "script failed with status 1; restarts in 100 ms")
    try program.errorLine(containing: "; restarts in 200 ms")
    try File.write("#!/bin/sh\necho ready\n".utf8, to: path, mode: 0o700)
    try program.line(containing: "ready")
    #expect(try program.reap().isSuccess)
    #expect(try program.everythingOnErrors().contains("scene: script cannot be started: "))
  }

  @Test("a time of --retry outside its limits is an error")
  func retryLimits() throws {
    let outcome = try daemon.run("scene", ["packing", "--retry", "2h", "--", "true"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--retry: expected 0, or a time from 1ms to 1h"))
  }
}
