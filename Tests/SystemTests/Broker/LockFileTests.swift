import ScenePlatform
import SceneTestSupport
import Testing

/// Files at the path of a lock that are not regular files.
struct LockFileTests {
  /// The names of files in messages, and the shell commands that create them at the path `$0`.
  private static let obstacles =
    [
      ("a pipe", #"mkfifo "$0""#), ("a directory", #"mkdir "$0""#),
      ("a symbolic link", #"ln -s elsewhere "$0""#),
      (
        "a socket",
        "exec python3 -c 'import socket, sys; "
          + #"socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$0""#
      ),
    ] + (User.current == 0 ? [("a device", #"mknod "$0" c 1 5"#)] : [])

  private func place(_ command: String, at path: String) throws {
    let made = try RunningProgram.run("/bin/sh", ["-c", command, path])
    try #require(made.code == 0, "\(made.errors)")
  }

  @Test(
    "anything but a regular file is refused as the lock of a socket or a state",
    arguments: obstacles, ["-S", "--state"])
  func obstacle(_ obstacle: (name: String, command: String), option: String) throws {
    let workplace = try Workplace()
    try Directory.make(workplace.state)
    let (name, command) = obstacle
    let lock = option == "-S" ? workplace.socket + ".lock" : workplace.file("state/lock")
    try place(command, at: lock)
    let outcome = try workplace.scened()
    #expect(outcome.code == 78)
    #expect(
      outcome.errors
        == "scened: error: cannot lock \(lock): it is \(name), not a regular file; move it "
        + "away, or choose another path with \(option)\n")
    if option == "-S" {
      // A client without a broker reads the lock to name the process that uses it.
      let client = try RunningProgram.run("scenectl", ["-S", workplace.socket, "status"])
      #expect(client.code == 69)
    } else {
      let verify = try RunningProgram.run("scenectl", ["journal", "verify", workplace.state])
      #expect(verify.code == 65)
      #expect(verify.errors.contains("cannot open \(lock): found \(name), not a file"))
    }
  }

  @Test("a file with another hard link is refused as a lock, and keeps its content")
  func hardLink() throws {
    let workplace = try Workplace()
    let lock = workplace.socket + ".lock"
    let other = try workplace.write("precious", "text")
    try place(#"ln "\#(other)" "$0""#, at: lock)
    let outcome = try workplace.scened()
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("cannot lock \(lock): the file has another hard link;"))
    #expect(try workplace.read("precious") == "text")
  }
}
