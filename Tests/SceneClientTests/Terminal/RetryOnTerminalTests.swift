import SceneTestSupport
import Testing

/// `scene --retry` on a terminal: a program that needs a file fails until the file exists.
struct RetryOnTerminalTests {
  private let daemon: Daemon
  private let arguments: [String]

  init() throws {
    daemon = try Daemon(Workplace())
    // A program without the file fails in the raw mode, in which Enter and Ctrl-C are plain bytes.
    let path = try daemon.workplace.write(
      "needs",
      """
      echo begin
      test -e \(daemon.workplace.file("net")) || { stty raw -echo; exit 255; }
      echo ready
      exec cat
      """)
    arguments = ["packing", "--retry", "1h", "--", "sh", path]
  }

  private static let failure =
    "await scene: sh failed with status 255; restarts in 1 h (Enter: now, Ctrl-C: close)"

  private func scenectl(_ words: String) throws -> String {
    "\(try Programs.path("scenectl")) \(words)"
  }

  private func touch() -> String { "run touch \(daemon.workplace.file("net"))" }

  @Test("the window shows the failure and the delay, and Enter runs the program again")
  func enter() throws {
    let shown = try TerminalSession.play(
      [
        Self.failure, "run \(try scenectl("wait 'packing foregroundActive'"))", "keys \\n",
        "await begin", Self.failure, "run \(try scenectl("is 'packing foregroundActive'"))",
        touch(), "keys \\n", "await ready", "keys one\\n", "await \\r\\none", "keys \\x04", "end",
      ], arguments, on: daemon)
    #expect(shown.contains("status 0"))
  }

  @Test(
    "during the delay, Ctrl-C and Ctrl-D close the scene as a user, and SIGTERM leaves it open",
    arguments: [("keys \\x03", ""), ("keys \\x04", ""), ("run kill $(PID)", "packing\n")])
  func ended(step: String, open: String) throws {
    let pid = try scenectl("show packing --value client.pid")
    let shown = try TerminalSession.play(
      [
        Self.failure, "run \(try scenectl("wait 'packing foregroundActive'"))",
        step.replacing("PID", with: pid), "end",
      ], arguments, on: daemon)
    #expect(shown.contains("status 0"))
    #expect(try daemon.run("scenectl", ["sessions", "--was-open", "--names"]).output == open)
  }

  @Test("a reclaim ends the delay, and an activation starts the program")
  func reclaimed() throws {
    _ = try TerminalSession.play(
      [
        Self.failure, "run \(try scenectl("wait 'packing foregroundActive'"))",
        "run \(try scenectl("background packing"))", "run \(try scenectl("reclaim packing"))",
        "await scene: waiting to be activated", touch(),
        "run \(try scenectl("activate packing"))", "await ready", "keys \\x04", "end",
      ], arguments, on: daemon)
  }

  @Test("Ctrl-Z during the delay stops scene, and Enter runs the program after fg")
  func suspended() throws {
    _ = try TerminalSession.playInShell(
      [
        "keys scene packing --retry 1h -- sh needs\\n", Self.failure, "keys \\x1a",
        "await Stopped", "await the-shell: ", touch(), "keys fg\\n", "keys \\n", "await ready",
        "keys \\x04", "await the-shell: ",
      ], on: daemon)
  }

  @Test("a delay that ends while scene is stopped starts the program after fg, and keys work again")
  func outlasted() throws {
    // The stop must outlast the delay, which nothing reports meanwhile.
    _ = try TerminalSession.playInShell(
      [
        "keys scene packing --retry 1s -- sh needs\\n", "await restarts in 1 s", "keys \\x1a",
        "await Stopped", "await the-shell: ", "run sleep 2", "keys fg\\n",
        "await restarts in 2 s", "keys \\x03", "await the-shell: ",
      ], on: daemon)
  }
}
