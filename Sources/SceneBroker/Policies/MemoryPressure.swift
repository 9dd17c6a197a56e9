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

/// A change of the watch of memory pressure.
package enum PressureWatch: Equatable, Sendable {
  case on, off
  /// The event loop ignores the source and keeps it open. An event meanwhile counts later.
  case paused
}

/// The steps against a shortage of memory. The event loop brings the events, at most one in
/// `interval`.
struct MemoryPressure {
  static let interval = Interval.seconds(2)
  /// Without an event for this time, the steps begin again.
  static let quietTime = Interval.seconds(30)

  /// The words of the status about the watch; nil without one.
  var watch: String?
  /// Whether the time between two steps runs.
  var isPaused = false
  /// The monotonic time of the last event.
  private(set) var lastEvent: Int64?

  enum Step {
    /// Every client gets the memory warning.
    case warn
    /// Programs without a scene: the first one ends.
    case terminate([LaunchIdentifier])
    /// Scenes in the background: the first one is reclaimed.
    case reclaim([SessionIdentifier])
  }

  /// Whether an event at this time begins the steps.
  func begins(at time: Int64) -> Bool {
    lastEvent.map { time - $0 >= Self.quietTime.nanoseconds } ?? true
  }

  mutating func noteEvent(at time: Int64) { lastEvent = time }
}

extension Broker {
  /// Lets the event loop watch what the manifest asks for.
  mutating func watchPressure() {
    let isOn = manifest.policies.reclaim.pressure
    guard isOn || launches.pressure.watch != nil else { return }
    // The end of the pause begins the watch again.
    if isOn, launches.pressure.isPaused { return }
    launches.pressure.isPaused = false
    effects.timers.append(.cancel(.pressure))
    effects.commands.append(.watchPressure(isOn ? .on : .off))
  }

  mutating func endPressurePause() {
    launches.pressure.isPaused = false
    effects.commands.append(.watchPressure(.on))
  }

  mutating func pressureWatched(_ words: String?) { launches.pressure.watch = words }

  /// `application/memoryWarning` with `pressure`: the event loop measures, then the step follows.
  mutating func requestPressureStep(_ requester: Requester) {
    conditionWaiters.wait(for: .pressure, requester)
    effects.commands.append(.takePressureStep)
  }

  /// The process of the next step, which the event loop measures.
  package var processUnderPressure: ClientProcess? {
    switch nextPressureStep {
    case .warn, nil: nil
    case .terminate(let programs): programs.first.flatMap { launches.process($0)?.process }
    case .reclaim(let sessions):
      sessions.first.flatMap { scenes[$0] }.flatMap { clients[$0.holder]?.process }
    }
  }

  private var nextPressureStep: MemoryPressure.Step? {
    guard !launches.pressure.begins(at: now.monotonic) else { return .warn }
    let programs = idlePrograms
    guard programs.isEmpty else { return .terminate(programs) }
    let sessions = withoutAssertion(atRestInBackground)
    return sessions.isEmpty ? nil : .reclaim(sessions)
  }

  /// The launched programs without a scene, the longest idle first. A program that has another
  /// connection with a scene is not idle.
  private var idlePrograms: [LaunchIdentifier] {
    var idle: [(since: Int64, launch: LaunchIdentifier)] = []
    for (launch, process) in launches.processesThatRun {
      guard let connection = process.connection, let client = clients[connection],
        !client.isClosing, !client.isEnding
      else { continue }
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

  /// Memory is short: the broker takes one step.
  mutating func pressureReported(_ figures: PressureFigures, isRequested: Bool) {
    let requester = isRequested ? conditionWaiters.completeFirst(.pressure) : nil
    if !isRequested {
      launches.pressure.isPaused = true
      effects.timers.append(.set(.pressure, MemoryPressure.interval))
      effects.commands.append(.watchPressure(.paused))
    }
    let step = isShuttingDown ? nil : nextPressureStep
    launches.pressure.noteEvent(at: now.monotonic)
    switch step {
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
