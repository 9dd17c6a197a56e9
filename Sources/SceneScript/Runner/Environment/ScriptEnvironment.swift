import SceneCommandLine
import SceneControl
package import SceneModel
package import ScenePlatform

/// The environment of one script: a temporary directory, a broker, clients, and the trace of their
/// events.
///
/// One thread uses an environment. Each call waits until ``deadline`` at most.
package final class ScriptEnvironment {
  package struct Settings: Sendable {
    /// The directory of `scened`, `scene` and `scenectl`.
    package var programs: String
    package var environment: [String: String]
    package var controlVerbs: ControlVerbs
    package var keepsDirectory = false
    /// Whether a `trace` block that differs produces a rewrite instead of a failure.
    package var acceptsTraces = false
    /// The timeout of one line, in nanoseconds.
    package var lineTimeout: Int64 = 30_000_000_000
    /// The timeout for the exit of the broker, in nanoseconds.
    package var exitTimeout: Int64 = 30_000_000_000
    /// The time in which the broker closes descriptors after the last client left, in nanoseconds.
    package var closeTimeout: Int64 = 30_000_000_000
    /// The time that an unexpected process has to exit by itself, in nanoseconds.
    package var strayTimeout: Int64 = 5_000_000_000
    package var cleanup = CleanupRegistry()

    package init(programs: String, environment: [String: String], controlVerbs: ControlVerbs) {
      self.programs = programs
      self.environment = environment
      self.controlVerbs = controlVerbs
    }
  }

  let settings: Settings
  /// The temporary directory. The script's files are in ``workplace``.
  package let directory: String
  /// The environment variables of the script's processes.
  package let variables: [String: String]

  /// The end of the current line's timeout, on the monotonic clock.
  package var deadline: Int64 = .max
  var broker: ManagedBroker?
  var injectedFault: InjectedFault?
  /// The options of the last start, even if that start failed.
  package var brokerOptions: [String] = []
  /// Whether the last start succeeded, so that a broker can start on the same directory again.
  var hasStarted = false
  /// An exited client stays until another client takes its name.
  private(set) var clientsByName: [String: ScriptClient] = [:]
  private var processes: [ManagedProcess] = []
  /// The children of killed clients. Each leads a process group.
  var programs: [ProcessIdentity] = []
  let supervisor: ProcessSupervisor
  var history = RunHistory()
  var scriptLine: Script.Line?
  /// The output of the last command or control verb.
  package var output = ""
  var errors = ""
  /// Whether the line cannot finish because the virtual clock stands still.
  var cannotFinish = false
  /// Whether a client runs a program, which can act without a line of the script.
  var hasPrograms = false
  /// The reason of the last expected failure, until a line acts.
  var reason: String?
  /// The result of a condition that holds, for the report of a `!` line.
  var finding: String?
  var rewrites: [BlockRewrite] = []

  package init(
    _ settings: Settings, files: [ScriptArchive.File] = []
  ) throws(StepFailure) {
    self.settings = settings
    let directory = Directory.newTemporary(
      prefix: "scene-script", in: settings.environment["TMPDIR"])
    self.directory = directory
    let length = Self.socket(in: directory).utf8.count
    guard length <= UnixSocket.maximumPathLength else {
      throw .unrunnable(
        "the socket path in \(PlainText.escaped(directory)) is too long: \(length) bytes, limit "
          + "\(UnixSocket.maximumPathLength); set TMPDIR to a shorter path")
    }
    supervisor = try step(
      ProcessSupervisor(
        removing: settings.keepsDirectory ? nil : directory, socket: Self.socket(in: directory)))
    settings.cleanup.begin(supervisor, keeping: settings.keepsDirectory ? directory : nil)
    variables = Self.variables(settings, socket: Self.socket(in: directory))
    do throws(SystemError) {
      // The supervisor runs already, so the directory is removed even if this process is killed.
      try Directory.makeTemporary(at: directory)
      try write(files)
    } catch {
      tearDown()
      throw StepFailure(error)
    }
  }

  private func write(_ files: [ScriptArchive.File]) throws(SystemError) {
    try Directory.make(workplace)
    for file in files {
      let path = workplace + "/" + file.name
      if let parent = Directory.parent(of: path) { try Directory.makeAll(parent) }
      try File.write(file.text.utf8, to: path)
    }
  }

  package var socket: String { Self.socket(in: directory) }

  private static func socket(in directory: String) -> String { directory + "/sock" }

  /// The working directory of the script's commands.
  package var workplace: String { directory + "/work" }

  /// Removes the variables of other brokers, and adds the socket and the programs of this
  /// environment.
  private static func variables(_ settings: Settings, socket: String) -> [String: String] {
    var variables = settings.environment.filter { name, _ in
      !name.hasPrefix("SCENE_") && !name.hasPrefix("LISTEN_") && name != "NOTIFY_SOCKET"
    }
    variables["SCENE_SOCKET"] = socket
    // The settings of the user must not change a test.
    variables[UserSettings.variable] = ""
    variables["PATH"] = settings.programs + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
    // Scripts kill programs on purpose; a backtrace of each costs seconds.
    variables["SWIFT_BACKTRACE"] = variables["SWIFT_BACKTRACE"] ?? "enable=no"
    return variables
  }

  /// Starts a process that ends with the environment at the latest.
  ///
  /// The default variables are those of the script. With `isOutside`, the process runs in the
  /// caller's working directory.
  package func spawn(
    _ program: String, _ arguments: [String], descriptors: [Int32: Int32],
    variables: [String: String]? = nil, isOutside: Bool = false
  ) throws(SystemError) -> ManagedProcess {
    let process = try ManagedProcess(
      program, arguments, environment: variables ?? self.variables, descriptors: descriptors,
      workingDirectory: isOutside ? nil : workplace, group: supervisor.group.number)
    processes.append(process)
    return process
  }

  // MARK: - Lines

  /// Runs the action of a line. A line that acts or waits returns when the environment has settled.
  ///
  /// `mustFail` means that `!` stands before the line. The timeout is in nanoseconds; nil means the
  /// timeout of the settings.
  package func line(
    _ role: ScriptVerb.Role, mustFail: Bool = false, timeout: Int64? = nil,
    _ action: () throws(StepFailure) -> Void
  ) throws(StepFailure) {
    deadline = SystemClock.monotonic() + (timeout ?? settings.lineTimeout)
    finding = nil
    if role == .acts {
      reason = nil
      for client in clients { client.resetRecentCallbacks() }
    }
    clearOccurredFault()
    do throws(StepFailure) {
      try action()
    } catch {
      // A fault that was injected before can end the broker during this request.
      guard role == .acts, !mustFail, hasFaultOccurred() else { throw error }
    }
    switch role {
    case .acts: try settleDespiteFault()
    case .waits: try settle()
    case .reads: break
    }
  }

  /// Waits until nothing is in progress in the broker or in a client that answers, and reads all
  /// output.
  package func settle() throws(StepFailure) { try Settler(environment: self).settle() }

  private func settleDespiteFault() throws(StepFailure) {
    do throws(StepFailure) {
      try settle()
    } catch {
      guard hasFaultOccurred() else { throw error }
      try settle()
    }
  }

  /// Shows the step in the report of an interrupted run.
  func showStep(_ step: String) { settings.cleanup.setStep(step, of: supervisor) }

  // MARK: - Trace

  /// The trace entries of all brokers, without the entries about this process.
  package var trace: [TraceEntry] { history.entries }

  /// The client name of the connections of this process.
  static let controlName = "scenectl"

  func collectTrace() {
    guard let broker else { return }
    for notification in (try? broker.control.takeNotifications()) ?? [] {
      guard case .trace(let entry)? = notification.content else { continue }
      append(entry)
    }
  }

  func append(_ entry: TraceEntry) {
    if entry.client?.name == Self.controlName {
      let isOurs = entry.client?.pid == Int64(ProcessIdentity.currentPID)
      // Observers receive the events that this process posts, so these posts belong to the trace.
      if isOurs && entry.event != .posted { return }
      if entry.event == .joined || entry.event == .left { return }
    }
    if entry.event == .launched { supervisor.expectDetachedProcesses() }
    history.add(entry)
  }

  /// Collects the trace up to now, if the broker answers within a second.
  package func fetchTrace() {
    guard let broker else { return }
    let deadline = SystemClock.monotonic() + 1_000_000_000
    _ = try? broker.control.request(Ping(), until: deadline)
    collectTrace()
  }

  /// Waits until the broker has noticed the end of every connection of a process.
  package func awaitDisconnect(of process: Int32) throws(StepFailure) {
    guard let broker else { return }
    _ = try brokerReply(broker.control.request(Ping(), until: deadline))
    collectTrace()
    while isConnected(Int64(process)) {
      guard try brokerReply(readTrace(broker, until: deadline)) else {
        throw brokerFailure(.timedOut)
      }
    }
  }

  /// Waits for the next notification, and keeps a trace entry; false at the deadline.
  func readTrace(_ broker: ManagedBroker, until deadline: Int64) throws(ControlError) -> Bool {
    guard let notification = try broker.control.nextNotification(until: deadline) else {
      return false
    }
    if case .trace(let entry)? = notification.content { append(entry) }
    return true
  }

  private func isConnected(_ process: Int64) -> Bool {
    var connections = 0
    for entry in history.runs.last?.entries ?? [] where entry.client?.pid == process {
      if entry.event == .joined { connections += 1 }
      if entry.event == .left { connections -= 1 }
    }
    return connections > 0
  }

  /// The last rows of the timeline.
  package func lastRows() -> [String] {
    fetchTrace()
    return history.lastRows()
  }

  /// Draws all events.
  package func timelineText(title: String) -> String { history.timelineText(title: title) }

  // MARK: - History

  func recordSaves() {
    for client in clients { history.update(from: client) }
  }

  /// The next trace entries come from a broker with these options.
  func beginRun(_ options: [String]) {
    recordSaves()
    let options = BrokerOptions(words: options)
    history.beginRun(
      state: options.state(default: directory + "/state"),
      declared: options.declarations(in: workplace))
  }

  func recordSettlePoint() {
    guard broker != nil else { return }
    // This process observes topics but rarely reads the events.
    let silent = clients.filter(\.isFrozen).map(\.process.pid) + [ProcessIdentity.currentPID]
    history.addSettlePoint(silent: Set(silent.map(Int64.init)))
  }

  /// Records a discard that may have no trace entry, because the broker can end first or has ended.
  func recordDiscard(_ words: [String], of client: ScriptClient? = nil) {
    let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
    guard isFaultPending || broker == nil, words.contains("discard") else { return }
    history.recordDiscard(words, of: client)
  }

  // MARK: - Clients

  func add(_ client: ScriptClient) {
    recordSaves()
    clientsByName[client.name] = client
  }

  func add(delegate client: ScriptClient) {
    add(client)
    history.add(delegate: client)
  }

  /// Sorted by name.
  package var clients: [ScriptClient] { clientsByName.sorted { $0.key < $1.key }.map(\.value) }

  /// The client with this name, which may have exited.
  package func client(_ name: String) throws(StepFailure) -> ScriptClient {
    if let client = clientsByName[name] { return client }
    let names = clientsByName.keys.sorted()
    throw .unrunnable(
      "unknown client \"\(PlainText.escaped(name))\"; "
        + (names.isEmpty
          ? "start it with: client \(PlainText.word(name))"
          : "expected one of \(names.joined(separator: ", "))"))
  }

  /// The client with this name; throws if the client has exited or is frozen.
  func liveClient(_ name: String) throws(StepFailure) -> ScriptClient {
    let client = try client(name)
    if let end = client.process.end { throw .unrunnable("\(name) \(end.phrase)") }
    if client.isFrozen {
      throw .unrunnable("\(name) is frozen; resume it with: thaw \(name)")
    }
    return client
  }

  package var hasBroker: Bool { broker != nil }

  func liveBroker() throws(StepFailure) -> ManagedBroker {
    guard let broker else {
      throw .unrunnable("no broker is running; start one with: broker start")
    }
    return broker
  }

  // MARK: - End

  /// Kills the processes that `spawn` started, except the broker.
  func killCommands() {
    for process in processes where process !== broker?.process { process.killAndWait() }
  }

  /// Checks the invariants and ends every process; returns the violations.
  package func close() -> [InvariantViolation] { FinalCheck(environment: self).run() }

  /// Ends every process, and removes the directory unless the settings keep it.
  package func tearDown() {
    settings.cleanup.end(supervisor)
    broker = nil
  }
}
