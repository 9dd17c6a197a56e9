import ScenePlatform

/// A shell that cleans up after this process is killed. It sends SIGHUP to all processes with the
/// private socket in their environment, and removes the directory.
final class RuntimeDirectoryGuard {
  /// The input of the guard: the command's process ID, then an empty line after a normal end.
  private let line: FileDescriptor

  /// The guard is an orphan, so that it does not look like a process of the command. Its process
  /// group is separate, so that no key of a terminal reaches it.
  ///
  /// Each process gets SIGHUP once. Processes that ignore SIGHUP keep running, as after a normal
  /// end.
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

  /// Without a socket, the guard signals no process.
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

  /// Excludes the command, which the kernel signals itself.
  func note(_ command: Int32) { try? line.write("\(command)\n") }

  /// Ends the guard after a normal end.
  func dismiss() { try? line.write("\n\n") }
}
