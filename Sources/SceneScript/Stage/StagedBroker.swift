import CommandLine
import SceneControl
import SceneModel
package import ScenePlatform

/// A `scened` of a script's own, and a connection to look at it.
final class StagedBroker {
  let process: StagedProcess
  let control: ControlConnection
  /// Where its entries begin in the stage's story.
  let storyStart: Int
  /// What it has open with nobody there but us; nil where the system does not tell.
  let descriptors: OpenDescriptors?

  init(_ process: StagedProcess, _ control: ControlConnection, storyStart: Int) {
    self.process = process
    self.control = control
    self.storyStart = storyStart
    var descriptors = OpenDescriptors(of: process.pid)
    // Those who come back to their next broker may have done so.
    descriptors?.set("socket", to: Self.sockets)
    self.descriptors = descriptors
  }

  /// The listening one, and our connection.
  private static let sockets = 2
}

extension Stage {
  private var brokerLog: String { directory + "/scened.log" }

  /// Starts the broker; returns when it answers.
  package func startBroker(_ options: [String]) throws(StepFailure) {
    if broker != nil { throw .no("a broker runs already", reason: "brokerRuns") }
    brokerOptions = options
    beginLife(options)
    hasStarted = false
    let readiness = try step { () throws(SystemError) in try BrokerReadiness() }
    let process = try step { () throws(SystemError) in try spawnBroker(options, readiness) }
    try awaitReady(process, readiness)
    do throws(ControlError) {
      let client = ClientName(name: Self.controlName, version: productVersion)
      let control = try ControlConnection.open(socket, as: client, until: deadline)
      control.post(TraceObserve())
      broker = StagedBroker(process, control, storyStart: story.count)
      hasStarted = true
    } catch {
      process.finishOff()
      throw .broken("the broker does not answer: \(error)")
    }
  }

  private func spawnBroker(
    _ options: [String], _ readiness: BrokerReadiness
  ) throws(SystemError) -> StagedProcess {
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

  /// A broker that is ready says a line; one that fails says none.
  private func awaitReady(
    _ process: StagedProcess, _ readiness: BrokerReadiness
  ) throws(StepFailure) {
    do throws(SystemError) {
      if try readiness.wait(until: deadline) { return }
    } catch {
      process.finishOff()
      throw StepFailure(error)
    }
    let end = process.waitForEnd(until: deadline)
    process.finishOff()
    let what = end.map { "has \($0.told)" } ?? "does not get ready"
    let message = "the broker \(what)\(lastWords(in: brokerLog))"
    throw end?.isMisuse == true ? .misuse(message) : .no(message, reason: "brokerFailed")
  }

  /// Ends the broker in order.
  package func stopBroker() throws(StepFailure) {
    let broker = try liveBroker()
    let started = processesOfBroker
    try step { () throws(SystemError) in try broker.process.send(.terminate) }
    try awaitEnd(of: broker)
    try checkNobodyIsLeft(of: started)
  }

  /// Ends it by a signal.
  package func killBroker(_ signal: Signal) throws(StepFailure) {
    let broker = try liveBroker()
    if signal == .kill, seesDoom() { return }
    let endsInOrder = signal == .terminate || signal == .interrupt
    let started = endsInOrder ? processesOfBroker : []
    try step { () throws(SystemError) in try broker.process.send(signal) }
    try awaitEnd(of: broker, by: signal)
    try checkNobodyIsLeft(of: started)
  }

  /// Returns when a broker that was told to end has ended: by that signal, or in order.
  func awaitEnd(of broker: StagedBroker, by signal: Signal? = nil) throws(StepFailure) {
    guard let end = broker.process.waitForEnd(until: deadline) else {
      throw .broken("the broker does not end")
    }
    loseBroker()
    settleDoom(end, by: signal)
    let isWanted = end == .exited(0) || end == signal.map(ProcessEnd.signalled)
    guard isWanted || doom?.fate == .met else {
      throw .broken("the broker has \(end.told)\(lastWords(in: brokerLog))")
    }
  }

  /// Those that the broker has started.
  var processesOfBroker: [ProcessIdentity] {
    guard let pid = broker?.process.pid else { return [] }
    return troupe.guests.filter { ProcessIdentity.parent(of: $0) == pid }
      .compactMap(ProcessIdentity.of)
  }

  /// A broker that ends in order ends whoever it has started.
  func checkNobodyIsLeft(of started: [ProcessIdentity]) throws(StepFailure) {
    guard let left = started.first(where: \.isAlive) else { return }
    let command = ProcessIdentity.command(of: left.pid) ?? "a program without a name"
    troupe.endGuests()
    throw .broken(
      PlainText.escaped(
        "the broker has ended, and left process \(left.pid) behind, which it had started: "
          + command))
  }

  /// The broker has ended, or is about to; whatever it told is taken in.
  func loseBroker() {
    guard let lost = broker else { return }
    takeStory()
    _ = try? lost.control.waitForEnd(until: deadline)
    takeStory()
    broker = nil
    for player in allPlayers where player.isAlive {
      player.catchUp()
      player.isAstray = true
    }
  }

  /// What to do when the broker is gone without having been told to go.
  func brokerFailure(_ error: ControlError) -> StepFailure {
    guard let broker else { return .broken("\(error)") }
    switch error {
    case .lost, .noBroker:
      guard let end = broker.process.waitForEnd(until: deadline) else {
        return .broken("the broker goes on, but will not be spoken to")
      }
      settleDoom(end, by: nil)
      loseBroker()
      return .broken("the broker has \(end.told)\(lastWords(in: brokerLog))")
    case .timedOut:
      return .broken("the broker does not come to rest\(restless)")
    case .refused, .garbled, .system:
      return .broken("the broker cannot be asked: \(error)")
    }
  }

  /// Who is still waited for, as far as one can tell.
  var restless: String {
    hearStory()
    let frozen = allPlayers.filter { $0.isFrozen && $0.isAlive }.map {
      "\($0.name) is frozen; let it go on with: thaw \($0.name)"
    }
    let unanswered = Timeline(TraceStory(story)).unansweredWords + frozen
    return unanswered.isEmpty ? "" : ":" + unanswered.map { "\n  " + $0 }.joined()
  }

  /// The end of a file that something wrote its complaints to.
  func lastWords(in path: String) -> String {
    guard let bytes = try? File.read(path, limit: 1 << 26) else { return "" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.suffix(5).map { "\n  " + $0 }.joined()
  }
}
