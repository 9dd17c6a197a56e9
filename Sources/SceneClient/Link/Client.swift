package import SceneModel
package import ScenePlatform
import SceneTransport
package import SceneWire
import Synchronization

/// Who handles what comes from the broker.
package protocol ClientHandler: AnyObject, Sendable {
  /// One at a time for each session, in their order. Without an answer the broker is never told
  /// that the callback is done.
  func handle(_ callback: Callback) -> CallAnswer?
  /// In the session's order: what a classic application's delegate is told beside its scene's calls.
  func hear(_ notice: SceneApplication.Notice, in session: SessionIdentifier)
  /// In the session's order.
  func couldNotSave(_ activity: Activity?, of session: SessionIdentifier, _ error: SceneError)
  /// One at a time, in their order.
  func hear(_ news: ClientNews)
  /// In the order of the scene that the observation is tied to, or of the application.
  func hear(_ news: EventNews, of source: EventSource)
}

/// Is shown frames: which way they went, and what they say.
package typealias FrameObserver =
  @Sendable (FrameDirection, ContiguousArray<UInt8>) -> Void

/// What a client says of itself, and how it finds its broker.
package struct ClientSettings: Sendable {
  package var name: String
  package var version = productVersion
  /// The delegate classes it can make scenes of; `*` for any.
  package var hosts: [String]
  /// Whether a broker that is not there at the start is waited for.
  package var waitsForBroker = false
  /// The application that the broker must be of, where its place does not say so.
  package var application: String?
  /// What it shows a broker that has started it, to be given the session it was started for.
  package var launch: String?
  package var seed: UInt64
  /// Shown the content of each frame, as it leaves or as it is read; for finding faults.
  package var onFrame: FrameObserver?
  /// Makes a connection.
  package var open: @Sendable () throws(SystemError) -> FileDescriptor

  package init(
    name: String, hosts: [String], seed: UInt64 = .random(in: 0 ... .max),
    open: @escaping @Sendable () throws(SystemError) -> FileDescriptor
  ) {
    self.name = name
    self.hosts = hosts
    self.seed = seed
    self.open = open
  }
}

/// A client of the broker: the rules, one thread that reads, and a queue for each session.
package final class Client: Sendable {
  package typealias Completion = @Sendable (Result<BrokerReply, SceneError>) -> Void

  let settings: ClientSettings
  private let handler: any ClientHandler
  /// Nil is the application's queue.
  private let queues = OrderedQueues<SessionIdentifier?>("scene.calls")
  private let state: Mutex<State>
  private let ending = ConditionMutex(Ending.open)
  let wakeup: Wakeup

  struct State: ~Copyable {
    var machine: ClientMachine
    var socket: FrameSocket?
    /// The machine wants a connection.
    var mustOpen = false
    /// The machine is done with the connection.
    var mustClose = false
    var isOver = false
    var error: SceneError?
    var isReading = false
    var timers = Timers()
    var completions: [Ticket: Completion] = [:]
    var lastTicket: Int64 = 0

    /// Whether a request that somebody waits for must be refused, because the broker does not read.
    var isOutputFull: Bool { socket.map { $0.unsentByteCount > 8 << 20 } ?? false }
  }

  private enum Ending: Sendable {
    case open
    case over(SceneError?)
  }

  package init(_ settings: ClientSettings, handler: any ClientHandler) throws(SystemError) {
    self.settings = settings
    self.handler = handler
    wakeup = try Wakeup()
    var machine = ClientMachine(
      client: ClientName(name: settings.name, version: settings.version), hosts: settings.hosts,
      waitsForBroker: settings.waitsForBroker, seed: settings.seed)
    machine.application = settings.application
    machine.launch = settings.launch
    state = Mutex(State(machine: machine))
  }

  // MARK: - For the program

  /// Begins to look for the broker. One that was started already, or has ended, goes on as it is, and
  /// the answer is false.
  @discardableResult
  package func start() throws(SystemError) -> Bool {
    let isFirst = state.withLock { state in
      guard !state.isReading, !state.isOver else { return false }
      state.isReading = true
      return true
    }
    guard isFirst else { return false }
    do throws(SystemError) {
      let reader = try Reader(self)
      _ = try Thread("scene.reader") { reader.run() }
    } catch {
      state.withLock { $0.isReading = false }
      throw error
    }
    feed(.started)
    return true
  }

  /// Asks the broker for something, now or when it is there. What nobody waits for is never refused
  /// for want of room; it is small, and merged with its like.
  package func request(_ request: ClientRequest, completion: Completion? = nil) {
    if let completion, state.withLock({ $0.isOutputFull }) {
      return completion(
        .failure(
          SceneError(
            .tooMany, "request not sent: the broker does not read its input; try again later",
            retry: .later)))
    }
    feed(completion) { .requested($0, request) }
  }

  /// Asks for what `current` is when its turn has come: of a value that several threads change the
  /// newest is sent last. It must not ask the client for anything.
  package func request(_ current: () -> ClientRequest) {
    feed(nil) { .requested($0, current()) }
  }

  /// Keeps an activity; of several the newest wins, and whoever waits for an older one waits for
  /// that.
  package func save(
    _ activity: Activity?, of session: SessionIdentifier, completion: Completion? = nil
  ) {
    feed(completion) { .saved(session, activity, $0) }
  }

  /// Keeps what `current` is when its turn has come.
  package func save(of session: SessionIdentifier, _ current: () -> Activity?) {
    feed(nil) { .saved(session, current(), $0) }
  }

  /// Observes a topic, from a position on or from now on, until it is ceased or the scene that it is
  /// tied to ends. It survives the broker.
  package func observe(_ source: EventSource, after position: EventPosition? = nil) {
    feed(.observed(source, after: position))
  }

  package func cease(_ source: EventSource) { feed(.ceased(source)) }

  /// Does something in a session's order, behind the callbacks that have come.
  package func enqueue(_ session: SessionIdentifier?, _ work: @escaping @Sendable () -> Void) {
    queues.add(to: session, work)
  }

  /// Ends all scenes in order, then the connection.
  package func stop() { feed(.stopped) }

  /// Waits until it has ended; what was the matter, if it was not asked to.
  package func waitUntilStopped() -> SceneError? {
    let error = ending.wait { ending -> SceneError?? in
      switch ending {
      case .open: nil
      case .over(let error): .some(error)
      }
    }
    return error ?? nil
  }

  /// Whether the application is one of before scenes, as the broker said last.
  package var isClassic: Bool { state.withLock { $0.machine.isClassic } }

  /// The sessions of whose activities something waits for a broker that is not there.
  var unsavedSessions: [SessionIdentifier] { state.withLock { $0.machine.unsavedSessions } }

  /// Whether this client has a scene of another session, connected or not.
  func hasScene(besides session: SessionIdentifier?) -> Bool {
    state.withLock { $0.machine.hasScene(besides: session) }
  }

  // MARK: - Lock, rules, unlock, act

  private func feed(_ completion: Completion?, _ event: (Ticket?) -> ClientEvent) {
    let finished = state.withLock { state in
      guard let completion else { return carryOut(event(nil), &state) }
      state.lastTicket += 1
      let ticket = Ticket(number: state.lastTicket)
      state.completions[ticket] = completion
      return carryOut(event(ticket), &state)
    }
    for finish in finished { finish() }
  }

  func feed(_ event: ClientEvent) {
    let finished = state.withLock { state in carryOut(event, &state) }
    for finish in finished { finish() }
  }

  func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// What is left to do without the lock.
  private func carryOut(_ event: ClientEvent, _ state: inout State) -> [@Sendable () -> Void] {
    var actions: [ClientAction] = []
    state.machine.handle(event, into: &actions)
    var finished: [@Sendable () -> Void] = []
    var mustWake = false
    var refused: [ClientEvent] = []
    // Whoever hears that the broker has gone has been answered what it took along.
    var isFinished: ConditionMutex<Bool>?
    for action in actions {
      switch action {
      case .open:
        state.mustOpen = true
        mustWake = true
      case .close:
        state.mustClose = true
        mustWake = true
      case .send(let message):
        do throws(FrameError) {
          let limit = state.machine.frameLimit
          try state.socket?.write { writer throws(FrameError) in
            try writer.write(message, limit: limit)
          }
        } catch {
          refused += ClientEvent.refusal(of: message, error)
        }
      case .call(let call): enqueue(call)
      case .report(let session, let activity, let error):
        queues.add(to: session) { [handler] in
          handler.couldNotSave(activity, of: session, error)
        }
      case .notify(let session, let notice):
        queues.add(to: session) { [handler] in handler.hear(notice, in: session) }
      case .finish(let ticket, let result):
        if let completion = state.completions.removeValue(forKey: ticket) {
          finished.append { completion(result) }
        }
      case .hand(let source, let news):
        queues.add(to: source.session) { [handler] in handler.hear(news, of: source) }
      case .tell(let news):
        if !finished.isEmpty, isFinished == nil { isFinished = ConditionMutex(false) }
        queues.add(to: nil) { [handler, isFinished] in
          _ = isFinished?.wait { $0 ? true : nil }
          handler.hear(news)
        }
      case .wake(let timer, let after):
        state.timers.set(timer, at: SystemClock.monotonic() + after.nanoseconds)
        mustWake = true
      case .stop(let error):
        state.isOver = true
        state.error = error
        mustWake = true
        if !state.isReading { conclude(error) }
      }
    }
    if let socket = state.socket {
      socket.flush()
      if socket.hasUnsent || socket.isBroken { mustWake = true }
    }
    if mustWake { wakeup.signal() }
    for event in refused { finished += carryOut(event, &state) }
    if let isFinished { finished.append { isFinished.withLock { $0 = true } } }
    return finished
  }

  /// Lets go whoever waits for the end, behind all that the application and its scenes are still to
  /// be told; for scenes that hang there is no waiting.
  private func conclude(_ error: SceneError?) {
    queues.add(to: nil) { [ending, queues] in
      queues.waitUntilIdle(but: nil, until: SystemClock.monotonic() + Self.farewellTime)
      ending.withLock { $0 = .over(error) }
      queues.close()
    }
  }

  private static let farewellTime: Int64 = 5_000_000_000

  /// The reader has written the last words and closed the connection.
  func readerEnded() {
    conclude(
      state.withLock { state in
        state.socket = nil
        return state.error
      })
  }

  private func enqueue(_ call: SceneCall) {
    queues.add(to: call.callback.session) { [self] in
      feed(.answered(call.number, handler.handle(call.callback)))
    }
  }
}

extension ClientEvent {
  /// As if the broker had refused it. What is answered to the broker is never too long.
  fileprivate static func refusal(of message: ClientMessage, _ error: FrameError) -> [ClientEvent] {
    guard case .request(let number, _) = message, case .tooLong(let length, let limit) = error
    else { return [] }
    let refusal = BrokerError.requestTooLong(length, limit: limit)
    return [.replied(number, .failure(SceneError(.tooLarge, refusal.message)))]
  }
}

/// What is to happen later, and when.
struct Timers {
  private var deadlines: [ClientTimer: Int64] = [:]

  mutating func set(_ timer: ClientTimer, at deadline: Int64) { deadlines[timer] = deadline }

  var next: Int64? { deadlines.values.min() }

  /// Those whose time has come, earliest first.
  mutating func takeDue(at now: Int64) -> [ClientTimer] {
    let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
    for timer in due { deadlines[timer] = nil }
    return due
  }
}
