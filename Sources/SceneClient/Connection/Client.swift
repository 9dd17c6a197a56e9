package import SceneModel
package import ScenePlatform
import SceneTransport
import SceneWire
import Synchronization

/// A client of the broker: the state machine, one thread for the connection, and a queue for each
/// session.
package final class Client: Sendable {
  package typealias Completion = @Sendable (Result<BrokerReply, SceneError>) -> Void
  /// The completion of a request, and the token that abandons it.
  package typealias Waiter = (completion: Completion, token: RequestToken)

  package let settings: ClientSettings
  private let handler: any ClientHandler
  /// The key nil is the queue of the application.
  private let queues = SerialQueues<SessionIdentifier?>("scene.calls")
  private let state: Mutex<State>
  private let ending = ConditionMutex(Ending())
  let wakeup: Wakeup

  struct State: ~Copyable {
    var machine: ClientMachine
    var socket: FrameSocket?
    /// The machine requested a connection.
    var mustOpen = false
    /// The machine has closed the connection.
    var mustClose = false
    var isOver = false
    var error: SceneError?
    var isStarted = false
    /// Whether the machine has the launch token, if there is one.
    var hasAskedForLaunch = false
    var timers = Timers()
    /// The completions of requests.
    var completions: [RequestToken: Completion] = [:]

    /// Whether a request with a completion must fail, because the broker does not read its input.
    var isOutputFull: Bool { socket.map { $0.unsentByteCount > 8 << 20 } ?? false }
  }

  private struct Ending: Sendable {
    /// The error of the client, after its end.
    var result: SceneError??
    /// These run at the end.
    var completions: [@Sendable (SceneError?) -> Void] = []
  }

  package init(_ settings: ClientSettings, handler: any ClientHandler) throws(SystemError) {
    self.settings = settings
    self.handler = handler
    wakeup = try Wakeup()
    let machine = ClientMachine(
      client: ClientName(name: settings.name, version: settings.version), kind: settings.kind,
      hosts: settings.hosts, waitsForBroker: settings.waitsForBroker,
      application: settings.application, random: SplitMix(seed: settings.seed))
    state = Mutex(State(machine: machine))
  }

  // MARK: - For the program

  /// Takes the launch token, unless another client has it. Returns whether the broker launched this
  /// process for a scene of this client.
  package func claimLaunch() -> Bool {
    state.withLock { state in
      if !state.hasAskedForLaunch {
        state.hasAskedForLaunch = true
        state.machine.launch = settings.launch()
      }
      return state.machine.launch != nil
    }
  }

  /// Connects to the broker. Returns false if the client was started before or has ended.
  @discardableResult
  package func start() throws(SystemError) -> Bool {
    _ = claimLaunch()
    // Under the lock: otherwise a second caller would wait for a thread that did not start.
    let isFirst = try state.withLock { state throws(SystemError) -> Bool in
      guard !state.isStarted, !state.isOver else { return false }
      let loop = try ConnectionLoop(self)
      _ = try Thread("scene.reader") { loop.run() }
      state.isStarted = true
      return true
    }
    if isFirst { feed(.started) }
    return isFirst
  }

  /// Sends a request now, or when the broker is connected. A request without a completion never
  /// fails for lack of space: it is small, and the machine merges it with others.
  package func request(_ message: some RequestMessage) { request { message } }

  /// Sends a request and passes its reply to `completion`.
  package func request<Message: RequestMessage>(
    _ message: Message, completion: @escaping @Sendable (Result<Message.Reply, SceneError>) -> Void
  ) {
    request(({ completion($0.reply(to: Message.self)) }, RequestToken.next())) { message }
  }

  /// Sends the request that `current` returns under the client's lock, so that the newest value of
  /// several threads is sent last. `current` must not call the client.
  package func request(_ waiter: Waiter? = nil, for current: () -> any RequestMessage) {
    if let (completion, _) = waiter, state.withLock({ $0.isOutputFull }) {
      return completion(
        .failure(
          SceneError(
            .tooMany, "request not sent: the broker does not read its input; try again later",
            retry: .later)))
    }
    feed(waiter) { .requested($0, ClientRequest(current())) }
  }

  /// Stops waiting for the reply of a request. Its completion gets an error, unless it has run.
  func abandon(_ token: RequestToken) { feed(.abandoned(token)) }

  /// Saves an activity. A newer activity replaces an unsent one, and takes over its completion.
  package func save(
    _ activity: Activity?, of session: SessionIdentifier, completion: Completion? = nil
  ) {
    save(of: session, completion.map { ($0, RequestToken.next()) }) { activity }
  }

  /// Saves the activity that `current` returns under the client's lock.
  func save(of session: SessionIdentifier, _ waiter: Waiter? = nil, _ current: () -> Activity?) {
    feed(waiter) { .saveRequested(session, current(), $0) }
  }

  /// Observes a topic from a position, or from now on, until `cease` or the end of the scene. The
  /// observation continues with the next broker.
  package func observe(_ source: EventSource, after position: EventPosition? = nil) {
    feed(.observed(source, after: position))
  }

  package func cease(_ source: EventSource) { feed(.ceased(source)) }

  /// Runs `work` after the received callbacks of a session.
  package func enqueue(_ session: SessionIdentifier?, _ work: @escaping @Sendable () -> Void) {
    queues.add(to: session, work)
  }

  /// Runs `work` after the received callbacks of a session. The next callback waits until the work
  /// calls its argument.
  func enqueueCall(
    _ session: SessionIdentifier?,
    _ work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) { queues.addLong(to: session, work) }

  /// Answers a question to the application delegate.
  func answer(_ number: Int64, _ answer: CallAnswer) {
    feed(.delegateAnswered(number, answer))
  }

  /// Ends all scenes in order, then the connection. The cause is nil if the user closes the scenes.
  package func stop(by cause: DisconnectCause? = nil) {
    feed(.stopped(by: cause))
    handler.willStop()
  }

  /// Waits for the end of the client. Returns its error; nil after `stop`.
  package func waitUntilStopped() -> SceneError? { ending.wait { $0.result } ?? nil }

  /// Waits for the end of the client without blocking a thread.
  package func untilStopped() async -> SceneError? {
    await withCheckedContinuation { continuation in
      let result = ending.withLock { ending in
        if ending.result == nil {
          ending.completions.append { continuation.resume(returning: $0) }
        }
        return ending.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Calls in the queue of a session's callbacks; with nil, of the application's.
  func calls(of session: SessionIdentifier?) -> DelegateCalls { DelegateCalls(queues, session) }

  /// Whether the client can send.
  var isConnected: Bool { state.withLock { $0.machine.link.isOpen } }

  /// Whether the broker serves a classic application.
  package var isClassic: Bool { state.withLock { $0.machine.isClassic } }

  /// The sessions with activities that wait for a broker.
  package var unsavedSessions: [SessionIdentifier] { state.withLock { $0.machine.unsavedSessions } }

  /// Whether this client has a scene of another session, connected or not.
  package func hasScene(besides session: SessionIdentifier?) -> Bool {
    state.withLock { $0.machine.hasScene(besides: session) }
  }

  // MARK: - Events and actions

  private func feed(_ waiter: Waiter?, _ event: (RequestToken?) -> ClientEvent) {
    let finished = state.withLock { state in
      if let waiter { state.completions[waiter.token] = waiter.completion }
      return carryOut(event(waiter?.token), &state)
    }
    for finish in finished { finish() }
  }

  func feed(_ event: ClientEvent) { feed(nil) { _ in event } }

  func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// Carries out the actions. Returns the completions, which run without the lock.
  func carryOut(_ event: ClientEvent, _ state: inout State) -> [@Sendable () -> Void] {
    var actions: [ClientAction] = []
    state.machine.handle(event, into: &actions)
    var finished: [@Sendable () -> Void] = []
    var mustWake = false
    var refused: [ClientEvent] = []
    // The completions run before the handler learns of the loss of the broker.
    var completionsHaveRun: ConditionMutex<Bool>?
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
      case .call(let call):
        if call.callback.kind == .didDisconnect,
          let cancel = handler.willEnd(call.callback.session)
        {
          finished.append(cancel)
        }
        enqueue(call)
      case .report(let session, let activity, let error):
        queues.addLong(to: session) { [handler] finish in
          handler.couldNotSave(activity, of: session, error, finish: finish)
        }
      case .saved(let session, let activity): handler.didSave(activity, of: session)
      case .notify(let session, let notice):
        queues.addLong(to: session) { [handler] finish in
          handler.didReceive(notice, in: session, finish: finish)
        }
      case .finish(let token, let result):
        if let completion = state.completions.removeValue(forKey: token) {
          finished.append { completion(result) }
        }
      case .deliver(let source, let update):
        queues.add(to: source.session) { [handler] in handler.didReceive(update, of: source) }
      case .delegate(let message):
        queues.addLong(to: nil) { [handler] finish in handler.handle(message, finish: finish) }
      case .update(let update):
        if !finished.isEmpty, completionsHaveRun == nil {
          completionsHaveRun = ConditionMutex(false)
        }
        queues.add(to: nil) { [handler, completionsHaveRun] in
          _ = completionsHaveRun?.wait { $0 ? true : nil }
          handler.didReceive(update)
        }
      case .wake(let timer, let after):
        state.timers.set(timer, at: SystemClock.monotonic() + after.nanoseconds)
        mustWake = true
      case .stop(let error):
        state.isOver = true
        state.error = error
        mustWake = true
        if !state.isStarted { queues.add(to: nil) { [self] in conclude(error) } }
      }
    }
    if let socket = state.socket {
      socket.flush()
      if socket.hasUnsent || socket.isBroken { mustWake = true }
    }
    if mustWake { wakeup.signal() }
    for event in refused { finished += carryOut(event, &state) }
    if let completionsHaveRun { finished.append { completionsHaveRun.withLock { $0 = true } } }
    return finished
  }

  /// The loop has sent the rest of the output and closed the connection. Waits on the loop's thread
  /// for the calls of the delegates, but not long for a call that hangs.
  func connectionLoopEnded() {
    let error = state.withLock { state in
      state.socket = nil
      return state.error
    }
    if !queues.waitUntilIdle(for: Self.callTimeout) {
      handler.cancelCalls()
      queues.waitUntilIdle(for: DelegateCalls.cancellationTimeout * 2)
    }
    conclude(error)
  }

  /// The time of the delegates' calls after the end of the connection.
  private static let callTimeout = Duration.seconds(5)

  /// Ends `waitUntilStopped`.
  private func conclude(_ error: SceneError?) {
    handler.didEnd(error)
    let completions = ending.withLock { exchange(&$0, with: Ending(result: error)).completions }
    for completion in completions { completion(error) }
    queues.close()
  }

  private func enqueue(_ call: SceneCall) {
    queues.addLong(to: call.callback.session) { [self] finish in
      handler.handle(call.callback) { [self] answer in
        feed(.answered(call.number, answer))
        finish()
      }
    }
  }
}

extension ClientEvent {
  /// The refusal of a request that is too long. Answers are never too long.
  fileprivate static func refusal(of message: ClientMessage, _ error: FrameError) -> [ClientEvent] {
    guard case .request(let number, _) = message, case .tooLong(let length, let limit) = error
    else { return [] }
    let refusal = BrokerError.requestTooLong(length, limit: limit)
    return [.replied(number, .failure(SceneError(.tooLarge, refusal.message)))]
  }
}
