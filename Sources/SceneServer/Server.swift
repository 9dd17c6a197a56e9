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
  private let claim: Claim
  private let stateLock: FileDescriptor?
  private let configuration: ServerConfiguration
  private let log: Log
  private let switchboard: Switchboard
  private let journal: JournalThread
  private let poller: Poller
  private let signals: SignalSource
  private let journalNews: Wakeup
  private let processes = RealProcesses()
  private let user = User.current
  private let input = InputBuffer()
  private var isEnding = false
  private var leash: FileDescriptor?

  /// The sources that are not connections; those have small numbers.
  private enum Source {
    static let listener = UInt64.max
    static let signals = UInt64.max - 1
    static let journal = UInt64.max - 2
    static let leash = UInt64.max - 3
  }

  /// Takes the locks, reads the journal, and listens. Nothing is touched before both locks are
  /// held.
  package init(
    _ configuration: ServerConfiguration, inherited: consuming FileDescriptor?, log: Log
  ) throws(ServerError) {
    var configuration = configuration
    let descriptors = CurrentProcess.raiseDescriptorLimit()
    if configuration.limits.connections == 0 {
      configuration.limits.connections = descriptors / 4 * 3
    }
    self.configuration = configuration
    self.log = log
    if let inherited {
      claim = Claim(inherited: inherited)
    } else {
      claim = try Claim(socket: configuration.socketPath)
    }
    do throws(SystemError) {
      signals = try SignalSource([.terminate, .interrupt, .hangup])
      journalNews = try Wakeup()
      poller = try Poller(capacity: Self.eventsPerRound)
    } catch {
      throw ServerError(error)
    }
    let opened = try OpenedJournal(configuration, waking: journalNews, log: log)
    journal = opened.thread
    let state = opened.state
    stateLock = opened.takeLock()
    let now = Instant.now
    var identifiers = IdentifierSource()
    let broker = Broker(
      identity: BrokerIdentity(configuration, instance: identifiers.nextWord()),
      application: configuration.application.description, manifest: configuration.manifest,
      limits: configuration.limits, environment: BrokerEnvironment(configuration),
      recovered: state, at: now)
    switchboard = Switchboard(
      broker: broker, keeper: journal, processes: processes, identifiers: identifiers, log: log,
      at: now)
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

  package var sessionCount: Int { switchboard.broker.stored.sessions.count }

  /// Serves until it is told to end.
  package func run(whenReady ready: () throws(ServerError) -> Void) throws(ServerError) {
    switchboard.beginRound(at: .now)
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
      try orServerError { () throws(SystemError) in
        try poller.wait(nanoseconds: timeToWait, into: &events)
      }
      try round(events)
    }
    try end()
  }

  /// Ends the journal in order, and lets the socket go.
  private func end() throws(ServerError) {
    claim.removeSocket()
    // At once means at once: a disk that hangs is not waited for.
    guard !isEnding else { return }
    journal.stop()
    if let failure = journal.news.failure {
      throw ServerError(failure, in: configuration.stateDirectory)
    }
  }

  private var timeToWait: Int64? {
    switchboard.nextWakeUp.map { max(0, $0 - SystemClock.monotonic()) }
  }

  // MARK: - A round

  /// How many descriptors are looked at in a round.
  private static let eventsPerRound = 1024

  private func round(_ events: ContiguousArray<PollEvent>) throws(ServerError) {
    switchboard.beginRound(at: .now, seesAll: events.count < Self.eventsPerRound)
    for event in events where event.hungUp { drain(event.token) }
    for event in events where !event.hungUp { try take(event) }
    switchboard.fireTimers()
    switchboard.endRound()
    switchboard.flush { connection, bytes in send(bytes, on: connection) }
    if let failure = journal.news.failure {
      throw ServerError(failure, in: configuration.stateDirectory)
    }
  }

  private func take(_ event: PollEvent) throws(ServerError) {
    switch event.token {
    case Source.listener: try orServerError(accept)
    case Source.signals: try orServerError(takeSignals)
    case Source.journal:
      journalNews.drain()
      switchboard.learn()
    case Source.leash: watchLeash()
    default:
      guard let connection = switchboard.connection(event.token) else { return }
      if event.readable { receive(from: connection) }
      if event.writable { switchboard.listForOutput(connection) }
    }
  }

  /// How much one connection may say in a round, so that others are heard too.
  private static let bytesPerRound = 1 << 18

  private func receive(from connection: Connection) {
    guard let outcome = read(connection, upTo: Self.bytesPerRound) else { return }
    switch outcome {
    case .end: finish(connection)
    case .failed: switchboard.hangUp(connection, .connectionLost)
    case .bytes, .wouldBlock: break
    }
  }

  /// It has said its last word, but may still read: only a full hang-up is looked for from now on.
  private func finish(_ connection: Connection) {
    connection.hasEnded = true
    watch(connection)
    switchboard.finish(connection)
  }

  /// The other end is gone. What it said before counts: very likely it is its restoration activity.
  private func drain(_ token: UInt64) {
    if token == Source.leash { return watchLeash() }
    guard let connection = switchboard.connection(token) else { return }
    guard !connection.hasEnded else { return switchboard.hangUp(connection, .connectionLost) }
    switch read(connection, upTo: .max) {
    case .end: finish(connection)
    case .failed, .bytes, .wouldBlock, nil: switchboard.hangUp(connection, .connectionLost)
    }
  }

  /// Reads until there is nothing left, or the cap is reached; the last outcome.
  private func read(_ connection: Connection, upTo cap: Int) -> ReceiveOutcome? {
    var total = 0
    connection.hasUnreadInput = false
    while let descriptor = connection.withDescriptor({ $0.receive(into: input.bytes) }) {
      guard case .bytes(let count) = descriptor else { return descriptor }
      input.withSpan(of: count) { switchboard.receive($0, from: connection) }
      total += count
      // A stream that gives less than was asked for has no more.
      if count < input.bytes.count, cap < .max { return .wouldBlock }
      if total >= cap {
        connection.hasUnreadInput = true
        return descriptor
      }
    }
    return nil
  }

  private func send(_ bytes: RawSpan, on connection: Connection) -> Int {
    let outcome = connection.withDescriptor { $0.send(bytes) }
    let taken: Int
    switch outcome {
    case .bytes(let count): taken = count
    case .wouldBlock: taken = 0
    // Nobody will read it; the hang-up is on its way.
    case .failed, nil: taken = bytes.byteCount
    }
    watchForRoom(connection, taken < bytes.byteCount)
    return taken
  }

  private func watchForRoom(_ connection: Connection, _ waits: Bool) {
    guard waits != connection.waitsForRoom else { return }
    connection.waitsForRoom = waits
    watch(connection)
  }

  private func watch(_ connection: Connection) {
    var interest: PollInterest = connection.hasEnded ? [] : .readable
    if connection.waitsForRoom { interest.insert(.writable) }
    connection.withDescriptor { descriptor in
      // It can only fail for a descriptor that is closed, and this one is open.
      try? poller.modify(
        descriptor.number, token: connection.identifier.number, interest: interest)
    }
  }

  // MARK: - New clients

  private func accept() throws(SystemError) {
    do throws(SystemError) {
      while let socket = try UnixSocket.accept(from: claim.listener) { greet(socket) }
    } catch {
      guard error.isOutOfDescriptors else { throw error }
      log.warn("no descriptor is left for a new client: \(error)")
    }
  }

  /// A client that cannot be taken is nobody else's trouble.
  private func greet(_ socket: consuming FileDescriptor) {
    do throws(SystemError) {
      try admit(socket)
    } catch {
      log.warn("a client could not be taken: \(error)")
    }
  }

  /// Who it is, is asked before the first byte is read.
  private func admit(_ socket: consuming FileDescriptor) throws(SystemError) {
    let credentials = try socket.peerCredentials()
    guard credentials.user == user else {
      log.warn("user \(credentials.user) was turned away")
      return turnAway(
        socket,
        BrokerError(
          .notPermitted, "this broker belongs to user \(user); you are \(credentials.user)"))
    }
    guard !switchboard.isStopping else {
      return turnAway(socket, BrokerError(.shuttingDown, "the application has ended"))
    }
    let limit = configuration.limits.connections
    guard switchboard.connectionCount < limit else {
      return turnAway(socket, BrokerError(.tooMany, "there are \(limit) connections already"))
    }
    let number = socket.number
    let connection = switchboard.accept(
      process: processes.identity(of: credentials.process), descriptor: socket)
    do throws(SystemError) {
      try poller.add(number, token: connection.identifier.number, interest: .readable)
    } catch {
      switchboard.hangUp(connection, .connectionLost)
      throw error
    }
  }

  private func turnAway(_ socket: consuming FileDescriptor, _ error: BrokerError) {
    _ = socket.send(Dismissal.frame(error).span.bytes)
  }

  // MARK: - Being told to end

  private func takeSignals() throws(SystemError) {
    while let signal = try signals.next() {
      switch signal {
      case .terminate, .interrupt:
        if switchboard.broker.isShuttingDown {
          log.note("\(signal.name) again: ending at once")
          isEnding = true
        } else {
          log.note("\(signal.name): ending in order; again to end at once")
          switchboard.terminate()
        }
      case .hangup: log.note("HUP: the manifest is the built-in one; nothing to read again")
      default: break
      }
    }
  }

  /// What is written on the leash means nothing; its end does.
  private func watchLeash() {
    guard leash?.readAvailable(into: input.bytes) == .end, let number = leash?.number else {
      return
    }
    // It was added, so it can be removed.
    try? poller.remove(number)
    self.leash = nil
    log.note("the leash has ended: ending in order")
    switchboard.terminate()
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
  }
}
