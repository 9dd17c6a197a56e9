import SceneBroker
import SceneCommandLine
package import SceneModel
package import ScenePlatform

/// The launched programs as processes of this machine.
///
/// Each program leads a process group. To end a program, the broker sends SIGTERM to the group, and
/// SIGKILL a second later. It does the same when the program exits and leaves processes in its
/// group. The leader is reaped when the group is empty, so that no other group gets the group's
/// number.
///
/// A process that leaves its group, as with `setsid`, survives an orderly end of the broker. The
/// next broker on this socket finds the process by the token in its environment, and ends it.
final class ChildProcesses: ProgramLauncher {
  private let log: Log
  private let processes: RealProcesses
  private let socket: String
  /// The working directory of programs, to which relative paths refer; nil for the broker's own.
  private let directory: String?
  // The loop reads the values with the attribute in every iteration. No call that changes one of
  // them comes back to this object.
  @exclusivity(unchecked)
  private var running: [LaunchIdentifier: RunningProgram] = [:]
  @exclusivity(unchecked)
  private var outputs: ProgramOutputs
  /// The prefixes of the tokens of this process's launches, also before an upgrade.
  private var tokenPrefixes: Set<String> = []
  /// Launched processes that an earlier broker has left.
  @exclusivity(unchecked)
  private var ending: EndingProcesses?

  init(
    poller: Poller, log: Log, processes: RealProcesses, socket: String, directory: String?
  ) {
    self.log = log
    self.processes = processes
    self.socket = Directory.absolute(socket)
    self.directory = directory
    outputs = ProgramOutputs(poller: poller, log: log, socket: self.socket)
  }

  var isEmpty: Bool { running.isEmpty }

  /// The number of open descriptors for the output of programs.
  var outputCount: Int { outputs.count }

  /// The children that no other code may reap.
  var children: Set<ChildProcess> { Set(running.values.map(\.child)) }

  // MARK: - Starting

  func start(_ request: LaunchRequest, token: String) throws(SystemError) -> ClientProcess {
    let command = request.command
    // The process that started the broker may have set SIGCHLD to be ignored.
    Signal.restoreChildEnds()
    tokenPrefixes.insert(String(token.prefix(LaunchToken.prefixLength)))
    let (path, words) = try command.invocation(in: directory, title: request.title)
    let null = try File.open("/dev/null", .read)
    let output = try outputs.open(for: command.programName)
    let login = request.environment.values.filter { command.inherits($0.key) }
    do throws(SystemError) {
      let child = try ChildProcess.spawn(
        path, Array(words.dropFirst()), name: words[0],
        changing: login.merging([
          "SCENE_SOCKET": socket, Initialize.launchVariable: token,
          "SCENE_SESSION": "\(request.session)",
        ]) { $1 },
        inheriting: command.inherits,
        descriptors: [0: null.number, 1: output.descriptor.number, 2: output.descriptor.number],
        workingDirectory: directory, group: 0)
      running[request.identifier] = RunningProgram(child)
      outputs.started(output.token, as: child.pid)
      return processes.identity(of: child.pid)
    } catch {
      outputs.close(output.token)
      throw error
    }
  }

  /// Takes over a program that the program before this one has launched in this process.
  func restore(_ launch: CarriedState.CarriedLaunch) {
    tokenPrefixes.insert(String(launch.token.prefix(LaunchToken.prefixLength)))
    running[launch.identifier] = RunningProgram(ChildProcess(pid: Int32(launch.pid)))
  }

  // MARK: - Output

  /// Opens the output of programs that an earlier broker launched.
  func reopenOutputs() { outputs.reopen() }

  /// Reads the output of the program with this token. Returns false if no program has the token.
  func read(_ token: UInt64, isClosed: Bool) -> Bool { outputs.read(token, isClosed: isClosed) }

  // MARK: - Exits

  func end(_ launch: LaunchIdentifier) {
    running[launch]?.terminate(at: SystemClock.monotonic())
  }

  /// The programs that have exited since the last call.
  func takeExits() -> [(launch: LaunchIdentifier, status: ClientExit)] {
    var exits: [(launch: LaunchIdentifier, status: ClientExit)] = []
    for (launch, program) in running where !program.hasEnded {
      guard let end = program.child.endIfEnded else { continue }
      running[launch]?.hasEnded = true
      exits.append((launch, ClientExit(end)))
      if program.hasMembers {
        running[launch]?.terminate(at: SystemClock.monotonic())
      } else {
        reap(launch)
      }
    }
    return exits.sorted { $0.launch.number < $1.launch.number }
  }

  private func reap(_ launch: LaunchIdentifier) {
    guard let program = running.removeValue(forKey: launch) else { return }
    _ = program.child.reapIfEnded()
  }

  /// When `runTimers(at:)` has work without an event; nil for never.
  var nextTimer: Int64? {
    // The loop reads this value in every iteration.
    guard !running.isEmpty || !outputs.isEmpty || ending != nil else { return nil }
    return
      (running.values.compactMap(\.killTime)
      + [outputs.nextResume, ending?.killTime].compactMap(\.self)).min()
  }

  /// The broker did not run for so many nanoseconds, and the programs may not have run either.
  func extendTimers(by time: Int64) {
    for launch in running.keys { running[launch]?.killTime? += time }
    ending?.prolong(by: time)
  }

  /// Resumes paused output and kills programs whose time is over.
  func runTimers(at now: Int64) {
    guard let next = nextTimer, next <= now else { return }
    outputs.resume(at: now)
    for (launch, program) in running where program.killTime.map({ $0 <= now }) ?? false {
      program.group.send(.kill)
      running[launch]?.killTime = nil
      if program.hasEnded { reap(launch) }
    }
    if let ending, ending.killTime <= now {
      ending.kill(on: socket)
      self.ending = nil
    }
  }

  /// Ends programs that a killed broker launched on this socket. Spares all processes of a launch
  /// if one of them is connected, is being debugged, or is this broker.
  func endSurvivors(sparing connected: Set<Int64>) {
    let launched = LaunchedProcess.all(on: socket)
    var spared = Set([Environment[Initialize.launchVariable]].compactMap(\.self))
    for one in launched where isConnected(one, connected) { spared.insert(one.token) }
    let survivors = launched.filter { !spared.contains($0.token) && !isOwn($0) }
    guard !survivors.isEmpty else { return }
    ending = EndingProcesses(
      survivors, killTime: SystemClock.monotonic() + RunningProgram.exitTimeout)
    let pids = survivors.map { "\($0.process.pid)" }.joined(separator: ", ")
    log.note("ending programs that an earlier broker launched and that are not connected: \(pids)")
  }

  private func isConnected(_ launched: LaunchedProcess, _ connected: Set<Int64>) -> Bool {
    let pid = launched.process.pid
    return connected.contains(Int64(pid)) || ProcessIdentity.isTraced(pid)
  }

  private func isOwn(_ launched: LaunchedProcess) -> Bool {
    tokenPrefixes.contains(String(launched.token.prefix(LaunchToken.prefixLength)))
  }

  /// Ends all programs. Returns when they are gone, or two seconds later. `wait` waits at most so
  /// many nanoseconds for an exit, and returns whether to kill the programs at once.
  func endAll(waiting wait: (Int64) -> Bool) {
    let start = SystemClock.monotonic()
    for launch in running.keys { running[launch]?.terminate(at: start) }
    let deadline = start + RunningProgram.exitTimeout + Self.killTimeout
    while !running.isEmpty || ending != nil, SystemClock.monotonic() < deadline {
      runTimers(at: SystemClock.monotonic())
      _ = takeExits()
      for (launch, program) in running where program.hasEnded && !program.hasMembers {
        reap(launch)
      }
      if ending?.isEmpty ?? false { ending = nil }
      guard !running.isEmpty || ending != nil, wait(Self.pollInterval) else { continue }
      for launch in running.keys { running[launch]?.killNow(at: start) }
      ending?.killNow(at: start)
    }
    outputs.end()
  }

  /// Nanoseconds that the system has to end killed processes.
  private static let killTimeout: Int64 = 1_000_000_000
  /// Nanoseconds between two checks whether the programs have ended.
  private static let pollInterval: Int64 = 10_000_000
}

/// A launched program, and the process group that it leads.
struct RunningProgram {
  let child: ChildProcess
  var hasEnded = false
  /// When the group is killed, by the monotonic clock; nil if the group is not ending.
  var killTime: Int64?
  private var isTerminating = false

  /// Nanoseconds between SIGTERM and SIGKILL.
  static let exitTimeout: Int64 = 1_000_000_000

  init(_ child: ChildProcess) { self.child = child }

  var group: ProcessGroup { ProcessGroup(child.pid) }

  /// Whether a process of the group still runs.
  var hasMembers: Bool { !group.members.isEmpty }

  /// Sends SIGTERM to the whole group. Processes that survive until the kill time get SIGKILL.
  mutating func terminate(at now: Int64) {
    if !isTerminating {
      isTerminating = true
      group.send(.terminate)
      group.send(.continue)
    }
    if killTime == nil { killTime = now + Self.exitTimeout }
  }

  /// Moves the kill time to now.
  mutating func killNow(at now: Int64) {
    if killTime != nil { killTime = now }
  }
}

extension LaunchCommand {
  /// The absolute path of the program. A name is looked up in `PATH`; a relative path refers to
  /// `directory`.
  package func path(in directory: String?) throws(SystemError) -> String {
    let word = words[0]
    guard word.contains("/") else { return Directory.absolute(try Executable.find(word)) }
    let tail = word.hasPrefix("./") ? word.dropFirst(2) : word[...]
    let path = word.hasPrefix("/") ? word : directory.map { "\($0)/\(tail)" } ?? word
    try Executable.check(path)
    return Directory.absolute(path)
  }

  /// The path of the program to start, and its words. For a terminal, `scenectl window` of this
  /// installation runs the command, in a window with this title.
  func invocation(
    in directory: String?, title: String?
  ) throws(SystemError) -> (path: String, words: [String]) {
    let program = try path(in: directory)
    guard hasTerminal else { return (program, words) }
    let name = "scenectl"
    let tool = try Executable.find(Executable.installed(name))
    return (tool, [name, "window", "--title", title ?? programName, "--"] + words)
  }

  /// The message of a launch that fails now; nil if the program can be started.
  package func obstacle(in directory: String?) -> String? {
    do throws(SystemError) {
      _ = try path(in: directory)
      return nil
    } catch {
      return error.launchFailure(self)
    }
  }
}

extension SystemError {
  func launchFailure(_ command: LaunchCommand) -> String {
    let program = path ?? command.words[0]
    return "cannot start \(program): \(code)\(note.map { " (\($0))" } ?? "")"
  }
}

extension ClientExit {
  init(_ end: ProcessEnd) {
    switch end {
    case .exited(let code): self.init(status: Int64(code))
    case .signalled(let signal): self.init(signal: signal.name)
    }
  }
}

/// A process that a broker launched, or a descendant of such a process. The token in its
/// environment identifies the process.
struct LaunchedProcess {
  let process: ProcessIdentity
  /// The token of the launch.
  let token: String

  /// The processes that were launched by brokers on this socket and that run. A broker in another
  /// container may use the same path, but not the same socket.
  static func all(on socket: String) -> [LaunchedProcess] {
    guard let identity = try? FileStatus(of: socket).identity else { return [] }
    return MarkedProcesses.having(Initialize.launchVariable, "SCENE_SOCKET")
      .compactMap { process, values in
        guard let token = values[Initialize.launchVariable], let path = values["SCENE_SOCKET"],
          process.file(at: path) == identity
        else { return nil }
        return LaunchedProcess(process: process, token: token)
      }
  }

  /// Sends SIGTERM, also to a stopped process.
  func terminate() {
    process.send(.terminate)
    process.send(.continue)
  }
}

/// Launched processes that are ending and lead no process group that `ChildProcesses` ends.
struct EndingProcesses {
  private var launched: [LaunchedProcess]
  /// When the remaining processes are killed, by the monotonic clock.
  private(set) var killTime: Int64

  /// Sends SIGTERM to all.
  init(_ launched: [LaunchedProcess], killTime: Int64) {
    self.launched = launched
    self.killTime = killTime
    for one in launched { one.terminate() }
  }

  var isEmpty: Bool { launched.allSatisfy { !$0.process.isAlive } }

  mutating func prolong(by time: Int64) { killTime += time }

  mutating func killNow(at now: Int64) { killTime = min(killTime, now) }

  /// Kills the remaining processes, and processes that they have started meanwhile.
  func kill(on socket: String) {
    let tokens = Set(launched.map(\.token))
    // A process that is killed may have started another one just before.
    for _ in 0..<3 {
      let left = LaunchedProcess.all(on: socket).filter { tokens.contains($0.token) }
      if left.isEmpty { return }
      for one in left { one.process.end() }
    }
  }
}
