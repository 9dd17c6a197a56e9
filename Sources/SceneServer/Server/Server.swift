import SceneBroker
package import SceneCommandLine
import SceneJournal
package import SceneModel
package import ScenePlatform

/// The broker's process: the thread of the event loop, with real sockets, a real clock and a real
/// disk.
///
/// Each iteration first reads closed connections to their end. Then it reads everything else that
/// is ready, each connection up to a limit, and fires timers. It sends output last, and before the
/// turns of busy connections.
package final class Server {
  // The locks come first, so that they are released first: a client that sees its connection end
  // may start the next broker.
  var listeningSocket: ListeningSocket
  let stateLock: StateLock?
  let configuration: ServerConfiguration
  let log: Log
  let eventLoop: EventLoop
  let journal: JournalQueue
  let directories: DataDirectories
  let poller: Poller
  let signals: SignalSource
  let journalWakeup: Wakeup
  let processes = RealProcesses()
  let programs: ChildProcesses
  let user = User.current
  /// The path that the broker was started from; nil if the system cannot name a program that was
  /// removed since.
  let program: String?
  let input = InputBuffer()
  // Each iteration uses the values with the attribute. No call that changes one of them comes back
  // to this object.
  /// Bytes that were read in this iteration from connections that are not busy.
  @exclusivity(unchecked)
  var readByteCount = 0
  @exclusivity(unchecked)
  var isEnding = false
  @exclusivity(unchecked)
  var acceptPause: AcceptPause?
  /// The program that checks whether it can replace this one.
  @exclusivity(unchecked)
  var upgradeCheck: UpgradeCheck?
  @exclusivity(unchecked)
  private var missedTime = MissedTime(at: 0)
  var rejectionLog = RateLimitedLog()
  var admissionLog = RateLimitedLog()
  var acceptLog = RateLimitedLog()
  var lifetime: FileDescriptor?
  let socketWatch: RemovalWatch
  /// Reports that memory is short; nil if the manifest does not ask, or without a source.
  var pressureSource: PressureSource?
  /// Reports removed files beside the source.
  var pressureWatch: DirectoryWatch?
  /// Why the broker does not watch memory pressure; nil if it does, or without such a policy.
  var pressureProblem: String?
  /// The last reason why the broker cannot listen again; nil if it listens.
  var bindFailure: String?

  /// The descriptors of the broker itself: standard streams, locks, the listener, the journal's
  /// files and the poller with its sources.
  package static let ownDescriptors = 16
  /// The most descriptors of clients and programs.
  let mostDescriptors: Int

  /// Tokens of the sources that are no connections. Tokens of connections are small.
  enum Source {
    static let listener = UInt64.max
    static let signals = UInt64.max - 1
    static let journal = UInt64.max - 2
    static let lifetime = UInt64.max - 3
    static let socketPlace = UInt64.max - 4
    static let pressureSource = UInt64.max - 5
    static let pressurePlace = UInt64.max - 6
  }

  /// Takes the locks, listens, and reads the journal. Before it has both locks, it changes no file
  /// that may belong to another broker.
  package init(
    _ configuration: ServerConfiguration, inherited: consuming FileDescriptor?, log: Log
  ) throws(ProgramError) {
    var configuration = configuration
    ProcessMemory.keepFreed()
    mostDescriptors = max(1, CurrentProcess.raiseDescriptorLimit() - Self.ownDescriptors)
    if configuration.limits.connections == 0 {
      configuration.limits.connections = max(1, mostDescriptors / 4 * 3)
    }
    self.log = log
    let upgrade = configuration.upgrade?.state
    program =
      upgrade?.path
      ?? (File.exists("/proc/self/fd") ? try? Executable.started() : nil)
    if let upgrade {
      do throws(SystemError) {
        stateLock = try upgrade.adoptStateLock(configuration.stateDirectory)
        listeningSocket = try upgrade.adoptSocket(configuration)
        if listeningSocket.lockNumber == nil,
          let path = UnixSocket.path(of: listeningSocket.listener)
        {
          configuration.socketPath = path
        }
      } catch {
        throw ProgramError(ofServer: error)
      }
    } else if let inherited {
      if let path = UnixSocket.path(of: inherited) { configuration.socketPath = path }
      stateLock = try StateLock.take(for: configuration)
      listeningSocket = ListeningSocket(inherited: inherited)
    } else {
      let socketLock = try SocketLock(
        besideSocket: configuration.socketPath, state: configuration.lockedState,
        making: configuration.makingForSocket)
      stateLock = try StateLock.take(for: configuration)
      listeningSocket = try ListeningSocket(socketLock)
    }
    self.configuration = configuration
    // The program before this one has confined the process.
    if configuration.isConfined, upgrade == nil {
      try configuration.confine(program: program, log: log)
    }
    do throws(SystemError) {
      signals = try SignalSource(
        configuration.command == nil
          ? [.terminate, .interrupt, .hangup, .child] : HostedCommand.signals)
      journalWakeup = try Wakeup()
      poller = try Poller(capacity: Self.eventsPerIteration)
      socketWatch = RemovalWatch(poller, token: Source.socketPlace)
    } catch {
      throw ProgramError(ofServer: error)
    }
    let opened = try OpenedJournal(
      configuration, stateLock, socketLock: listeningSocket.lockedFile, waking: journalWakeup,
      log: log)
    journal = opened.queue
    let state = opened.state
    directories = DataDirectories(
      inState: stateLock == nil ? nil : configuration.stateDirectory,
      orTemporaryIn: configuration.isConfined ? configuration.socketDirectory : nil, log: log)
    directories.clear(of: opened.discarded) { state.contains($0) || state.trash[$0] != nil }
    let now = upgrade?.clock ?? Instant.now
    var identifiers = IdentifierGenerator()
    var broker = Broker(
      identity: BrokerIdentity(configuration, instance: identifiers.nextWord()),
      application: configuration.application.description, manifest: configuration.manifest,
      limits: configuration.limits, environment: RuntimeInfo(configuration),
      identifiers: IdentifierGenerator(), recovered: state, at: now)
    let carried = upgrade?.broker
    if let carried { broker.restore(carried) }
    programs = ChildProcesses(
      poller: poller, log: log, processes: processes, socket: configuration.socketPath,
      directory: configuration.manifestSource?.directory)
    for launch in carried?.launches ?? [] { programs.restore(launch) }
    eventLoop = EventLoop(
      broker: broker, journal: journal, processes: processes, identifiers: identifiers, log: log,
      clock: configuration.clock, faults: configuration.faults,
      manifest: configuration.manifestSource, directories: directories,
      launcher: configuration.isConfined ? nil : programs, at: now)
    lifetime = configuration.lifetimeDescriptor.map { FileDescriptor(adopting: $0) }
    eventLoop.beginUpgradeCheck = { [unowned self] in beginUpgradeCheck() }
    eventLoop.endReceiving = { [unowned self] in endReceiving(from: $0) }
    eventLoop.watchPressure = { [unowned self] in watchPressure($0) }
    eventLoop.pressureAverage = { [unowned self] in pressureAverage }
    try watchSources()
    programs.reopenOutputs()
  }

  private func watchSources() throws(ProgramError) {
    try serverCall { () throws(SystemError) in
      try poller.add(listeningSocket.listener.number, token: Source.listener, interest: .readable)
      try poller.add(signals.number, token: Source.signals, interest: .readable)
      try poller.add(journalWakeup.number, token: Source.journal, interest: .readable)
      if let number = configuration.lifetimeDescriptor {
        try poller.add(number, token: Source.lifetime, interest: .readable)
      }
    }
    watchSocketPlace()
  }

  package var socketPath: String { configuration.socketPath }
  package var sessionCount: Int { eventLoop.broker.sessionCount }

  /// Serves until the broker ends. After an error, a hosted command ends as well.
  package func run(whenReady ready: () throws(ProgramError) -> Void) throws(ProgramError) {
    // Deliberately leaked: the kernel frees the sessions faster than deinit, and locks do not wait.
    _ = Unmanaged.passRetained(eventLoop)
    do throws(ProgramError) {
      try serve(whenReady: ready)
    } catch {
      // The program before this one needs the descriptor of the leash.
      if configuration.upgrade?.state != nil { _ = Unmanaged.passRetained(self) }
      endPrograms()
      if let command = configuration.command { end(command) }
      throw error
    }
  }

  private func serve(whenReady ready: () throws(ProgramError) -> Void) throws(ProgramError) {
    if configuration.command == nil {
      // A process that leaves its group and loses its parent becomes a child of the broker, which
      // learns of its end.
      ChildProcess.adoptOrphans()
      // SIGCHLD of inherited children may predate our signal mask; reap them now.
      reapInherited()
    }
    eventLoop.beginIteration(at: .now)
    missedTime = MissedTime(at: eventLoop.machineTime)
    eventLoop.start(booted: SystemClock.wallAtBoot() / 1_000_000)
    // A program can have ended before this one took over.
    reapChildren()
    let flaws = eventLoop.broker.checkInvariants(ofAllSessions: false)
    guard flaws.isEmpty else {
      throw ProgramError(
        .badData,
        "the journal in \(configuration.stateDirectory) contains contradictory state: "
          + flaws.joined(separator: "; "))
    }
    eventLoop.performEffects()
    do throws(ProgramError) {
      try ready()
    } catch {
      // The caller may remove the state directory, so the journal must not create files in it.
      journal.stop()
      throw error
    }
    listeningSocket.own()
    configuration.upgrade?.close()
    var events: ContiguousArray<PollEvent> = []
    while !eventLoop.isDone, !isEnding {
      let now = SystemClock.monotonic()
      let time = timeToWait(at: now)
      missedTime.endIteration(at: now, waiting: time)
      try serverCall { () throws(SystemError) in
        try poller.wait(nanoseconds: time, into: &events)
      }
      try iterate(events)
      if eventLoop.isUpgrading, !eventLoop.broker.isShuttingDown { try upgrade() }
    }
    try end()
  }

  /// Removes the socket, and ends the journal in order.
  private func end() throws(ProgramError) {
    // Programs that a killed broker launched are no children, and have lost their connections.
    eventLoop.endSurvivors()
    endPrograms()
    listeningSocket.removeSocket()
    directories.end()
    journal.requestStop()
    try pollEvents { !journal.status.hasEnded }
    // An immediate end does not wait for a disk that hangs.
    guard !isEnding else { return }
    if let failure = journal.status.failure {
      throw ProgramError(failure, configuration)
    }
    if let command = configuration.command { try waitForCommand(command) }
  }

  func timeToWait(at now: Int64) -> Int64? {
    var due = eventLoop.nextWakeUp
    if let acceptPause { due = min(due ?? .max, acceptPause.end) }
    if let timer = programs.nextTimer { due = min(due ?? .max, timer) }
    if let time = socketWatch.nextAttempt { due = min(due ?? .max, time) }
    if let upgradeCheck { due = min(due ?? .max, upgradeCheck.deadline) }
    return due.map { MissedTime.wait(before: max(0, $0 - now)) }
  }

  // MARK: - One iteration

  /// The most events of one iteration.
  private static let eventsPerIteration = 1024

  func iterate(_ events: ContiguousArray<PollEvent>) throws(ProgramError) {
    let now = Instant.now
    eventLoop.beginIteration(at: now, seesAll: poller.isComplete)
    readByteCount = 0
    let missed = missedTime.beginIteration(at: now.monotonic)
    if missed > 0 {
      eventLoop.extendTimers(by: missed)
      programs.extendTimers(by: missed)
    }
    for event in events where event.hungUp { readToEnd(event) }
    for event in events where !event.hungUp { try take(event) }
    if eventLoop.input.hasTurns { performAndSend() }
    eventLoop.takeTurns(ready: events.count) { takeTurn(of: $0) }
    programs.runTimers(at: eventLoop.machineTime)
    finishUpgradeCheck()
    eventLoop.fireTimers()
    performAndSend()
    resumeAccepting()
    if socketWatch.isDue { bindAgain() }
    if let failure = eventLoop.journalFailure {
      eventLoop.broadcastShutdown(
        "the broker cannot continue: \(failure.explanation(in: configuration.stateDirectory))")
      throw ProgramError(failure, configuration)
    }
  }

  /// Connections that are not busy get their output before the turns of busy ones.
  func performAndSend() {
    eventLoop.performEffects()
    eventLoop.flush(readRest: { readRest(of: $0) }) { connection, bytes in
      send(bytes, on: connection)
    }
  }

  private func take(_ event: PollEvent) throws(ProgramError) {
    if let connection = eventLoop.connection(event.token) {
      if event.readable { read(from: connection) }
      if event.writable { eventLoop.scheduleOutput(connection) }
      return
    }
    if programs.read(event.token, isClosed: false) { return }
    switch event.token {
    case Source.listener: try serverCall(accept)
    case Source.signals: try serverCall(takeSignals)
    case Source.journal:
      journalWakeup.drain()
      eventLoop.journalDidProgress()
    case Source.lifetime: readLifetime()
    case Source.socketPlace: socketWatch.check(isInPlace: listeningSocket.isInPlace)
    case Source.pressureSource: takePressure()
    case Source.pressurePlace: takePressureWatch()
    default: break
    }
  }
}

extension Instant {
  /// The current time of both clocks of this machine.
  package static var now: Instant {
    Instant(monotonic: SystemClock.monotonic(), wall: SystemClock.wall() / 1_000_000)
  }
}

extension BrokerIdentity {
  fileprivate init(_ configuration: ServerConfiguration, instance: UInt64) {
    self.init()
    version = configuration.version
    self.instance = String(instance, radix: 16)
    pid = Int64(ProcessIdentity.currentPID)
  }
}

extension RuntimeInfo {
  fileprivate init(_ configuration: ServerConfiguration) {
    self.init()
    durability = configuration.durability.rawValue
    clock = configuration.clock
    if let source = configuration.manifestSource { manifestSource = source.name }
    allowsFaults = configuration.faults != nil
    previous = configuration.upgrade?.state?.previous
    options = configuration.options
  }
}

/// Measures the time in which this process did not run: it was stopped, its container was paused,
/// or other processes had the processor.
///
/// No budget of a client counts that time. Between the starts of two iterations lie at most the
/// requested wait and the duration of the iteration. A process that starts an iteration later than
/// that has missed the whole wait, or at least the rest.
struct MissedTime {
  /// Nanoseconds that an iteration may take, and a wait may end late, before time counts as missed.
  static let tolerance: Int64 = 100_000_000
  /// A wait of this many nanoseconds is not cut short.
  private static let shortestCut: Int64 = 250_000_000

  /// When the last iteration began.
  private var begin: Int64
  /// When the last iteration ended.
  private var end: Int64
  /// The latest start of the next iteration; nil while no timer runs.
  private var latest: Int64?

  /// An iteration begins.
  init(at now: Int64) { (begin, end) = (now, now) }

  /// The wait for a timer that is due after this time. A stop within the wait stays unnoticed until
  /// its end. It costs at most an eighth of the remaining time.
  static func wait(before time: Int64) -> Int64 { min(time, max(shortestCut, time / 8)) }

  /// The wait that follows the iteration; nil for one without an end.
  mutating func endIteration(at now: Int64, waiting time: Int64?) {
    end = now
    latest = time.map { begin + $0 + Self.tolerance }
  }

  /// The nanoseconds that the process has missed since the last iteration began.
  mutating func beginIteration(at now: Int64) -> Int64 {
    begin = now
    guard let latest, now > latest else { return 0 }
    // The whole wait counts: a stop may have begun with it, and have stopped the clients too.
    return max(now - latest, now - end)
  }
}
