import JSON
package import SceneBroker
import SceneJournal
package import SceneModel
package import ScenePlatform
import SceneWire

/// The event loop of the broker, without sockets: takes in what is ready, and carries out the effects
/// of the broker in a fixed order.
///
/// In an iteration the caller hands in everything that is ready (`receive`, `close`, `fireTimers`,
/// `journalDidProgress`), then calls `endIteration` once, then sends what `flush` offers. Clock, disk and transport
/// belong to the caller: `Server` uses real ones, and a test controls its own.
package final class EventLoop {
  // The attribute marks the values that each request changes. They have no reference to this
  // object, and no method that changes them takes a closure. So no such call comes back. In the
  // other parts an overlapping access traps.
  @exclusivity(unchecked)
  package internal(set) var broker: Broker
  package let limits: Limits
  let log: Log
  let processes: any ProcessInspector
  let manifestSource: ManifestSource?
  /// Nil for a broker without data directories.
  let directories: (any DataDirectoryKeeper)?
  /// Nil for a broker that launches no programs.
  let launcher: (any ProgramLauncher)?
  /// The prefix of all launch tokens of this broker.
  private(set) lazy var launchTokenPrefix = identifiers.nextWord()
  var identifiers: IdentifierGenerator
  /// Effects of the broker that were not carried out yet.
  @exclusivity(unchecked)
  var effects = Effects()
  /// Effects that are being carried out.
  var committing = Effects()
  @exclusivity(unchecked)
  var connections = ConnectionTable()

  var input = InputScheduler()
  @exclusivity(unchecked)
  var requests = RequestPipeline()
  var timers: TimerService
  var idleDetector = IdleDetector()
  @exclusivity(unchecked)
  var output = OutputScheduler()
  var journal: JournalBridge
  var removals = DirectoryRemovals()
  var memory: MemoryMonitor
  var faults: FaultInjector

  /// Whether the log has a warning about the application delegate that requests wait for.
  var hasWarnedOfMissingDelegate = false
  /// Whether the broker has nothing left to do.
  package internal(set) var isStopping = false

  /// Whether the process may end: every connection is closed.
  package var isDone: Bool { isStopping && connections.isEmpty }

  package init(
    broker: consuming Broker, journal sink: any JournalSink, processes: any ProcessInspector,
    identifiers: IdentifierGenerator = IdentifierGenerator(), log: Log, clock: ClockKind = .real,
    faults: Faults? = nil, manifest: ManifestSource? = nil,
    directories: (any DataDirectoryKeeper)? = nil, launcher: (any ProgramLauncher)? = nil,
    returningMemory returnMemory: @escaping () -> Void = ProcessMemory.returnUnused,
    at now: Instant
  ) {
    memory = MemoryMonitor(returnMemory)
    limits = broker.limits
    self.broker = broker
    journal = JournalBridge(sink)
    self.processes = processes
    self.identifiers = identifiers
    self.log = log
    self.faults = FaultInjector(faults)
    manifestSource = manifest
    self.directories = directories
    self.launcher = launcher
    timers = TimerService(clock, at: now)
  }

  /// Starts the broker. Sessions whose holders still run are reserved for them.
  package func start() {
    let living = broker.previousHolders.filter { processes.state(of: $0) == .running }
    handle(.started(living: living))
    // Programs of an earlier broker have the same time to connect again.
    if launcher != nil { effects.timers.append(.set(.reservations, Broker.reservationTime)) }
    noteStorage()
  }

  /// Shuts the application down in order.
  package func terminate() { handle(.terminate) }

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
    processRequests()
    broker.handle(event, at: now, into: &effects)
  }

  // MARK: - Connections

  package var connectionCount: Int { connections.count }

  package func accept(
    process: ClientProcess, descriptor: consuming FileDescriptor? = nil
  ) -> Connection {
    input.noteInput()
    input.hasNewClients = true
    let connection = Connection(
      connections.nextIdentifier(), process: process, descriptor: descriptor,
      frameLimit: limits.frameBytes)
    connections.add(connection)
    handle(.opened(connection.identifier, process))
    timers.set(.handshake(connection.identifier), after: .seconds(Int64(limits.handshakeSeconds)))
    return connection
  }

  package func connection(_ number: UInt64) -> Connection? {
    connections[ConnectionIdentifier(number)]
  }
}
