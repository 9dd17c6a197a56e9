import ScenePlatform
import SceneTestSupport
import Testing

/// Which commands an error names when other users can access a directory of the broker.
struct OpenDirectoryTests {
  private func start(_ arguments: [String]) throws -> Outcome {
    try RunningProgram.run("scened", arguments)
  }

  @Test("the error for a socket in an open current directory names two commands that help")
  func currentDirectory() throws {
    let workplace = try Workplace()
    let directory = workplace.file("my project")
    try Directory.make(directory)
    _ = try workplace.write("my project/letter", "")
    try File.setMode(directory, 0o755)
    let refused = try RunningProgram(
      "scened", ["-S", "./my sock", "--state", workplace.state], workingDirectory: directory)
    #expect(try refused.reap() == .exited(78))
    #expect(
      try refused.everythingOnErrors() == """
        scened: error: cannot listen on ./my sock: other users can access the directory . (mode \
        0755); run: mkdir -m 700 ./scened
        Then start scened with: -S './scened/my sock'

        """)
    let scened = try Programs.path("scened")
    let helped = try RunningProgram(
      "/bin/sh",
      [
        "-c", "mkdir -m 700 ./scened && exec \"$0\" -S './scened/my sock' --state \"$1\" -- true",
        scened, workplace.state,
      ], workingDirectory: directory)
    #expect(try helped.everythingOnErrors() == "")
    #expect(try helped.reap() == .exited(0))
  }

  @Test("the error names chmod for an empty directory and for a directory with a journal")
  func openOwnDirectory() throws {
    let workplace = try Workplace()
    let saved = try start(workplace.words + ["--", "true"])
    #expect(saved.code == 0, "\(saved.errors)")
    let (empty, copied) = (workplace.file("empty"), workplace.file("a copy"))
    for directory in [empty, copied] { try Directory.make(directory) }
    let bytes = try File.read(workplace.state + "/log-1", limit: 32 << 20)
    try File.write(bytes, to: copied + "/log-1", mode: 0o600)
    for (directory, mode) in [(empty, UInt32(0o755)), (copied, 0o755), (copied, 0o1777)] {
      try File.setMode(directory, mode)
      let outcome = try start(["-S", workplace.socket, "--state", directory])
      #expect(outcome.code == 78)
      #expect(
        outcome.errors.hasSuffix("; run: chmod 700 \(directory.shellWord)\n"), "\(outcome.errors)")
    }
    try File.setMode(empty, 0o755)
    let socket = try start(["-S", empty + "/sock", "--state", workplace.state])
    #expect(socket.errors.hasSuffix("; run: chmod 700 \(empty)\n"), "\(socket.errors)")
  }
}
