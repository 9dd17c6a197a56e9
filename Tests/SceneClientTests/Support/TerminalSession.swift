import ScenePlatform
import SceneTestSupport
import Testing

/// A terminal with a program, and the keys of a user.
enum TerminalSession {
  /// Types keys to a program on its own terminal. Prints the lines that the terminal finally shows.
  ///
  /// The arguments are the program and its arguments. Each line of standard input is a step. `await
  /// TEXT` waits until the terminal shows the text, and `keys TEXT` types. `stopped` waits until
  /// the process has stopped itself, and `continue` continues it. `run COMMAND` runs a command that
  /// must succeed. `end` waits for its end.
  private static let player = #"""
    import os, pty, select, signal, subprocess, sys
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:])
    shown = b""
    seen = 0
    def read(timeout):
        global shown
        if not select.select([terminal], [], [], timeout)[0]:
            sys.exit("nothing more is shown after:\n" + shown.decode())
        try:
            shown += os.read(terminal, 65536)
            return True
        except OSError:
            return False
    for step in sys.stdin:
        verb, _, text = step.rstrip("\n").partition(" ")
        text = text.encode().decode("unicode_escape").encode("latin-1")
        if verb == "await":
            while text not in shown[seen:]:
                if not read(60):
                    sys.exit("it ended before " + repr(text) + ":\n" + shown.decode())
            seen = shown.index(text, seen) + len(text)
        elif verb == "keys":
            os.write(terminal, text)
        elif verb == "run":
            subprocess.run(text.decode(), shell=True, check=True, stdout=subprocess.DEVNULL)
        elif verb == "stopped":
            _, status = os.waitpid(pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status), status
        elif verb == "continue":
            os.kill(pid, signal.SIGCONT)
        elif verb == "end":
            while read(60):
                pass
            _, status = os.waitpid(pid, 0)
            print("status", os.waitstatus_to_exitcode(status))
    # The final content of the screen, without erased prompts.
    for line in shown.decode().split("\n"):
        print(line.rstrip("\r").split("\x1b[J")[-1])
    """#

  static func play(
    _ steps: [String], with program: String, _ arguments: [String], on daemon: Daemon
  ) throws -> String {
    let player = try RunningProgram(
      "/usr/bin/env", ["python3", "-c", Self.player, program] + arguments,
      environment: ["SCENE_SOCKET": daemon.socket])
    for step in steps { try player.type(step) }
    player.closeInput()
    let shown = try player.rest()
    let errors = try player.everythingOnErrors()
    #expect(try player.reap().isSuccess, "\(errors)")
    return shown
  }

  static func play(_ steps: [String], _ arguments: [String], on daemon: Daemon) throws -> String {
    try play(steps, with: try Programs.path("scene"), arguments, on: daemon)
  }

  /// Types keys to a shell in the daemon's workplace, with the programs of this package in its
  /// path. Its prompt is `the-shell: `.
  static func playInShell(_ steps: [String], on daemon: Daemon) throws -> String {
    let programs = Directory.parent(of: try Programs.path("scene")) ?? "/"
    let preparation =
      "bind 'set enable-bracketed-paste off'; cd \(daemon.workplace.path); "
      + "PATH=\(programs):$PATH; PS1=the-'shell: '"
    return try play(
      ["keys \(preparation)\\n", "await the-shell: "] + steps + ["keys exit\\n", "end"],
      with: "/bin/bash", ["--norc", "--noprofile", "-i"], on: daemon)
  }
}
