import ScenePlatform
import SceneTestSupport
import Testing

/// A terminal with a program, and the keys of a user.
enum TerminalSession {
  /// Does steps on the terminal of a program. Returns the lines that the terminal finally shows.
  static func play(
    _ steps: [String], with program: String, _ arguments: [String], on daemon: Daemon
  ) throws -> String {
    let player = try RunningProgram.onTerminal(
      [program] + arguments, environment: ["SCENE_SOCKET": daemon.socket])
    for step in steps + ["lines"] { try player.type(step) }
    let outcome = try player.finish()
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.output
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
