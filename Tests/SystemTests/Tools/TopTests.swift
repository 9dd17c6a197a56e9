import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl top` on a real terminal.
struct TopTests {
  /// Runs a command on a terminal of 80×24. Each line of standard input is a step.
  ///
  /// `await TEXT` waits until the terminal shows the text, and prints the line "shown". `keys`
  /// types, `size` changes the window, and `signal` sends a signal. `foreground` moves the program
  /// from the background to the foreground. `end` waits for the end. It prints the status, and
  /// whether the terminal is as before: its mode, the main screen, the cursor and the wrapping of
  /// lines.
  private static let player = #"""
    import fcntl, os, pty, select, signal, struct, sys, termios
    terminal, end = pty.openpty()
    def resize(columns, rows):
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    resize(80, 24)
    mode = termios.tcgetattr(end)
    # The leader of a process group cannot make a session.
    helper = os.fork()
    if helper: sys.exit(os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1]))
    os.setsid()
    fcntl.ioctl(end, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        if sys.argv[1] == "foreground": os.tcsetpgrp(end, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        for number in range(3): os.dup2(end, number)
        os.execv(sys.argv[2], sys.argv[2:])
    shown = b""
    def read(timeout):
        global shown
        if not select.select([terminal], [], [], timeout)[0]: return False
        shown += os.read(terminal, 65536)
        return True
    for step in sys.stdin:
        verb, _, text = step.rstrip("\n").partition(" ")
        if verb == "await":
            while text.encode() not in shown:
                if not read(60): sys.exit(repr(shown) + " has no " + text)
            shown = shown[shown.index(text.encode()) + len(text.encode()):]
            print("shown", text, flush=True)
        elif verb == "keys": os.write(terminal, text.encode().decode("unicode_escape").encode())
        elif verb == "size": resize(*map(int, text.split()))
        elif verb == "signal": os.kill(pid, getattr(signal, text))
        elif verb == "foreground": os.tcsetpgrp(end, pid)
        elif verb == "end":
            status = 0
            while True:
                ended, status = os.waitpid(pid, os.WNOHANG)
                if ended: break
                read(0.02)
            while read(0): pass
            print("status", os.waitstatus_to_exitcode(status))
            print("mode", termios.tcgetattr(end) == mode)
            tail = [shown.rfind(b"\x1b[?" + name) for name in (b"1049l", b"25h", b"7h")]
            heads = [shown.rfind(b"\x1b[?" + name) for name in (b"1049h", b"25l", b"7l")]
            print("screen", all(off > on for off, on in zip(tail, heads)), flush=True)
    """#

  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func top(in place: String = "foreground") throws -> RunningProgram {
    try daemon.start(
      "python3", ["-c", Self.player, place, try Programs.path("scenectl"), "top"],
      environment: ["TERM": "xterm", "NO_COLOR": "1"])
  }

  private func play(_ steps: String..., on top: RunningProgram) throws {
    for step in steps {
      try top.type(step)
      if step.hasPrefix("await ") { try top.line(containing: "shown") }
    }
  }

  private func expectEnd(_ status: Int, of top: RunningProgram) throws {
    try top.type("end")
    try top.line(containing: "status \(status)")
    #expect(try top.line(containing: "mode") == "mode True")
    #expect(try top.line(containing: "screen") == "screen True")
  }

  @Test("the view shows sessions, acts on them, follows the window, and survives its broker")
  func session() throws {
    let scene = try daemon.scene("packing", "--json")
    let top = try top()
    try play("await >packing", "await active", "keys b", on: top)
    try scene.line(containing: #""callback":"didEnterBackground""#)
    try play("await background", "keys w", "await Why packing", "keys q", on: top)
    // A wider window has room for all keys, and a narrow one for few.
    try play("size 40 8", "await q quit ? help a activate b background", on: top)
    try play("size 80 24", "await w why", on: top)
    try daemon.kill()
    try play("await reconnecting: ", on: top)
    let next = try Daemon(daemon.workplace)
    try play("await application default", "keys d", "await [y/N]", "keys y", on: top)
    try play("await no sessions", "keys q", on: top)
    try expectEnd(0, of: top)
    withExtendedLifetime(next) {}
  }

  @Test(
    "a signal that ends the view restores the terminal",
    arguments: [("SIGTERM", -15), ("SIGINT", -2), ("SIGHUP", -1), ("SIGQUIT", -3)])
  func signals(name: String, status: Int) throws {
    let top = try top()
    try play("await no sessions", "signal \(name)", on: top)
    try expectEnd(status, of: top)
  }

  @Test("in the background the view waits, and appears when its job comes to the foreground")
  func background() throws {
    let top = try top(in: "background")
    try eventually("the view has connected", polling: .broker) {
      try daemon.scenectl("call", "application/status")
        .contains(#""connections":2"#)
    }
    try play("foreground", "await no sessions", "signal SIGTERM", on: top)
    try expectEnd(-15, of: top)
  }
}
