import ScenePlatform

/// Everybody on a stage: whoever it starts, and whom they start, is in one group of processes.
///
/// The group is led by a process that does nothing but wait, for as long as the stage has a hand on
/// it. When this process is gone, however that came, it kills the whole group and itself. Another
/// process, outside, then removes the stage's directory. Nobody has to be remembered for that, and
/// no number can be somebody else's by then: a group's is its leader's.
///
/// Who goes to another group is found by the broker's socket that it was started with, as long as
/// this process is there to look for it.
final class Troupe: Sendable {
  let group: ProcessGroup
  private let marked: MarkedProcesses
  private let leader: StagedProcess
  private let sweeper: StagedProcess?
  /// The hand on the leader.
  private let hand: ProcessInput
  private let directory: String?
  private let hasGuests = Monitor(false)

  /// What somebody sends to the whole group is not meant for its leader; nor is what a terminal
  /// sends to a group in the background of which one wants to read.
  private static let leading =
    "trap '' HUP INT QUIT TERM TSTP TTIN TTOU USR1 USR2 ALRM PIPE; echo; exec >&2; "
    + "while read -r _; do :; done; "
    + "kill -9 $(grep -Flsxz -- \"SCENE_SOCKET=$1\" /proc/[0-9]*/environ | cut -d/ -f3); kill -9 0"
  private static let sweeping = "while read -r _; do :; done; rm -rf -- \"$1\""

  /// Without a directory none is removed. Whoever is started with this socket belongs to it.
  init(removing directory: String?, socket: String) throws(SystemError) {
    marked = MarkedProcesses("SCENE_SOCKET", socket)
    var hold = try FileDescriptor.pipe()
    var life = try FileDescriptor.pipe()
    let null = try File.open("/dev/null", [.read, .write])
    let held = hold.takeFirst()
    let alive = life.takeSecond()
    hand = ProcessInput(hold.takeSecond())
    self.directory = directory
    var readiness = try FileDescriptor.pipe()
    let ready = readiness.takeFirst()
    let said = readiness.takeSecond()
    leader = try Self.shell(
      Self.leading, [socket], [0: held.number, 1: said.number, 3: alive.number], null)
    group = ProcessGroup(leader.pid)
    said.close()
    // Nobody comes before it is deaf to what they may send to all.
    _ = try ready.readToEnd()
    let end = life.takeFirst()
    sweeper = try directory.map { directory throws(SystemError) in
      try Self.shell(Self.sweeping, [directory], [0: end.number], null)
    }
  }

  /// In a group of its own, so that what a terminal sends to this one does not reach it.
  private static func shell(
    _ duty: String, _ words: [String], _ descriptors: [Int32: Int32],
    _ null: borrowing FileDescriptor
  ) throws(SystemError) -> StagedProcess {
    try StagedProcess(
      "/bin/sh", ["-c", duty, "stage"] + words, environment: [:],
      descriptors: descriptors.merging([1: null.number, 2: null.number]) { own, _ in own },
      workingDirectory: "/", group: 0)
  }

  /// Those that run, but for whoever leads them.
  var members: [ProcessIdentity] { everybody.filter { $0.pid != group.number } }

  private var everybody: Set<ProcessIdentity> {
    Set(group.members.compactMap { ProcessIdentity.of($0) }).union(marked.all)
  }

  /// A broker has started somebody. To look for such takes a while, so nobody does before.
  func expectGuests() { hasGuests.withLock { $0 = true } }

  /// Those that belong here and have left the group.
  var guests: [Int32] {
    guard hasGuests.withLock({ $0 }) else { return [] }
    let members = Set(group.members)
    return marked.all.map(\.pid).filter { !members.contains($0) }
  }

  /// Ends whoever has left the group; returns when they are gone, or do not go.
  func endGuests() {
    var pause = Pause()
    while pause.isBelow(Self.patience) {
      let guests = guests
      guard !guests.isEmpty else { return }
      for guest in guests { try? Signal.kill.send(to: guest) }
      pause.wait()
    }
  }

  /// Ends everybody; returns when they are gone, and the directory with them.
  ///
  /// Not by the leader alone, which one of them may have killed, or stopped together with all.
  func end() {
    endGuests()
    hand.close()
    // It takes each a moment, or for ever if the system does not let go of one.
    var pause = Pause()
    repeat {
      for member in everybody { member.end() }
      pause.wait()
    } while !everybody.isEmpty && pause.isBelow(Self.patience)
    let deadline = SystemClock.monotonic() + Self.patience
    _ = leader.waitForEnd(until: deadline)
    _ = sweeper?.waitForEnd(until: deadline)
    // Whoever was in the middle of making a file was quicker than the one that sweeps.
    if let directory, File.exists(directory) { try? Directory.removeTree(directory) }
  }

  /// In nanoseconds.
  private static let patience: Int64 = 5_000_000_000
}
