import ScenePlatform

/// Ends all processes of a script, even if this process is killed.
///
/// All processes are in one process group. Its leader is a shell that waits while this process
/// holds a pipe to the shell. When the pipe closes, the leader kills the group and itself. A second
/// shell, outside the group, then removes the directory. The group's number is the leader's process
/// identifier, so the number stays valid until then.
///
/// A process that leaves the group is found by `SCENE_SOCKET` in its environment. The leader finds
/// such processes too.
final class ProcessSupervisor: Sendable {
  let group: ProcessGroup
  private let marked: MarkedProcesses
  private let leader: ManagedProcess
  private let cleaner: ManagedProcess?
  /// The pipe to the leader. The leader ends the group when this pipe closes.
  private let lifeline: ProcessInput
  private let directory: String?
  private let mayHaveDetached = ConditionMutex(false)

  /// The leader ignores the signals that a script or a terminal sends to the whole group.
  private static let leaderScript =
    "trap '' HUP INT QUIT TERM TSTP TTIN TTOU USR1 USR2 ALRM PIPE; echo; exec >&2; "
    + "while read -r _; do :; done; "
    + "kill -9 $(grep -Flsxz -- \"SCENE_SOCKET=$1\" /proc/[0-9]*/environ | cut -d/ -f3); kill -9 0"
  private static let cleanerScript = "while read -r _; do :; done; rm -rf -- \"$1\""

  /// Starts the leader, and the shell that removes the directory, if there is one. The broker's
  /// socket identifies detached processes.
  init(removing directory: String?, socket: String) throws(SystemError) {
    marked = MarkedProcesses("SCENE_SOCKET", socket)
    var hold = try FileDescriptor.pipe()
    var run = try FileDescriptor.pipe()
    let null = try File.open("/dev/null", [.read, .write])
    let held = hold.takeFirst()
    let alive = run.takeSecond()
    lifeline = ProcessInput(hold.takeSecond())
    self.directory = directory
    var readiness = try FileDescriptor.pipe()
    let ready = readiness.takeFirst()
    let said = readiness.takeSecond()
    leader = try Self.shell(
      Self.leaderScript, [socket], [0: held.number, 1: said.number, 3: alive.number], null)
    group = ProcessGroup(leader.pid)
    said.close()
    // The leader prints a line after its trap is set; a process that starts earlier could kill it.
    _ = try ready.readToEnd()
    let end = run.takeFirst()
    cleaner = try directory.map { directory throws(SystemError) in
      try Self.shell(Self.cleanerScript, [directory], [0: end.number], null)
    }
  }

  /// Starts a shell in its own process group, so that signals of the terminal do not reach the
  /// shell.
  private static func shell(
    _ script: String, _ words: [String], _ descriptors: [Int32: Int32],
    _ null: borrowing FileDescriptor
  ) throws(SystemError) -> ManagedProcess {
    try ManagedProcess(
      "/bin/sh", ["-c", script, "scene-script"] + words, environment: [:],
      descriptors: descriptors.merging([1: null.number, 2: null.number]) { own, _ in own },
      workingDirectory: "/", group: 0)
  }

  /// The running processes without the leader.
  var members: [ProcessIdentity] { allProcesses.filter { $0.pid != group.number } }

  private var allProcesses: Set<ProcessIdentity> {
    Set(group.members.compactMap { ProcessIdentity.of($0) }).union(marked.all)
  }

  /// A search through all processes is slow, so it runs only after the broker has launched one.
  func expectDetachedProcesses() { mayHaveDetached.withLock { $0 = true } }

  /// The processes of this script that have left the group.
  var detachedProcesses: [ProcessIdentity] {
    guard mayHaveDetached.withLock({ $0 }) else { return [] }
    let members = Set(group.members)
    return marked.all.filter { !members.contains($0.pid) }
  }

  /// Kills the processes that have left the group, and waits up to `exitTimeout`.
  func killDetachedProcesses() {
    var delay = PollDelay()
    while delay.isBelow(Self.exitTimeout) {
      let detachedProcesses = detachedProcesses
      guard !detachedProcesses.isEmpty else { return }
      for process in detachedProcesses { process.end() }
      delay.wait()
    }
  }

  /// Kills all processes, and waits until they and the directory are gone.
  ///
  /// Does not rely on the leader, because a process of the group can kill or stop the leader.
  func end() {
    killDetachedProcesses()
    lifeline.close()
    // Each process needs a moment to exit. The kernel can keep one for good.
    var delay = PollDelay()
    repeat {
      for member in allProcesses { member.end() }
      delay.wait()
    } while !allProcesses.isEmpty && delay.isBelow(Self.exitTimeout)
    let deadline = SystemClock.monotonic() + Self.exitTimeout
    _ = leader.waitForEnd(until: deadline)
    _ = cleaner?.waitForEnd(until: deadline)
    // A process can create a file after the second shell has removed the directory's content.
    if let directory, File.exists(directory) { try? Directory.removeTree(directory) }
  }

  private static let exitTimeout: Int64 = 5_000_000_000
}
