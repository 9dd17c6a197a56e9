package import SceneBroker
package import SceneCommandLine
import SceneJSON
package import SceneModel
import ScenePlatform

/// The event loop of the broker, without sockets: takes in what is ready, and carries out the
/// effects of the broker in a fixed order.
///
/// In an iteration the caller hands in everything that is ready (`receive`, `close`, `fireTimers`,
/// `journalDidProgress`), then calls `performEffects`, then sends what `flush` offers. It does so
/// once more before the turns of busy connections. Clock, disk and transport belong to the caller:
/// `Server` uses real ones, and a test controls its own.
package final class EventLoop {
  // Each iteration changes the unchecked values many times. They do not refer to this object, and
  // neither do the closures and objects that they call, such as the journal's sink. So no call
  // comes back to a value that is being changed. In the other parts an overlapping access traps.
  @exclusivity(unchecked)
  package internal(set) var broker: Broker
  package let limits: Limits
  let log: Log
  /// Effects of the broker that were not carried out yet.
  @exclusivity(unchecked)
  var effects = Effects()
  /// Empty effects with the memory of earlier ones, or those that are being carried out.
  @exclusivity(unchecked)
  var spareEffects = Effects()
  @exclusivity(unchecked)
  var connections = ConnectionTable()
  @exclusivity(unchecked)
  var input = InputScheduler()
  /// Memory that each message uses again. The values of an envelope are views of it.
  let document = JSONDocument()
  @exclusivity(unchecked)
  var output = OutputScheduler()
  @exclusivity(unchecked)
  var events = EventFrames()
  @exclusivity(unchecked)
  var timers: TimerService
  @exclusivity(unchecked)
  var journal: JournalBridge
  var processes: ProcessService
  @exclusivity(unchecked)
  var directories: SessionDirectories
  @exclusivity(unchecked)
  var faults: FaultInjector
  @exclusivity(unchecked)
  var memory: MemoryMonitor
  @exclusivity(unchecked)
  var delegateWarning = MissingDelegateWarning()
  private let manifest: ManifestReloader
  /// Begins the check of the program that replaces this one. Returns why there is none; nil for a
  /// loop without a program.
  var beginUpgradeCheck: (() -> BrokerError?)?
  /// Whether a request that waits for the check is more than a check.
  var wantsUpgrade = false
  /// Begins or ends the watch of memory pressure, and returns the words of the status. Nil for a
  /// loop without a watch.
  var watchPressure: ((Bool) -> String?)?
  /// Returns the kernel's figure of memory pressure. Nil for a loop without a watch.
  var pressureAverage: (() -> String?)?
  /// Whether the caller is to replace this program.
  private(set) var isUpgrading = false
  /// Ends the receiving direction of a socket, and hands in what its client has sent.
  package var endReceiving: (Connection) -> Void = { _ in }

  package init(
    broker: consuming Broker, journal sink: any JournalSink, processes: any ProcessInspector,
    identifiers: IdentifierGenerator = IdentifierGenerator(), log: Log, clock: ClockKind = .real,
    faults: Faults? = nil, manifest: ManifestSource? = nil,
    directories: (any DataDirectoryKeeper)? = nil, launcher: (any ProgramLauncher)? = nil,
    returningMemory returnMemory: @escaping () -> Void = ProcessMemory.returnUnused,
    at now: Instant
  ) {
    limits = broker.limits
    self.broker = broker
    self.broker.logsFrequentEvents = log.showsFrequentEvents
    self.log = log
    timers = TimerService(clock, at: now)
    journal = JournalBridge(sink)
    self.processes = ProcessService(processes, launcher: launcher, identifiers: identifiers)
    self.directories = SessionDirectories(directories)
    self.faults = FaultInjector(faults)
    memory = MemoryMonitor(returnMemory)
    self.manifest = ManifestReloader(manifest, log: log)
  }

  /// Starts the broker. Sessions whose holders still run are reserved for them. `booted` is the
  /// start of the machine in milliseconds since 1970, if it is known.
  package func start(booted: Int64? = nil) {
    let living = broker.previousHolders.filter { processes.isRunning($0) }
    let found = directories.takeFound()
    handle(.started(living: living, booted: booted, directories: found))
    // Programs of an earlier broker have the same time to connect again.
    if processes.launcher != nil {
      effects.timers.append(.set(.reservations, .reservation))
    }
    noteStorage()
    noteConfigurations()
    // After an upgrade the line would repeat that of the earlier program.
    if broker.environment.previous == nil, let line = broker.closedSessions() { log.note(line) }
  }

  /// Shuts the application down in order.
  package func terminate() { handle(.terminate) }

  /// Whether the broker has nothing left to do.
  package var isStopping: Bool { connections.isStopping }

  /// Whether the process may end: every connection is closed.
  package var isDone: Bool { connections.isDone }

  /// Whether no client has a callback without a reply.
  var isAtRest: Bool { effects.isEmpty && broker.isAtRest() }

  /// The value that distinguishes this start of the broker.
  var instance: String { broker.identity.instance }

  var manifestInUse: OpaqueObject { broker.manifestObject }

  /// The program that replaces this one has checked the state.
  func upgradeChecked(_ problem: BrokerError?) {
    isUpgrading = problem == nil && wantsUpgrade && !broker.isShuttingDown
    wantsUpgrade = false
    handle(.upgradeChecked(problem))
  }

  /// Performs or refuses each request that a client has sent. A client cannot send more.
  /// `upgrading` refuses also the requests that wait for a client.
  package func endInput(upgrading: Bool = false) {
    broker.isUpgrading = upgrading
    defer { if upgrading { handle(.inputEnded) } }
    for identifier in connections.identifiers {
      guard let connection = connections[identifier], connection.stage.acceptsInput else {
        continue
      }
      processRest(of: connection)
      endReceiving(connection)
    }
  }

  /// Whether a client has not taken all output, or the disk not all records.
  var hasUnsentOutput: Bool {
    journal.durable < journal.submitted || connections.contains { !$0.outbox.isEmpty }
  }

  package func readManifest() {
    let reading = manifest.reload()
    handle(.manifestRead(reading))
    if case .manifest = reading { noteConfigurations() }
  }

  private func noteConfigurations() {
    for line in broker.missingConfigurations() { log.warn(line) }
  }

  /// Begins an iteration. `seesAll` states that the caller hands in everything that is ready.
  package func beginIteration(at now: Instant, seesAll: Bool = true) {
    timers.beginIteration(at: now)
    input.beginIteration(seesAll: seesAll)
  }

  /// The application's time.
  var now: Instant { timers.now }

  /// Counts the iterations that have seen all that was ready.
  var iteration: UInt64 { input.iteration }

  /// The machine's monotonic time at the start of the iteration, in nanoseconds.
  var machineTime: Int64 { timers.machineTime }

  func handle(_ event: BrokerEvent) {
    broker.handle(event, at: now, into: &effects)
  }
}

/// The invariants of the loop's parts and of the connections. The broker checks its own.
extension EventLoop {
  /// Each of these invariants that does not hold between two iterations, as a sentence.
  func checkInvariants() -> [String] {
    var flaws = journal.flaws + timers.flaws + connections.flaws
    if journal.submitted > broker.recordCount {
      flaws.append("the journal has more records than the broker")
    }
    let open = connections.identifiers.compactMap { connections[$0] }
    flaws += input.flaws(of: open) + output.flaws(of: open)
    for connection in open {
      flaws += connection.outbox.flaws.map { "the outbox of \(connection.identifier.number) \($0)" }
    }
    return flaws.sorted()
  }
}
