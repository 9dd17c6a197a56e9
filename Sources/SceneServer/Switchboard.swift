import JSON
package import SceneBroker
import SceneJournal
package import SceneModel
package import ScenePlatform
import SceneWire

/// Where the rules meet the world, without the sockets: bytes of connections go in, a round at a
/// time, and what the rules want done is done in a fixed order.
///
/// In a round the caller hands in everything that is ready (`receive`, `hangUp`, `fireTimers`,
/// `learn`), then calls `endRound` once, then sends what `flush` offers. Clock, disk and transport
/// are the caller's: the loop of `Server` uses real ones, a test steps its own.
package final class Switchboard {
  // Nothing that runs while one of these is changed can come back to this object.
  @exclusivity(unchecked)
  package internal(set) var broker: Broker
  package let limits: Limits
  let processes: any ProcessWatch
  let keeper: any RecordKeeper
  let log: Log
  /// What a test makes go wrong; nil in a broker that is not there to be tested.
  let faults: Faults?
  let manifestSource: ManifestSource?
  /// Nil in a broker that keeps no files for sessions.
  let directories: (any DataDirectoryKeeper)?
  /// The directories of sessions that are gone, until the disk knows: in the order of the records.
  var abandoned: [(session: SessionIdentifier, after: UInt64)] = []
  /// Nil in one that starts no programs.
  let launcher: (any ProgramLauncher)?
  /// What the tokens of this broker's launches begin with.
  private(set) lazy var launchWord = identifiers.nextWord()
  /// A death that waits until everything up to a record is on the disk.
  var awaitedDeath: (death: Faults.Death, after: UInt64)?

  /// What was asked and not put to the rules yet, at most one request of each connection.
  @exclusivity(unchecked)
  var heard: [HeardRequest?] = []
  /// What the rules want done, as it gathers.
  @exclusivity(unchecked)
  var effects = Effects()
  /// What is being done.
  @exclusivity(unchecked)
  var carried = Effects()
  @exclusivity(unchecked)
  var connections = ConnectionTable()
  @exclusivity(unchecked)
  var identifiers: IdentifierSource
  /// Those of the machine's clock, and of the application's.
  @exclusivity(unchecked)
  var timers = TimerQueue<EdgeTimer>()
  @exclusivity(unchecked)
  var applicationTimers = TimerQueue<BrokerTimer>()
  @exclusivity(unchecked)
  var postponed = PostponedTimers<EdgeTimer>()
  let document = JSONDocument()
  let records = ReusedRecords()
  @exclusivity(unchecked)
  var spares = SparePens()
  /// The most that was kept since memory was returned to the system.
  var mostKept = 0
  var willReturnMemory = false
  let returnMemory: () -> Void
  /// Bytes that wait in all connections together.
  var waitingByteCount = 0
  /// Busy connections whose input waits, in the order in which it began to wait.
  var turns: [Connection] = []
  @exclusivity(unchecked)
  var outgoing: [Connection] = []
  /// Those that are being offered what may leave; none in between.
  var leaving: [Connection] = []
  /// Connections with something that waits for the disk, in the order in which it began to wait.
  var heldBack: [Connection] = []
  /// Those that are being released from that; none in between.
  var released: [Connection] = []
  /// Connections that say no more and are owed no reply, to be left when the round ends.
  var finishing: [Connection] = []
  /// How many records were handed to the keeper; the rules may be further already.
  var kept: UInt64 = 0
  var durable: UInt64 = 0
  var storage: RecordRoom = .ok
  /// What the log was told last.
  var toldRoom: RecordRoom = .ok
  /// For so many ends of holds room is set aside.
  var setAside = 0
  /// What does not fit, as it was last known.
  var missingRoom: MissingRoom?
  /// Whether somebody was refused for want of room in this round.
  var wantsRoom = false
  var hasToldOfCompaction = false
  /// Whether the log was told that somebody waits for an application delegate.
  var hasToldOfMissingDelegate = false
  var droppedFullest = SeldomNote()
  var clock: ApplicationClock
  /// By the monotonic clock.
  private(set) var machineTime: Int64
  /// Whether anything has come in since the round began.
  var hasHeard = false
  /// Whether somebody came in this round, or may still wait to come in: nothing was heard of them.
  package var hasNewcomers = false
  /// Clients that owe an answer and do nothing, while a virtual clock waits for them.
  var resting: [Awaited: Rest] = [:]
  /// Counts rounds, for timers that wait for a later one.
  private(set) var round: UInt64 = 0

  /// Whether the rules have nothing left to do.
  package internal(set) var isStopping = false

  /// Whether the process may end: all is done, and what was said is taken, or was waited for long
  /// enough.
  package var isDone: Bool { isStopping && connections.isEmpty }

  package init(
    broker: consuming Broker, keeper: any RecordKeeper, processes: any ProcessWatch,
    identifiers: IdentifierSource = IdentifierSource(), log: Log, clock: ClockKind = .real,
    faults: Faults? = nil, manifest: ManifestSource? = nil,
    directories: (any DataDirectoryKeeper)? = nil, launcher: (any ProgramLauncher)? = nil,
    returningMemory returnMemory: @escaping () -> Void = ProcessMemory.returnUnused,
    at now: Instant
  ) {
    self.returnMemory = returnMemory
    limits = broker.limits
    self.broker = broker
    self.keeper = keeper
    self.processes = processes
    self.identifiers = identifiers
    self.log = log
    self.faults = faults
    manifestSource = manifest
    self.directories = directories
    self.launcher = launcher
    self.clock = ApplicationClock(clock, at: now)
    machineTime = now.monotonic
  }

  /// Begins with what was before: sessions of holders that still run are kept for them.
  package func start() {
    let living = broker.formerHolders.filter { processes.state(of: $0) == .running }
    handle(.started(living: living, fresh: identifiers.next()))
    // Programs of an earlier broker have the same time to connect again.
    if launcher != nil { effects.timers.append(.set(.grace, Broker.grace)) }
    learnStorage(keeper.news)
  }

  /// The application is to end in order.
  package func terminate() { handle(.terminate) }

  /// A round that has not seen all that is ready does not count as a later one for timers.
  package func beginRound(at now: Instant, seesAll: Bool = true) {
    machineTime = now.monotonic
    clock.follow(now)
    hasHeard = !seesAll
    hasNewcomers = false
    if seesAll { round += 1 }
  }

  /// The application's time.
  var now: Instant { clock.now }

  func handle(_ event: BrokerEvent) {
    askRules()
    broker.handle(event, at: now, into: &effects)
  }

  // MARK: - Connections

  package var connectionCount: Int { connections.count }

  package func accept(
    process: ClientProcess, descriptor: consuming FileDescriptor? = nil
  ) -> Connection {
    hasHeard = true
    hasNewcomers = true
    let connection = Connection(
      connections.nextIdentifier(), process: process, descriptor: descriptor,
      frameLimit: limits.frameBytes)
    connections.add(connection)
    handle(.opened(connection.identifier, process))
    set(.greeting(connection.identifier), after: .seconds(Int64(limits.handshakeSeconds)))
    return connection
  }

  package func connection(_ number: UInt64) -> Connection? {
    connections[ConnectionIdentifier(number)]
  }
}
