import SceneBroker
package import SceneModel
package import ScenePlatform

/// The programs that were started for sessions, as processes of this machine.
///
/// Each leads a process group, and is ended with it: by TERM, and a second later by KILL. When it has
/// ended by itself, so has what it leaves in its group. Until the group is gone its leader is not
/// reaped, so that no other group gets the group's number.
///
/// A process that has left its group, as by `setsid`, outlives the broker's orderly end. The next broker
/// on this socket finds it by the token in its environment, and ends it.
final class ChildProcesses: ProgramLauncher {
  private let poller: Poller
  private let log: Log
  private let processes: RealProcesses
  private let socket: String
  /// Where programs run, and where the path of one begins that says so.
  private let directory: String?
  private var running: [LaunchIdentifier: RunningProgram] = [:]
  /// The output of the programs, by the poller's tokens.
  private var outputs: [UInt64: ProgramOutput] = [:]
  private var lastToken = ChildProcesses.firstToken
  /// How the tokens of this broker's launches begin; nil before the first launch.
  private var tokenPrefix: String?
  /// Launched processes that an earlier broker has left.
  private var ending: EndingProcesses?
  private let input = InputBuffer()

  /// Beyond all connections.
  private static let firstToken: UInt64 = 1 << 62

  init(
    poller: Poller, log: Log, processes: RealProcesses, socket: String, directory: String?
  ) {
    self.poller = poller
    self.log = log
    self.processes = processes
    self.socket = Directory.absolute(socket)
    self.directory = directory
  }

  var isEmpty: Bool { running.isEmpty }

  /// How many descriptors are open for what they say.
  var outputCount: Int { outputs.count }

  /// The children that no other code may reap.
  var children: Set<ChildProcess> { Set(running.values.map(\.child)) }

  // MARK: - Starting

  func start(_ request: LaunchRequest, token: String) throws(LaunchError) -> ClientProcess {
    let command = request.command
    do throws(SystemError) {
      // A supervisor may have had the ends of children ignored.
      Signal.restoreChildEnds()
      tokenPrefix = String(token.prefix(LaunchToken.prefixLength))
      let path = try command.path(in: directory)
      var output = try FileDescriptor.pipe()
      var errors = try FileDescriptor.pipe()
      let said = output.takeSecond()
      let complained = errors.takeSecond()
      let null = try File.open("/dev/null", .read)
      let child = try ChildProcess.spawnApart(
        path, command.words, inheriting: command.inherits,
        adding: [
          "SCENE_SOCKET": socket, Initialize.launchVariable: token,
          "SCENE_SESSION": "\(request.session)",
        ], descriptors: [0: null.number, 1: said.number, 2: complained.number],
        workingDirectory: directory)
      let label = "\(command.programName) \(child.pid)"
      running[request.identifier] = RunningProgram(child)
      listen(to: output.takeFirst(), as: label)
      listen(to: errors.takeFirst(), as: label)
      return processes.identity(of: child.pid)
    } catch {
      throw LaunchError(error.whyNotStarted(command))
    }
  }

  /// A program whose output cannot be read runs without it: the pipe is closed, so that the program
  /// does not wait for room.
  private func listen(to descriptor: consuming FileDescriptor, as label: String) {
    do throws(SystemError) {
      try descriptor.setNonblocking()
      try poller.add(descriptor.number, token: lastToken + 1, interest: .readable)
    } catch {
      return log.warn("\(label): cannot read the output of the program: \(error)")
    }
    lastToken += 1
    outputs[lastToken] = ProgramOutput(descriptor, label: label, log: log)
  }

  // MARK: - What they say

  /// Whether this is one of theirs; then it is read.
  func hears(_ token: UInt64, hungUp: Bool) -> Bool {
    guard token >= Self.firstToken, let output = outputs[token] else { return false }
    switch output.read(into: input, isLast: hungUp) {
    case .more: break
    case .tooMuch: try? poller.modify(output.number, token: token, interest: [])
    case .end: forget(token, output)
    }
    return true
  }

  private func forget(_ token: UInt64, _ output: ProgramOutput) {
    // The call cannot fail: the poller has this descriptor.
    try? poller.remove(output.number)
    outputs[token] = nil
  }

  // MARK: - Their ends

  func end(_ launch: LaunchIdentifier) {
    running[launch]?.hangUp(at: SystemClock.monotonic())
  }

  /// Those that have ended since this was asked last.
  func takeEnds() -> [(launch: LaunchIdentifier, status: ClientExit)] {
    var ends: [(launch: LaunchIdentifier, status: ClientExit)] = []
    for (launch, program) in running where !program.hasEnded {
      guard let end = program.child.endIfEnded else { continue }
      running[launch]?.hasEnded = true
      ends.append((launch, ClientExit(end)))
      if program.hasCompany {
        running[launch]?.hangUp(at: SystemClock.monotonic())
      } else {
        reap(launch)
      }
    }
    return ends.sorted { $0.launch.number < $1.launch.number }
  }

  private func reap(_ launch: LaunchIdentifier) {
    guard let program = running.removeValue(forKey: launch) else { return }
    _ = program.child.reapIfEnded()
  }

  /// When something is to be done without anything having come in; nil for never.
  var nextLook: Int64? {
    // The loop reads this value in every iteration.
    guard !running.isEmpty || !outputs.isEmpty || ending != nil else { return nil }
    return
      (running.values.compactMap(\.killTime) + outputs.values.compactMap(\.pauseEnd)
      + [ending?.killTime].compactMap(\.self)).min()
  }

  /// The broker did not run for so many nanoseconds, and the programs may not have run either.
  func extendTimers(by time: Int64) {
    for launch in running.keys { running[launch]?.killTime? += time }
    ending?.prolong(by: time)
  }

  /// Does what is due.
  func look(at now: Int64) {
    guard let next = nextLook, next <= now else { return }
    for (token, output) in outputs where output.pauseEnd.map({ $0 <= now }) ?? false {
      output.goOn(at: now)
      try? poller.modify(output.number, token: token, interest: .readable)
    }
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

  /// Ends what a killed broker has launched on this socket and has left there. A launch is spared with
  /// all its processes if one of them is connected, is being debugged, or is this broker.
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
    tokenPrefix.map { launched.token.hasPrefix($0) } ?? false
  }

  /// Ends all of them; returns when they are gone, which takes no longer than a second and a moment.
  /// `wait` waits for news of them, and says whether they are to be killed at once.
  func endAll(waiting wait: (Int64) -> Bool) {
    let start = SystemClock.monotonic()
    for launch in running.keys { running[launch]?.hangUp(at: start) }
    let deadline = start + RunningProgram.exitTimeout + Self.moment
    while !running.isEmpty || ending != nil, SystemClock.monotonic() < deadline {
      look(at: SystemClock.monotonic())
      _ = takeEnds()
      for (launch, program) in running where program.hasEnded && !program.hasCompany {
        reap(launch)
      }
      if ending?.isEmpty ?? false { ending = nil }
      guard !running.isEmpty || ending != nil, wait(Self.pause) else { continue }
      for launch in running.keys { running[launch]?.killNow(at: start) }
      ending?.killNow(at: start)
    }
    for (token, output) in outputs {
      _ = output.read(into: input, isLast: true)
      forget(token, output)
    }
  }

  /// In nanoseconds: how long the system may take to end who was killed, and how long to wait before
  /// looking again.
  private static let moment: Int64 = 1_000_000_000
  private static let pause: Int64 = 10_000_000
}

/// A process that was started, and the group that it leads.
struct RunningProgram {
  let child: ChildProcess
  var hasEnded = false
  /// When the group is killed, by the monotonic clock; nil if the group is not ending.
  var killTime: Int64?
  private var isHungUpOn = false

  /// How long it may take over its end, in nanoseconds.
  static let exitTimeout: Int64 = 1_000_000_000

  init(_ child: ChildProcess) { self.child = child }

  var group: ProcessGroup { ProcessGroup(child.pid) }

  /// Whether a process of the group still runs.
  var hasCompany: Bool { !group.members.isEmpty }

  /// Sends SIGTERM to the whole group. Processes that survive until the kill time get SIGKILL.
  mutating func hangUp(at now: Int64) {
    if !isHungUpOn {
      isHungUpOn = true
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
  /// Where the program is: a name is looked for in `PATH`, a path that does not begin at the root
  /// begins in `directory`.
  package func path(in directory: String?) throws(SystemError) -> String {
    let word = words[0]
    guard word.contains("/") else { return Directory.absolute(try Executable.find(word)) }
    let tail = word.hasPrefix("./") ? word.dropFirst(2) : word[...]
    let path = word.hasPrefix("/") ? word : directory.map { "\($0)/\(tail)" } ?? word
    try Executable.check(path)
    return Directory.absolute(path)
  }

  /// Why it could not be started, if it could not be now; for people.
  package func obstacle(in directory: String?) -> String? {
    do throws(SystemError) {
      _ = try path(in: directory)
      return nil
    } catch {
      return error.whyNotStarted(self)
    }
  }
}

extension SystemError {
  fileprivate func whyNotStarted(_ command: LaunchCommand) -> String {
    let what = path ?? command.words[0]
    return "cannot start \(what): \(code)\(note.map { " (\($0))" } ?? "")"
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
