package import SceneModel

/// The figures of a report that memory is short.
package struct PressureFigures: Equatable, Sendable {
  /// A figure of the kernel, such as "some avg10=12.40".
  package var average: String?
  /// The memory of the process that the next step concerns.
  package var residentBytes: Int64?

  package init(average: String? = nil, residentBytes: Int64? = nil) {
    self.average = average
    self.residentBytes = residentBytes
  }

  /// The detail of the trace.
  fileprivate func detail(_ more: String) -> String {
    let size = residentBytes.map { "\($0 >> 20) MiB resident" }
    return "memory pressure: " + [average, more, size].compactMap(\.self).joined(separator: "; ")
  }
}

/// A step against a shortage of memory.
package struct PressureStep: Equatable, Sendable {
  enum Action: Equatable {
    /// Every client gets the memory warning.
    case warn
    /// Programs without a scene: the first one ends.
    case terminate([LaunchIdentifier])
    /// Scenes in the background: the first one is reclaimed.
    case reclaim([SessionIdentifier])
  }

  let action: Action
  /// The process that the step concerns. The event loop measures its memory.
  package var process: ClientProcess?
}

/// The reports of a shortage of memory. At most one step in `interval` follows from them.
struct MemoryPressure {
  static let interval = Interval.seconds(2)
  /// Without a step for this time, the steps begin again.
  static let quietTime = Interval.seconds(30)

  /// The words of the status about the watch; nil without one.
  var watch: String?
  /// Whether the time between two steps runs.
  private var isPaused = false
  /// Whether the source has reported during the pause.
  private var hasReport = false
  /// The monotonic time of the last step.
  var lastStep: Int64?

  /// Whether a step at this time is the first one.
  func begins(at time: Int64) -> Bool {
    lastStep.map { time - $0 >= Self.quietTime.nanoseconds } ?? true
  }

  /// The source has reported. Returns whether a step follows now; else it follows after the pause.
  mutating func report() -> Bool {
    hasReport = isPaused
    defer { isPaused = true }
    return !isPaused
  }

  /// Returns whether the source has reported during the pause.
  mutating func endPause() -> Bool {
    defer { (isPaused, hasReport) = (false, false) }
    return hasReport
  }
}

extension Broker {
  /// Lets the event loop watch what the manifest asks for.
  mutating func watchPressure() {
    let isOn = manifest.policies.reclaim.pressure
    guard isOn || launches.pressure.watch != nil else { return }
    effects.commands.append(.watchPressure(isOn))
  }

  mutating func pressureWatched(_ words: String?) { launches.pressure.watch = words }

  mutating func pressureReported() {
    guard manifest.policies.reclaim.pressure, launches.pressure.report() else { return }
    effects.timers.append(.set(.pressurePause, MemoryPressure.interval))
    effects.commands.append(.takePressureStep(isRequested: false))
  }

  mutating func endPressurePause() {
    if launches.pressure.endPause() { pressureReported() }
  }

  /// `application/memoryWarning` with `pressure`: the event loop measures, then the step follows.
  mutating func requestPressureStep(_ requester: Requester) {
    guard !isUpgrading else { return refuse(requester, .upgrading) }
    conditionWaiters.wait(for: .pressureStep, requester)
    effects.commands.append(.takePressureStep(isRequested: true))
  }

  /// The step that a report causes now; nil if none is left.
  package var nextPressureStep: PressureStep? {
    guard !isShuttingDown, !isUpgrading else { return nil }
    guard !launches.pressure.begins(at: now.monotonic) else { return PressureStep(action: .warn) }
    let programs = idlePrograms
    if let first = programs.first {
      return PressureStep(
        action: .terminate(programs), process: launches.process(first)?.process)
    }
    let sessions = withoutAssertion(atRestInBackground)
    guard let first = sessions.first else { return nil }
    return PressureStep(
      action: .reclaim(sessions),
      process: scenes[first].flatMap { clients[$0.holder]?.process })
  }

  /// The launched programs without a scene, the longest idle first. A program that has another
  /// connection with a scene is not idle.
  private var idlePrograms: [LaunchIdentifier] {
    var idle: [(since: Int64, launch: LaunchIdentifier)] = []
    for (launch, process) in launches.processesThatRun {
      guard let connection = process.connection, let client = clients[connection],
        !client.isClosing, !client.isEnding
      else { continue }
      // After an upgrade, the process has to connect its scenes again.
      guard !clients.reservations.values.contains(client.process) else { continue }
      let own = clients.connections(of: [client.process])
      let isIdle = own.allSatisfy {
        clients[$0]?.held.isEmpty == true && $0 != delegate.connection
          && !pendingSessions.isConnecting($0) && deferred.count(of: $0) == 0
      }
      guard isIdle else { continue }
      idle.append((client.idleSince, launch))
    }
    return idle.sorted { ($0.since, $0.launch.number) < ($1.since, $1.launch.number) }
      .map(\.launch)
  }

  /// Takes a step that the event loop has measured.
  mutating func take(
    _ step: PressureStep?, _ figures: PressureFigures, isRequested: Bool
  ) {
    let requester = isRequested ? conditionWaiters.completeFirst(.pressureStep) : nil
    if step != nil { launches.pressure.lastStep = now.monotonic }
    switch step?.action {
    case .warn:
      let count = clients.initialized.count
      trace(.warned, by: requester) {
        $0.detail = PressureFigures(average: figures.average).detail(
          count == 1 ? "1 client" : "\(count) clients")
      }
      notifyAll(.memoryWarning)
    case .terminate(let programs): terminate(programs, figures, by: requester)
    case .reclaim(let sessions):
      let chosen = Array(sessions.prefix(1))
      trace(.reclaimed, chosen.first, by: requester) {
        $0.detail = figures.detail(candidates: sessions.count)
      }
      return reclaim(chosen, for: requester ?? .disconnected, .empty)
    case nil: break
    }
    if let requester { reply(requester, .empty, about: nil) }
  }

  /// Ends the first of these programs. Its client gets no scene any more. The program has no
  /// scene, so its end is no crash, and no session starts the program again.
  private mutating func terminate(
    _ programs: [LaunchIdentifier], _ figures: PressureFigures, by requester: Requester?
  ) {
    guard let launch = programs.first, let process = launches.process(launch) else { return }
    trace(.terminated, store.isListed(process.session) ? process.session : nil, by: requester) {
      ($0.client, $0.detail) = (process.reference, figures.detail(candidates: programs.count))
    }
    if let own = process.connection.flatMap({ clients[$0]?.process }) {
      for connection in clients.connections(of: [own]) { clients[connection]?.isEnding = true }
    }
    effects.commands.append(.terminate(launch))
  }
}

extension PressureFigures {
  fileprivate func detail(candidates count: Int) -> String {
    detail(count == 1 ? "1 candidate" : "\(count) candidates")
  }
}
