import JSON
package import SceneBroker
import SceneJournal
package import SceneModel
package import ScenePlatform
import SceneWire

/// Where the rules meet the world, without the sockets: bytes of connections go in, a round at a time, and what the rules
/// want done is done in a fixed order.
///
/// In a round the caller hands in everything that is ready (`receive`, `hangUp`, `fireTimers`, `learn`), then calls
/// `endRound` once, then sends what `flush` offers. Clock, disk and transport are the caller's: the loop of `Server`
/// uses real ones, a test steps its own.
package final class Switchboard {
  // Nothing that runs while one of these is changed can come back to this object.
  @exclusivity(unchecked)
  package private(set) var broker: Broker
  package let limits: Limits
  private let processes: any ProcessWatch
  private let keeper: any RecordKeeper
  private let log: Log

  /// What the rules want done, as it gathers.
  @exclusivity(unchecked)
  private var effects = Effects()
  /// What is being done.
  @exclusivity(unchecked)
  private var carried = Effects()
  @exclusivity(unchecked)
  private var connections = ConnectionTable()
  private var identifiers: IdentifierSource
  private var timers = TimerQueue()
  /// Due timers about a connection that was not read to its end yet.
  private var postponed: [PostponedTimer] = []
  private let document = JSONDocument()
  private let records = ReusedRecords()
  @exclusivity(unchecked)
  private var spares = SparePens()
  @exclusivity(unchecked)
  private var outgoing: [Connection] = []
  /// Connections with something that waits for the disk, in the order in which it began to wait.
  private var heldBack: [Connection] = []
  /// Connections that have said their last word in this round.
  private var finishing: [Connection] = []
  /// How many records were handed to the keeper; the rules may be further already.
  private var kept: UInt64 = 0
  private var durable: UInt64 = 0
  private var storage: SceneBroker.StorageState = .ok
  private var hasToldOfCompaction = false
  private var now: Instant
  /// Counts rounds, for timers that wait for a later one.
  private var round: UInt64 = 0

  /// Whether the rules have nothing left to do.
  package private(set) var isStopping = false

  /// Whether the process may end: all is done, and what was said is taken, or was waited for long enough.
  package var isDone: Bool { isStopping && connections.isEmpty }

  package init(
    broker: Broker, keeper: any RecordKeeper, processes: any ProcessWatch,
    identifiers: IdentifierSource = IdentifierSource(), log: Log, at now: Instant
  ) {
    self.broker = broker
    self.keeper = keeper
    self.processes = processes
    self.identifiers = identifiers
    self.log = log
    self.now = now
    limits = broker.limits
  }

  /// Begins with what was before: sessions of holders that still run are kept for them.
  package func start() {
    let living = broker.formerHolders.filter { processes.state(of: $0) == .running }
    handle(.started(living: living))
  }

  /// A round that has not seen all that is ready does not count as a later one for timers.
  package func beginRound(at now: Instant, seesAll: Bool = true) {
    self.now = now
    if seesAll { round += 1 }
  }

  private func handle(_ event: BrokerEvent) {
    broker.handle(event, at: now, into: &effects)
  }

  // MARK: - Connections

  package var connectionCount: Int { connections.count }
  var timerCount: Int { timers.count }

  package func accept(
    process: ClientProcess, descriptor: consuming FileDescriptor? = nil
  ) -> Connection {
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

  /// Takes in bytes; whole frames among them are carried out at once.
  package func receive(_ bytes: Span<UInt8>, from connection: Connection) {
    guard connection.stage == .greeting || connection.stage == .open else { return }
    // The decoder is taken out, so that what a frame leads to may look at the connection.
    var decoder = FrameDecoder(limit: limits.frameBytes)
    swap(&decoder, &connection.decoder)
    var completed = false
    do throws(FrameError) {
      try decoder.decode(bytes) { content in
        completed = true
        take(content, from: connection)
        return connection.stage == .greeting || connection.stage == .open
      }
    } catch {
      violate(connection, nil, BrokerError(.invalidRequest, error.description))
    }
    swap(&decoder, &connection.decoder)
    watchFrame(of: connection, afterAnother: completed)
  }

  /// Each frame has its own time; one that was completed does not count against the next.
  private func watchFrame(of connection: Connection, afterAnother: Bool) {
    let isWithinFrame = connection.decoder.isWithinFrame
    if isWithinFrame, afterAnother || !connection.hasFrameTimer {
      set(.frame(connection.identifier), after: .seconds(Int64(limits.frameSeconds)))
    } else if !isWithinFrame, connection.hasFrameTimer {
      timers.cancel(.frame(connection.identifier))
    }
    connection.hasFrameTimer = isWithinFrame
  }

  private func take(_ content: Span<UInt8>, from connection: Connection) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(content, into: document)
    } catch {
      return violate(connection, error.identifier, error.error)
    }
    switch envelope {
    case .request(let identifier, let method, let params):
      take(identifier, method, params, from: connection)
    case .result(let identifier, let result):
      answer(identifier, .success(result), from: connection)
    case .failure(let identifier, let error):
      let message = error["message"]?.string ?? "without a message"
      answer(identifier, .failure(AnswerError(message: message)), from: connection)
    }
  }

  private func take(
    _ identifier: RequestIdentifier?, _ method: JSONValue, _ params: JSONValue?,
    from connection: Connection
  ) {
    if let identifier {
      guard connection.requestsInFlight < limits.requestsInFlight else {
        return refuse(
          connection, identifier,
          BrokerError(
            .tooMany, "\(limits.requestsInFlight) requests of this connection wait already",
            retry: .later))
      }
    }
    do throws(BrokerError) {
      let request = try ClientRequest.read(method: method, params: params)
      if identifier != nil { connection.requestsInFlight += 1 }
      handle(
        .requested(connection.identifier, identifier, request, fresh: identifiers.next()))
      if connection.stage == .greeting { greet(connection) }
    } catch {
      guard let identifier else { return }
      refuse(connection, identifier, error)
    }
  }

  /// Only `initialize` ends the wait for it.
  private func greet(_ connection: Connection) {
    guard broker.isInitialized(connection.identifier) else { return }
    connection.stage = .open
    timers.cancel(.greeting(connection.identifier))
  }

  private struct AnswerError: Error {
    let message: String
  }

  private func answer(
    _ identifier: RequestIdentifier, _ result: Result<JSONValue, AnswerError>,
    from connection: Connection
  ) {
    guard case .number(let callback) = identifier else {
      return violate(
        connection, identifier,
        BrokerError(.invalidRequest, "a reply to a request that was never sent"))
    }
    let kind = broker.kind(ofCallback: callback, on: connection.identifier)
    handle(.answered(connection.identifier, callback: callback, read(result, to: kind)))
  }

  private func read(
    _ result: Result<JSONValue, AnswerError>, to kind: CallbackKind?
  ) -> CallbackAnswer {
    switch result {
    case .failure(let error): return .failed(message: error.message)
    case .success(let value):
      guard kind == .stateRestorationActivity else { return .done }
      do throws(MemberError) {
        return .activity(try StateRestorationAnswer(reading: value).activity)
      } catch {
        return .failed(message: "the answer cannot be read: \(error.inside("result"))")
      }
    }
  }

  /// Answers without asking the rules; behind what they have answered already.
  private func refuse(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    if identifier != nil { connection.requestsInFlight += 1 }
    effects.messages.append(
      Outbound(
        connection: connection.identifier, message: .error(identifier, error), after: 0))
  }

  /// The peer broke the protocol: it is told why, and left.
  private func violate(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    log.note("client \(connection.process.pid) broke the protocol: \(error.message)")
    refuse(connection, identifier, error)
    effects.closes.append(connection.identifier)
    connection.stage = .lingering
    connection.isLeft = true
  }

  // MARK: - Ends of connections

  /// The other end is gone, or is to be left at once.
  package func hangUp(_ connection: Connection, _ reason: DisconnectReason) {
    guard connection.stage != .closed else { return }
    let reason = connection.isLeft ? .violation : reason
    connection.stage = .closed
    connections.remove(connection.identifier)
    for timer: EdgeTimer in [
      .greeting(connection.identifier), .frame(connection.identifier),
      .slowReader(connection.identifier), .linger(connection.identifier),
    ] {
      timers.cancel(timer)
    }
    tellClosed(connection, reason)
  }

  /// The other end says no more; it may still read what answers what it has said.
  package func finish(_ connection: Connection) {
    guard connection.stage == .greeting || connection.stage == .open else { return }
    connection.stage = .finishing
    finishing.append(connection)
  }

  /// Lets a connection's last words leave, with little patience. To the rules it is gone.
  private func linger(_ identifier: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let connection = connections[identifier] else { return }
    connection.stage = .lingering
    tellClosed(connection, reason)
    set(.linger(identifier), after: Self.lingering)
    listForOutput(connection)
  }

  private func tellClosed(_ connection: Connection, _ reason: DisconnectReason) {
    guard connection.isKnownToRules else { return }
    connection.isKnownToRules = false
    handle(.closed(connection.identifier, reason))
  }

  private static let lingering = Interval.seconds(1)

  // MARK: - Timers

  private func set(_ timer: EdgeTimer, after time: Interval) {
    timers.set(timer, at: now.monotonic + time.nanoseconds)
  }

  /// When something is next to be done without anything coming in; nil for never.
  package var nextWakeUp: Int64? {
    postponed.isEmpty && effects.isEmpty ? timers.nextDue() : now.monotonic
  }

  private struct PostponedTimer {
    let timer: BrokerTimer
    let connection: ConnectionIdentifier
    let round: UInt64
    let latest: Int64
  }

  /// Fires what is due. A callback's budget ends only after a later round in which its connection was read to the end,
  /// so that the answer of a client is never overlooked because the broker itself was late.
  package func fireTimers() {
    firePostponed()
    while let timer = timers.takeDue(at: now.monotonic) {
      switch timer {
      case .broker(.callback(let connection, let callback)):
        postpone(callback, on: connection)
      case .broker(let timer):
        handle(.due(timer, debugged: false))
      case .greeting(let identifier):
        guard let connection = connections[identifier] else { continue }
        violate(
          connection, nil,
          BrokerError(
            .notInitialized, "no initialize within \(limits.handshakeSeconds) s"))
      case .frame(let identifier):
        guard let connection = connections[identifier] else { continue }
        violate(
          connection, nil,
          BrokerError(
            .invalidRequest, "a frame did not become whole within \(limits.frameSeconds) s"))
      case .slowReader(let identifier):
        if let connection = connections[identifier] { dropSlowReader(connection) }
      case .linger(let identifier):
        if let connection = connections[identifier] { hangUp(connection, .violation) }
      }
    }
  }

  private func postpone(_ callback: Int64, on connection: ConnectionIdentifier) {
    guard let kind = broker.kind(ofCallback: callback, on: connection) else { return }
    let budgetOnceMore = broker.manifest.budgets.budget(for: kind)
    postponed.append(
      PostponedTimer(
        timer: .callback(connection, callback), connection: connection, round: round,
        latest: now.monotonic + budgetOnceMore.nanoseconds))
  }

  private func firePostponed() {
    guard !postponed.isEmpty else { return }
    var waiting: [PostponedTimer] = []
    for item in postponed where !isMoved(item.timer) {
      let hasMore = connections[item.connection]?.hasUnreadInput ?? false
      guard item.round < round, !hasMore || now.monotonic >= item.latest else {
        waiting.append(item)
        continue
      }
      let pid = connections[item.connection]?.process.pid ?? 0
      handle(.due(item.timer, debugged: pid > 0 && processes.isDebugged(pid)))
    }
    postponed = waiting
  }

  // MARK: - News

  package func terminate() { handle(.terminate) }

  /// Takes in what the journal has done.
  package func learn() {
    let news = keeper.news
    if news.syncedThrough > durable {
      durable = news.syncedThrough
      handle(.synced(durable))
      releaseHeldBack()
    }
    learnStorage(news)
    if let failure = news.compactionFailure, !hasToldOfCompaction {
      hasToldOfCompaction = true
      log.warn("the journal is not compacted any more, and grows: \(failure)")
    }
  }

  private func learnStorage(_ news: JournalNews) {
    let state: SceneBroker.StorageState =
      switch news.storage {
      case .full: .full
      case .exhausted: .exhausted
      case .ok: news.waitingByteCount > limits.unsyncedBytes ? .behind : .ok
      }
    guard state != storage else { return }
    let problem = news.missingRoom?.description
    log.note("storage: \(state.rawValue)" + (problem.map { ": \($0)" } ?? ""))
    storage = state
    handle(.storage(state, problem: problem))
  }

  private func releaseHeldBack() {
    let listed = heldBack
    heldBack.removeAll(keepingCapacity: true)
    for connection in listed {
      connection.isListedAsHeldBack = false
      guard connection.stage != .closed else { continue }
      connection.outbox.release(upTo: durable) { begin($0, on: connection) }
      listForOutput(connection)
      listIfHeldBack(connection)
    }
  }

  private func listIfHeldBack(_ connection: Connection) {
    guard connection.outbox.waitsForDisk, !connection.isListedAsHeldBack else { return }
    connection.isListedAsHeldBack = true
    heldBack.append(connection)
  }

  private func begin(_ release: Outbox.Release, on connection: Connection) {
    switch release {
    case .nothing: break
    case .reply: connection.requestsInFlight -= 1
    case .callback(let timer, let budget):
      // It may have been extended while it waited for the disk.
      if !timers.isSet(.broker(timer)) { set(.broker(timer), after: budget) }
    }
  }

  // MARK: - The end of a round

  /// Does what the rules want done, in order: records, then messages, timers and closes.
  package func endRound() {
    repeat {
      answerInquiries()
      handle(.roundEnded)
      swap(&effects, &carried)
      carryOut()
      carried.removeAll()
    } while !effects.isEmpty
  }

  private func carryOut() {
    for connection in finishing { linger(connection.identifier, .connectionLost) }
    finishing.removeAll(keepingCapacity: true)
    keepRecords()
    for entry in carried.story { log.tell(entry) }
    post()
    changeTimers()
    for identifier in carried.closes { linger(identifier, .violation) }
    if carried.isStopping { stop() }
  }

  /// The rules have nothing left to say: whoever does not take what was said is not waited for.
  private func stop() {
    isStopping = true
    for identifier in connections.identifiers { linger(identifier, .shutdown) }
  }

  /// Questions of the rules are answered in the same round; an answer may lead to another question.
  private func answerInquiries() {
    while !effects.inquiries.isEmpty {
      let inquiries = effects.inquiries
      effects.inquiries.removeAll()
      for inquiry in inquiries {
        let ending = inquiry.processes.filter { processes.state(of: $0) != .running }
        handle(.inquired(inquiry.identifier, ending: ending))
      }
    }
  }

  private func keepRecords() {
    guard !carried.records.isEmpty else { return }
    for record in carried.records { records.value.append(record, by: &records.writer) }
    keeper.setAside(broker.holdCount)
    kept += UInt64(carried.records.count)
    keeper.keep(records.value, through: kept)
    records.value.removeAll()
    learnStorage(keeper.news)
  }

  private func post() {
    for outbound in carried.messages {
      guard let connection = connections[outbound.connection] else { continue }
      if let release = connection.outbox.append(
        outbound, durable: durable, borrowingFrom: &spares)
      {
        begin(release, on: connection)
      }
      listForOutput(connection)
      listIfHeldBack(connection)
    }
  }

  private func changeTimers() {
    for change in carried.timers {
      switch change {
      case .set(let timer, let time):
        postponed.removeAll { $0.timer == timer }
        set(.broker(timer), after: time)
      case .cancel(let timer):
        postponed.removeAll { $0.timer == timer }
        timers.cancel(.broker(timer))
      }
    }
  }

  /// Whether the rules have given a timer another time in this round, or none.
  private func isMoved(_ timer: BrokerTimer) -> Bool {
    effects.timers.contains { change in
      switch change {
      case .set(timer, _), .cancel(timer): true
      case .set, .cancel: false
      }
    }
  }

  package func listForOutput(_ connection: Connection) {
    guard !connection.isListedForOutput else { return }
    connection.isListedForOutput = true
    outgoing.append(connection)
  }

  // MARK: - Output

  /// Offers each connection what may leave; `send` says how many bytes were taken.
  package func flush(_ send: (Connection, RawSpan) -> Int) {
    let listed = outgoing
    outgoing.removeAll(keepingCapacity: true)
    for connection in listed {
      connection.isListedForOutput = false
      guard connection.stage != .closed else { continue }
      connection.outbox.flush(returningTo: &spares) { send(connection, $0) }
      watchOutput(of: connection)
    }
  }

  private func watchOutput(of connection: Connection) {
    let free = connection.outbox.freeByteCount
    if connection.stage == .lingering, connection.outbox.isEmpty {
      return hangUp(connection, .violation)
    }
    if free > limits.outboxBytes || connection.outbox.byteCount > 2 * limits.outboxBytes {
      return dropSlowReader(connection)
    }
    let isSlow = free > limits.slowReaderBytes
    guard isSlow != connection.hasSlowReaderTimer else { return }
    connection.hasSlowReaderTimer = isSlow
    if isSlow {
      set(
        .slowReader(connection.identifier), after: .seconds(Int64(limits.slowReaderSeconds)))
    } else {
      timers.cancel(.slowReader(connection.identifier))
    }
  }

  private func dropSlowReader(_ connection: Connection) {
    log.note(
      "client \(connection.process.pid) does not read: \(connection.outbox.byteCount) bytes wait; "
        + "closed")
    hangUp(connection, .slowReader)
  }
}

/// What the edge knows of processes, and a test makes up.
package protocol ProcessWatch {
  func state(of process: ClientProcess) -> ProcessState
  func isDebugged(_ pid: Int64) -> Bool
}

package enum ProcessState: Sendable {
  case running
  /// Killed, or on its way out, but its descriptors may still be open.
  case ending
  case gone
}

/// Records on their way to the journal, in memory that is used again.
private final class ReusedRecords {
  var value = JournalRecords()
  var writer = JSONWriter()
}
