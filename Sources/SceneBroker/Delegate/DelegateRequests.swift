package import SceneModel

/// The application delegate: a client that launches before the first scene. It configures new
/// sessions, and the broker tells it of scenes and of the application's end.
extension Broker {
  // MARK: - The connection

  /// Returns false if the request waits for the end of the previous delegate's process. Throws why
  /// the client cannot be the delegate.
  mutating func mayBeDelegate(
    _ message: Initialize, _ attempt: Attempt
  ) throws(BrokerError) -> Bool {
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    guard let holder = delegate.connection.flatMap({ clients[$0] }) else { return true }
    guard attempt.queried.contains(holder.process) else {
      try queryLiveness(of: [holder.process], before: .initialize(message), attempt)
      return false
    }
    let name = holder.client?.name.clipped(to: 100) ?? "a client"
    throw BrokerError(
      .delegateInUse,
      "\(name) \(holder.process.pid) is the application delegate; only one can be connected")
  }

  /// The delegate's connection has closed. Without the delegate the manifest decides.
  mutating func loseDelegate() {
    guard let connection = delegate.connection else { return }
    if let number = delegate.disconnected() { cancelBudget(of: number, on: connection) }
    resolvePendingSessions()
    releaseRequests(declining: nil)
    stopIfDone()
  }

  /// Whether the delegate takes callbacks and presumably replies.
  var isDelegateListening: Bool {
    guard let connection = delegate.connection else { return false }
    return clients[connection]?.isResponsive == true
  }

  // MARK: - Requests that wait for the delegate

  /// Whether a request waits for the delegate. No session is created while the delegate launches.
  /// No scene connects before a required delegate has launched once. The delegate's own requests
  /// never wait.
  func mustAwaitDelegate(_ requester: Requester, creating: Bool) -> Bool {
    guard requester.connection != delegate.connection else { return false }
    let isRequired = manifest.applicationDelegate == .required && !delegate.hasLaunched
    return isRequired || creating && delegate.isLaunching && isDelegateListening
  }

  /// The number of requests that wait for a delegate to connect.
  var awaitingMissingDelegate: Int {
    delegate.connection == nil ? deferred.count(.delegate) : 0
  }

  /// The delegate has launched, or the broker no longer waits for it. `declined` is the session of
  /// a request whose content the delegate declined.
  mutating func releaseRequests(declining declined: SessionIdentifier?) {
    if let declined { decline(declined) }
    deferred.fulfill(.delegate)
  }

  /// A scene can connect without the declined options. An activation without its content fails.
  private mutating func decline(_ session: SessionIdentifier) {
    switch deferred.request(for: session)?.request {
    case .connect(var message):
      message.options = nil
      deferred.replace(.connect(message), for: session)
    case .activate, .open:
      guard let request = deferred.remove(for: session) else { return }
      refuse(
        request.requester,
        BrokerError(.requestDenied, "the application delegate declined the content to open"))
    case .refresh, .transition, .initialize, nil: break
    }
  }

  /// The launch options: those of the request that has waited longest for the delegate.
  private var launchReason: (request: SessionIdentifier, options: ConnectionOptions)? {
    guard let first = deferred.first(.delegate) else { return nil }
    let options: ConnectionOptions =
      switch first.request {
      case .connect(let message): message.options ?? .none
      case .activate(let message): ActivationReason(message).options
      case .open(let message): message.content?.options ?? .none
      case .refresh, .transition, .initialize: .none
      }
    return options == .none ? nil : (first.attempt.identifier, options)
  }

  // MARK: - Callbacks

  /// Sends the next callback, if none is pending. The broker calls this after each event.
  mutating func sendNextDelegateCallback() {
    guard !isShuttingDown, delegate.connection != nil,
      let next = delegate.next(isListening: isDelegateListening)
    else { return }
    rememberDelegate()
    switch next {
    case .willFinishLaunching: ask(.willFinishLaunching, Empty())
    case .didFinishLaunching:
      let reason = launchReason
      ask(
        .didFinishLaunching(carrying: reason?.request),
        DidFinishLaunching(options: reason?.options ?? .none))
    case .any:
      if let session = pendingSessions.firstUndecided {
        ask(
          .configuration(of: session.identifier),
          configurationResolver.question(about: session))
      } else if store.admission(of: .bounded) == nil, let report = nextReport {
        ask(.discards(report.report), report)
      }
    }
  }

  private mutating func ask(
    _ subject: DelegateStateMachine.Subject, _ message: any CallbackMessage
  ) {
    guard let connection = delegate.connection, let number = clients[connection]?.numberCallback()
    else {
      return
    }
    delegate.sent(subject, number)
    let callback = Callback(subject.kind, message)
    sendAboutAll(.callback(number, callback, budget: budget(for: subject.kind)), to: connection)
    traceDelegate(.callback, subject)
  }

  /// The time for a callback.
  package func budget(for kind: CallbackKind) -> Interval {
    let budget = manifest.budgets.budget(for: kind)
    return kind == .willTerminate ? min(budget, Self.timeToTerminate) : budget
  }

  private mutating func traceDelegate(
    _ event: TraceEvent, _ subject: DelegateStateMachine.Subject, detail: String? = nil
  ) {
    trace(event, subject.session, client: delegate.connection) {
      $0.callback = subject.kind.rawValue
      $0.detail = detail
      if case .discards(let report) = subject, detail == nil { $0.detail = report.description }
    }
  }

  private mutating func cancelBudget(of number: Int64, on connection: ConnectionIdentifier) {
    effects.timers.append(.cancel(.callback(connection, number)))
  }

  /// Handles a reply of the delegate. Returns false if the reply is for another callback.
  mutating func delegateReplied(to number: Int64, _ answer: CallbackAnswer) -> Bool {
    guard let connection = delegate.connection else { return false }
    if let report = delegate.repliedLate(to: number) {
      if !answer.isFailure { acknowledge(report) }
      return true
    }
    guard let (subject, action) = delegate.replied(to: number, answer) else { return false }
    cancelBudget(of: number, on: connection)
    switch answer {
    case .failed(let message): traceDelegate(.failed, subject, detail: message)
    case .done, .activity, .launched, .configuration: traceDelegate(.acknowledged, subject)
    }
    perform(action, answer)
    return true
  }

  private mutating func perform(
    _ action: DelegateStateMachine.Action?, _ answer: CallbackAnswer?
  ) {
    switch action {
    case .release(let declined): releaseRequests(declining: declined)
    case .decide(let session): decide(session, answer)
    case .acknowledge(let report): acknowledge(report)
    case .stop: stopIfDone()
    case nil: break
    }
  }

  /// The delegate has not replied in time. The broker goes on without the reply, and sends no
  /// callback until the delegate sends something.
  mutating func delegateTimedOut(_ number: Int64, halt: ProcessHalt?) {
    guard let connection = delegate.connection, let question = delegate.question,
      question.number == number
    else { return }
    guard halt != .debugged || question.subject == .willTerminate else {
      let budget = budget(for: question.subject.kind)
      return effects.timers.append(.set(.callback(connection, number), budget))
    }
    traceDelegate(.overran, question.subject)
    sendAboutAll(
      .notification(
        .overran(DelegateOverrun(callback: question.subject.kind, id: number))),
      to: connection)
    clients[connection]?.isOverdue = true
    perform(delegate.timedOut(number), nil)
    resolvePendingSessions()
  }

  // MARK: - Notifications

  mutating func notifyDelegate(
    _ notification: BrokerNotification, about session: SessionIdentifier
  ) {
    guard let connection = delegate.connection, clients[connection]?.isOpen == true else { return }
    send(.notification(notification), to: connection, about: session)
  }

  /// The exit of a process whose scene the delegate knows to have ended.
  mutating func notifyDelegate(_ exit: ClientExit, of session: SessionIdentifier) {
    notifyDelegate(.sceneExited(SceneExited(session: session, exit: exit)), about: session)
  }

  // MARK: - The end

  /// The time for `willTerminate`.
  package static let timeToTerminate = Interval.seconds(1)

  /// Tells the delegate that the application ends. Returns whether the broker waits for the
  /// delegate.
  mutating func isDelegateTerminating() -> Bool {
    switch delegate.termination {
    case .done: return false
    case .pending: return true
    case .notBegun: break
    }
    guard let connection = delegate.connection else { return false }
    let isOpen = clients[connection]?.isOpen == true
    if let number = delegate.beginTermination(sending: isOpen) {
      cancelBudget(of: number, on: connection)
    }
    guard isOpen else { return false }
    effects.timers.append(.set(.shutdown, Self.timeToTerminate))
    ask(.willTerminate, Empty())
    return true
  }

  /// The time for `willTerminate` is over.
  mutating func endWaitForDelegate() {
    if delegate.terminationTimedOut() { stopIfDone() }
  }
}

extension CallbackAnswer {
  var isFailure: Bool {
    switch self {
    case .failed: true
    case .done, .activity, .launched, .configuration: false
    }
  }
}
