import ScenePlatform
import SceneTestSupport
import Testing

/// Files at the path of a lock that are not regular files.
struct LockFileTests {
  /// A file that a shell creates at the path `$0`, and its name in messages.
  struct Obstacle: CustomTestStringConvertible {
    let name: String
    let command: String

    var testDescription: String { name }

    static let all =
      [
        Obstacle(name: "a pipe", command: #"mkfifo "$0""#),
        Obstacle(name: "a directory", command: #"mkdir "$0""#),
        Obstacle(name: "a symbolic link", command: #"ln -s elsewhere "$0""#),
        Obstacle(
          name: "a socket",
          command: "exec python3 -c 'import socket, sys; "
            + #"socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$0""#),
      ] + (User.current == 0 ? [Obstacle(name: "a device", command: #"mknod "$0" c 1 5"#)] : [])
  }

  private func place(_ obstacle: Obstacle, at path: String) throws {
    let made = try RunningProgram.run("/bin/sh", ["-c", obstacle.command, path])
    try #require(made.code == 0, "\(made.errors)")
  }

  /// Puts an obstacle at the path of a lock, and checks the error of a start.
  private func expectRefusal(
    _ obstacle: Obstacle, at lock: String, _ option: String, _ workplace: Workplace
  ) throws {
    try place(obstacle, at: lock)
    let outcome = try workplace.scened()
    #expect(outcome.code == 78)
    #expect(
      outcome.errors
        == "scened: error: cannot lock \(lock): it is \(obstacle.name), not a regular file; move it "
        + "away, or choose another path with \(option)\n")
  }

  @Test("anything but a regular file is refused as the lock of a socket", arguments: Obstacle.all)
  func socket(obstacle: Obstacle) throws {
    let workplace = try Workplace()
    try expectRefusal(obstacle, at: workplace.socket + ".lock", "-S", workplace)
    // A client without a broker reads the lock to name the process that uses it.
    let client = try RunningProgram.run("scenectl", ["-S", workplace.socket, "status"])
    #expect(client.code == 69)
  }

  @Test("anything but a regular file is refused as the lock of a state", arguments: Obstacle.all)
  func state(obstacle: Obstacle) throws {
    let workplace = try Workplace()
    try Directory.make(workplace.state)
    let lock = workplace.file("state/lock")
    try expectRefusal(obstacle, at: lock, "--state", workplace)
    let verify = try RunningProgram.run("scenectl", ["journal", "verify", workplace.state])
    #expect(verify.code == 65)
    #expect(verify.errors.contains("cannot open \(lock): found \(obstacle.name), not a file"))
  }

  @Test("a file with another hard link is refused as a lock, and keeps its content")
  func hardLink() throws {
    let workplace = try Workplace()
    let lock = workplace.socket + ".lock"
    let other = try workplace.write("precious", "text")
    try place(Obstacle(name: "", command: #"ln "\#(other)" "$0""#), at: lock)
    let outcome = try workplace.scened()
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("cannot lock \(lock): the file has another hard link;"))
    #expect(try workplace.read("precious") == "text")
  }
}
