import SceneBroker
import SceneJournal
package import SceneModel
package import ScenePlatform

/// The daemon: one thread in one loop, around a switchboard with real sockets, a real clock and a
/// real disk.
///
/// Each round goes the same way: connections whose other end is gone are read to their end; then
/// everything else that is ready is taken in, each connection up to a cap; then timers; then the
/// round ends, and only then is anything sent.
package final class Server {
  // The locks come first, and so go first: whoever sees its connection end may start the next
  // daemon.
  let claim: Claim
  private let stateLock: StateLock?
  let configuration: ServerConfiguration
  let log: Log
  let switchboard: Switchboard
  private let journal: JournalThread
  private let directories: DataDirectories
  let poller: Poller
  let signals: SignalSource
  let journalNews: Wakeup
  let processes = RealProcesses()
  let programs: Programs
  let user = User.current
  let input = InputBuffer()
  @exclusivity(unchecked)
  var readAhead = ReadAhead()
  /// Bytes that were read in this round from connections that are not busy.
  var readByteCount = 0
  var isEnding = false
  var acceptPause: AcceptPause?
  private var missedTime = MissedTime(at: 0)
  var turnedAway = SeldomNote()
  var couldNotTake = SeldomNote()
  var couldNotAccept = SeldomNote()
  var leash: FileDescriptor?

  /// How many descriptors are kept for the broker itself: standard streams, locks, the listener, the
  /// journal's files and what the loop waits for.
  package static let ownDescriptors = 16

  /// The sources that are not connections; those have small numbers.
  enum Source {
    static let listener = UInt64.max
    static let signals = UInt64.max - 1
    static let journal = UInt64.max - 2
    static let leash = UInt64.max - 3
  }

  /// Takes the locks, listens, and reads the journal. Nothing that may be another's is touched before
  /// both locks are held.
  package init(
    _ configuration: ServerConfiguration, inherited: consuming FileDescriptor?, log: Log
  ) throws(ServerError) {
    var configuration = configuration
    ProcessMemory.keepFreed()
    let descriptors = CurrentProcess.raiseDescriptorLimit()
    if configuration.limits.connections == 0 {
      configuration.limits.connections = max(1, (descriptors - Self.ownDescriptors) / 4 * 3)
    }
    self.log = log
    if let inherited {
      if let path = UnixSocket.path(of: inherited) { configuration.socketPath = path }
      stateLock = try StateLock.take(for: configuration)
      claim = Claim(inherited: inherited)
    } else {
      let state = configuration.durability == .none ? "" : configuration.stateDirectory
      let socketLock = try SocketLock(
        besideSocket: configuration.socketPath,
        state: state.isEmpty ? "" : Directory.absolute(state),
        making: configuration.makingForSocket)
      stateLock = try StateLock.take(for: configuration)
      claim = try Claim(socketLock)
    }
    self.configuration = configuration
    do throws(SystemError) {
      signals = try SignalSource(
        configuration.command == nil
          ? [.terminate, .interrupt, .hangup, .child] : HostedCommand.signals)
      journalNews = try Wakeup()
      poller = try Poller(capacity: Self.eventsPerRound)
    } catch {
      throw ServerError(error)
    }
    let opened = try OpenedJournal(
      configuration, stateLock, socketLock: claim.lockedFile, waking: journalNews, log: log)
    journal = opened.thread
    let state = opened.state
    directories = DataDirectories(
      inState: stateLock == nil ? nil : configuration.stateDirectory, log: log)
    directories.clear(of: opened.discarded)
    let now = Instant.now
    var identifiers = IdentifierSource()
    let broker = Broker(
      identity: BrokerIdentity(configuration, instance: identifiers.nextWord()),
      application: configuration.application.description, manifest: configuration.manifest,
      limits: configuration.limits, environment: BrokerEnvironment(configuration),
      recovered: state, at: now)
    programs = Programs(
      poller: poller, log: log, processes: processes, socket: configuration.socketPath,
      directory: configuration.manifestSource?.directory)
    switchboard = Switchboard(
      broker: broker, keeper: journal, processes: processes, identifiers: identifiers, log: log,
      clock: configuration.clock, faults: configuration.faults,
      manifest: configuration.manifestSource, directories: directories, launcher: programs, at: now)
    leash = configuration.leashDescriptor.map { FileDescriptor(adopting: $0) }
    try watchSources()
  }

  private func watchSources() throws(ServerError) {
    do throws(SystemError) {
      try poller.add(claim.listener.number, token: Source.listener, interest: .readable)
      try poller.add(signals.number, token: Source.signals, interest: .readable)
      try poller.add(journalNews.number, token: Source.journal, interest: .readable)
      if let number = configuration.leashDescriptor {
        try poller.add(number, token: Source.leash, interest: .readable)
      }
    } catch {
      throw ServerError(error)
    }
  }

  package var socketPath: String { configuration.socketPath }
  package var sessionCount: Int { switchboard.broker.stored.sessions.count }

  /// Serves until it is told to end. A command does not stay behind, whatever goes wrong.
  package func run(whenReady ready: () throws(ServerError) -> Void) throws(ServerError) {
    // What is kept stays for the end of the process, which takes it in one go. The locks do not wait
    // for that, and nobody else has to.
    _ = Unmanaged.passRetained(switchboard)
    do throws(ServerError) {
      try serve(whenReady: ready)
    } catch {
      endPrograms()
      if let command = configuration.command { hangUp(on: command) }
      throw error
    }
  }

  private func serve(whenReady ready: () throws(ServerError) -> Void) throws(ServerError) {
    if configuration.command == nil {
      // A process that leaves its group and loses its parent becomes a child of the broker, which
      // learns of its end.
      ChildProcess.adoptOrphans()
      // SIGCHLD of inherited children may predate our signal mask; reap them now.
      reapInherited()
    }
    switchboard.beginRound(at: .now)
    missedTime = MissedTime(at: switchboard.machineTime)
    switchboard.start()
    let flaws = switchboard.broker.checkInvariants()
    guard flaws.isEmpty else {
      throw ServerError(
        .damaged,
        "what the journal in \(configuration.stateDirectory) adds up to cannot be: "
          + flaws.joined(separator: "; "))
    }
    switchboard.endRound()
    try ready()
    var events: ContiguousArray<PollEvent> = []
    while !switchboard.isDone, !isEnding {
      let now = SystemClock.monotonic()
      let time = timeToWait(at: now)
      missedTime.endRound(at: now, waiting: time)
      try orServerError { () throws(SystemError) in
        try configuration.command?.stopIfDue()
        try poller.wait(nanoseconds: time, into: &events)
      }
      try round(events)
    }
    try end()
  }

  /// Ends the journal in order, and lets the socket go.
  private func end() throws(ServerError) {
    endPrograms()
    claim.removeSocket()
    directories.end()
    journal.requestStop()
    try remain { !journal.news.hasEnded }
    // At once means at once: a disk that hangs is not waited for.
    guard !isEnding else { return }
    if let failure = journal.news.failure {
      throw ServerError(failure, configuration)
    }
    if let command = configuration.command { try outlast(command) }
  }

  private func timeToWait(at now: Int64) -> Int64? {
    var due = switchboard.nextWakeUp
    if let acceptPause { due = min(due ?? .max, acceptPause.end) }
    if let look = programs.nextLook { due = min(due ?? .max, look) }
    let time = due.map { MissedTime.wait(before: max(0, $0 - now)) }
    guard let look = configuration.command?.timeToLook else { return time }
    return min(time ?? .max, look)
  }

  // MARK: - A round

  /// How many descriptors are looked at in a round.
  private static let eventsPerRound = 1024

  private func round(_ events: ContiguousArray<PollEvent>) throws(ServerError) {
    let now = Instant.now
    switchboard.beginRound(at: now, seesAll: events.count < Self.eventsPerRound)
    readByteCount = 0
    let missed = missedTime.beginRound(at: now.monotonic)
    if missed > 0 {
      switchboard.prolongTimers(by: missed)
      programs.prolongTimers(by: missed)
    }
    for event in events where event.hungUp { drain(event) }
    for event in events where !event.hungUp { try take(event) }
    hear()
    if switchboard.hasTurns { flush() }
    switchboard.takeTurns(ready: events.count) { takeTurn(of: $0) }
    programs.look(at: switchboard.machineTime)
    switchboard.fireTimers()
    flush()
    resumeAccepting()
    if let failure = journal.news.failure {
      switchboard.sayFarewell(
        "the broker cannot go on: \(failure.explanation(in: configuration.stateDirectory))")
      throw ServerError(failure, configuration)
    }
  }

  /// Those that are not busy do not wait for a turn of those that are.
  private func flush() {
    switchboard.endRound()
    switchboard.flush(readRest: { readRest(of: $0) }) { connection, bytes in
      send(bytes, on: connection)
    }
  }

  private func take(_ event: PollEvent) throws(ServerError) {
    if let connection = switchboard.connection(event.token) {
      if event.readable { read(from: connection) }
      if event.writable { switchboard.listForOutput(connection) }
      return
    }
    if programs.hears(event.token, hungUp: false) { return }
    // What was said before is heard before.
    hear()
    switch event.token {
    case Source.listener: try orServerError(accept)
    case Source.signals: try orServerError(takeSignals)
    case Source.journal:
      journalNews.drain()
      switchboard.learn()
    case Source.leash: watchLeash()
    default: break
    }
  }
}

extension Instant {
  /// Now, by both clocks of this machine.
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

extension BrokerEnvironment {
  fileprivate init(_ configuration: ServerConfiguration) {
    self.init()
    durability = configuration.durability.rawValue
    clock = configuration.clock
    if let source = configuration.manifestSource { manifestSource = source.name }
    allowsFaults = configuration.faults != nil
  }
}
