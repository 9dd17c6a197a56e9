import ScenePlatform

/// A shell that waits for the end of this process. Where that came without a word, as by SIGKILL, it
/// does what is left to do: whoever runs with the private socket is hung up on, wherever that process
/// has gone since, and the directory is removed.
final class PlaceKeeper {
  /// What it is told on this: the command's number, and then that all is done.
  private let line: FileDescriptor

  /// It is nobody's child, so that it is taken for nothing that the command has left, and in a process
  /// group of its own, so that no key of a terminal reaches it.
  ///
  /// Everybody is told once. Whoever does not mind may stay, as at an end in order.
  private static let duty = """
    {
      trap '' HUP INT QUIT TERM TSTP TTIN TTOU USR1 USR2 ALRM PIPE
      exec <&3 3<&-
      told=
      read -r told && read -r _ && exit
      told=" $told "
      for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        left=
        for process in $(
          [ -z "$2" ] || grep -Flsxz -- "SCENE_SOCKET=$2" /proc/[0-9]*/environ | cut -d/ -f3
        ); do
          left=some
          case "$told" in *" $process "*) continue ;; esac
          told="$told$process "
          kill -HUP "$process"
          kill -CONT "$process"
        done
        [ -z "$left" ] && break
        sleep 0.1
      done
      rm -rf -- "$1"
    } &
    """

  /// Without a socket it hangs up on nobody.
  init(of directory: String, socket: String?) throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    let theirs = pipe.takeFirst()
    line = pipe.takeSecond()
    let null = try File.open("/dev/null", [.read, .write])
    let starter = try ChildProcess.spawn(
      "/bin/sh", ["-c", Self.duty, "scened", directory, socket ?? ""], environment: [:],
      descriptors: [0: null.number, 1: null.number, 2: null.number, 3: theirs.number],
      workingDirectory: "/", group: 0)
    Signal.restoreChildEnds()
    _ = try starter.reap()
  }

  /// The command, which the system tells that this process was killed.
  func note(_ command: Int32) { try? line.write("\(command)\n") }

  /// There is nothing left to do.
  func dismiss() { try? line.write("\n\n") }
}
