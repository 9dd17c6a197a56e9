import ScenePlatform

/// Cleans up behind a process that is killed in the middle of a stage.
///
/// It is a process of its own that is told who has come and who has gone. When nobody can tell it
/// any more it kills those that are left, and removes the directory.
final class Warden: Sendable {
  private let process: StagedProcess
  private let reports: Monitor<Reports>

  private struct Reports {
    var input: ProcessInput
    var known: Set<Int32> = []
    /// Who had gone before it was said that they had come.
    var overtaken: Set<Int32> = []

    /// Whoever has killed it does without.
    func tell(_ line: String) { _ = try? input.write(line.utf8, until: .max) }
  }

  /// Signals of a terminal, which reach it as well, do not end it.
  private static let duty = """
    trap '' HUP INT QUIT TERM
    left=' '
    while read -r sign pid; do
      case $sign in
        +) left="$left$pid " ;;
        -) left="${left%% $pid *} ${left#* $pid }" ;;
      esac
    done
    kill -9 $left
    if [ -n "$1" ]; then rm -rf "$1"; fi
    """

  /// Without a directory it removes none.
  init(removing directory: String?) throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    let input = pipe.takeFirst()
    let null = try File.open("/dev/null", [.read, .write])
    process = try StagedProcess(
      "/bin/sh", ["-c", Self.duty, "warden", directory ?? ""], environment: [:],
      descriptors: [0: input.number, 1: null.number, 2: null.number], workingDirectory: "/")
    reports = Monitor(Reports(input: ProcessInput(pipe.takeSecond())))
  }

  func hasBegun(_ pid: Int32) {
    reports.withLock { reports in
      guard reports.overtaken.remove(pid) == nil else { return }
      reports.known.insert(pid)
      reports.tell("+ \(pid)\n")
    }
  }

  func hasEnded(_ pid: Int32) {
    reports.withLock { reports in
      if reports.known.remove(pid) != nil {
        reports.tell("- \(pid)\n")
      } else {
        reports.overtaken.insert(pid)
      }
    }
  }

  /// There is nothing left to look after.
  func dismiss() {
    reports.withLock { $0.input.close() }
    _ = process.waitForEnd(until: .max)
  }
}
