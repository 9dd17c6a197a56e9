import SceneCommandLine
import SceneControl
import SceneModel
package import ScenePlatform

/// The `scened` of a script, and a control connection to the broker.
final class ManagedBroker {
  let process: ManagedProcess
  let control: ControlConnection
  /// The open descriptors before any client connects; nil if the system does not list descriptors.
  let descriptors: OpenDescriptors?

  init(_ process: ManagedProcess, _ control: ControlConnection) {
    self.process = process
    self.control = control
    var descriptors = OpenDescriptors(of: process.pid)
    // Clients of an earlier broker can reconnect before this count.
    descriptors?.set("socket", to: Self.sockets)
    self.descriptors = descriptors
  }

  /// The listening socket and the control connection.
  private static let sockets = 2
}

extension ScriptEnvironment {
  private var brokerLog: String { directory + "/scened.log" }

  /// Starts the broker and waits until the broker answers.
  ///
  /// - Throws: A mismatch if the broker exits or runs already.
  package func startBroker(_ options: [String]) throws(StepFailure) {
    if broker != nil {
      throw .mismatch(
        "a broker is already running; stop it with: broker stop", reason: "brokerRuns")
    }
    brokerOptions = options
    beginRun(options)
    hasStarted = false
    let readiness = try step(BrokerReadiness())
    let process = try step(spawnBroker(options, readiness))
    try awaitReady(process, readiness)
    do throws(ControlError) {
      let client = ClientName(name: Self.controlName, version: productVersion)
      let control = try ControlConnection.open(socket, as: client, until: deadline)
      control.post(TraceObserve(deliveries: true))
      broker = ManagedBroker(process, control)
      hasStarted = true
    } catch {
      process.killAndWait()
      throw .unrunnable("the broker did not answer: \(error)")
    }
  }

  private func spawnBroker(
    _ options: [String], _ readiness: BrokerReadiness
  ) throws(SystemError) -> ManagedProcess {
    let log = try File.open(brokerLog, [.write, .create, .append])
    let null = try File.open("/dev/null", [.read, .write])
    return try spawn(
      settings.programs + "/scened",
      [
        "-S", socket, "--state", directory + "/state", "--log-level", "debug", "--faults",
      ] + BrokerReadiness.options + options,
      descriptors: [0: null.number, 1: null.number, 2: log.number].merging(readiness.descriptors) {
        $1
      })
  }

  private func awaitReady(
    _ process: ManagedProcess, _ readiness: BrokerReadiness
  ) throws(StepFailure) {
    do throws(SystemError) {
      if try readiness.wait(until: deadline) { return }
    } catch {
      process.killAndWait()
      throw StepFailure(error)
    }
    let end = process.waitForEnd(until: deadline)
    process.killAndWait()
    let what = end.map(\.phrase) ?? "did not become ready"
    let message = "the broker \(what)\(lastLines(in: brokerLog))"
    throw end?.isUsageError == true
      ? .usageError(message) : .mismatch(message, reason: "brokerFailed")
  }

  /// Sends SIGTERM and waits for an exit with status 0.
  package func stopBroker() throws(StepFailure) {
    let broker = try liveBroker()
    let launched = launchedProcesses
    try step(broker.process.send(.terminate))
    try awaitEnd(of: broker)
    try checkAllExited(of: launched)
  }

  /// Sends a signal and waits for the exit.
  package func killBroker(_ signal: Signal) throws(StepFailure) {
    let broker = try liveBroker()
    if signal == .kill, hasFaultOccurred() { return }
    let endsInOrder = signal == .terminate || signal == .interrupt
    let launched = endsInOrder ? launchedProcesses : []
    try step(broker.process.send(signal))
    try awaitEnd(of: broker, by: signal)
    try checkAllExited(of: launched)
  }

  /// Waits for the exit of the broker, and checks that the exit is the requested one: status 0, or
  /// this signal.
  func awaitEnd(of broker: ManagedBroker, by signal: Signal? = nil) throws(StepFailure) {
    guard let end = broker.process.waitForEnd(until: deadline) else {
      throw .unrunnable("the broker did not exit")
    }
    loseBroker()
    resolveFault(end, by: signal)
    let isWanted = end == .exited(0) || end == signal.map(ProcessEnd.signalled)
    guard isWanted || injectedFault?.state == .occurred else {
      throw .unrunnable("the broker \(end.phrase)\(lastLines(in: brokerLog))")
    }
  }

  /// The processes that the broker launched and that are still running.
  var launchedProcesses: [ProcessIdentity] {
    guard let pid = broker?.process.pid else { return [] }
    return supervisor.detachedProcesses.filter { ProcessIdentity.parent(of: $0.pid) == pid }
  }

  /// Checks that the broker has ended its launched processes, as a regular shutdown does.
  func checkAllExited(of launched: [ProcessIdentity]) throws(StepFailure) {
    guard let left = launched.first(where: \.isAlive) else { return }
    let command = ProcessIdentity.command(of: left.pid) ?? "(unknown command)"
    supervisor.killDetachedProcesses()
    throw .unrunnable(
      PlainText.escaped(
        "the broker exited, but process \(left.pid), which it had launched, is still running: "
          + command))
  }

  /// Collects the rest of the trace of a broker that has exited.
  func loseBroker() {
    guard let lost = broker else { return }
    collectTrace()
    _ = try? lost.control.waitForEnd(until: deadline)
    collectTrace()
    broker = nil
    for client in clients where client.isAlive {
      client.readAvailable()
      client.hasLostBroker = true
    }
  }

  /// The reply of the broker. Its error becomes the failure of the line.
  func brokerReply<Reply>(
    _ reply: @autoclosure () throws(ControlError) -> Reply
  ) throws(StepFailure) -> Reply {
    do throws(ControlError) {
      return try reply()
    } catch {
      throw brokerFailure(error)
    }
  }

  /// Describes a failed request to the broker. An exit of the broker counts as its injected fault,
  /// if one is pending.
  func brokerFailure(_ error: ControlError) -> StepFailure {
    guard let broker else { return .unrunnable("\(error)") }
    switch error {
    case .lost, .noBroker:
      guard let end = broker.process.waitForEnd(until: deadline) else {
        return .unrunnable("the broker is running, but its connection is lost")
      }
      resolveFault(end, by: nil)
      loseBroker()
      return .unrunnable("the broker \(end.phrase)\(lastLines(in: brokerLog))")
    case .timedOut:
      return .unrunnable("the broker did not settle\(pendingWork)")
    case .refused, .garbled, .system, .otherApplication, .unread:
      return .unrunnable("request to the broker failed: \(error)")
    }
  }

  /// The callbacks without an answer and the frozen clients, for an error message.
  var pendingWork: String {
    fetchTrace()
    let frozen = clients.filter { $0.isFrozen && $0.isAlive }.map {
      "\($0.name) is frozen; resume it with: thaw \($0.name)"
    }
    let unanswered = Timeline(TraceLog(trace)).unansweredCallbacks + frozen
    return unanswered.isEmpty ? "" : ":" + unanswered.map { "\n  " + $0 }.joined()
  }

  /// The last five lines of a log file, for an error message.
  func lastLines(in path: String) -> String {
    guard let bytes = try? File.read(path, limit: 1 << 26) else { return "" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.suffix(5).map { "\n  " + $0 }.joined()
  }
}
