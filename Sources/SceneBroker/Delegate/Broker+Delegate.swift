package import SceneModel

/// The application delegate: a client that is launched before the first scene, is asked what new
/// sessions are made from, and is told how scenes come and go, and of the application's end.
extension Broker {
  // MARK: - Who it is

  /// Why a client cannot be the delegate; one that has died, and whose connection has not closed yet,
  /// is waited for. True if there is nothing against it.
  mutating func mayBeDelegate(
    _ message: Initialize, _ attempt: Attempt
  ) throws(BrokerError) -> Bool {
    guard !isShuttingDown else { throw shuttingDown }
    guard let holder = delegate.connection.flatMap({ clients[$0] }) else { return true }
    guard attempt.queried.contains(holder.process) else {
      try inquire(about: [holder.process], before: .initialize(message), attempt)
      return false
    }
    let name = holder.client?.name.clipped(to: 100) ?? "a client"
    throw BrokerError(
      .delegateInUse,
      "\(name) \(holder.process.pid) is the application delegate; only one can be connected")
  }

  mutating func admitDelegate(_ connection: ConnectionIdentifier) {
    delegate.connected(connection)
  }

  /// Its connection is gone: what it was to decide is decided without it.
  mutating func loseDelegate() {
    guard let connection = delegate.connection else { return }
    if let number = delegate.disconnected() { cancelBudget(of: number, on: connection) }
    decideCreations()
    releaseScenes(declining: nil)
    stopIfDone()
  }

  /// Whether it can be asked something now and will presumably answer.
  var isDelegateListening: Bool {
    delegate.connection.map(clients.isResponsive) ?? false
  }

  // MARK: - What waits for it

  /// Whether a request has to wait for the delegate: while it launches nothing is made, and where one
  /// is required no scene comes before it was launched once. What it wants itself never waits.
  func mustAwaitDelegate(_ requester: Requester, making: Bool) -> Bool {
    guard requester.connection != delegate.connection else { return false }
    let isRequired = manifest.applicationDelegate == .required && !delegate.hasLaunched
    return isRequired || making && delegate.isLaunching && isDelegateListening
  }

  /// How many requests wait for a delegate that is required and not there.
  package var awaitingMissingDelegate: Int {
    delegate.connection == nil ? deferred.count(.delegate) : 0
  }

  /// The delegate has launched, or the broker no longer waits for it. `declined` is the session of a
  /// request whose content the delegate declined.
  mutating func releaseScenes(declining declined: SessionIdentifier?) {
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
    case .refresh, .initialize, nil: break
    }
  }

  /// The launch options: those of the request that has waited longest for the delegate.
  private var launchReason: (request: SessionIdentifier, options: ConnectionOptions)? {
    guard let first = deferred.first(.delegate) else { return nil }
    let options: ConnectionOptions =
      switch first.request {
      case .connect(let message): message.options ?? .none
      case .activate(let message): Occasion(message).options
      case .open(let message): message.content?.options ?? .none
      case .refresh, .initialize: .none
      }
    return options == .none ? nil : (first.attempt.identifier, options)
  }

  // MARK: - The conversation

  /// Asks or tells what comes next, if nothing waits for an answer. It is looked after once for each
  /// event.
  mutating func converse() {
    guard !isShuttingDown, let turn = delegate.next(isListening: isDelegateListening) else {
      return
    }
    rememberDelegate()
    switch turn {
    case .willFinishLaunching: ask(.willFinishLaunching, .willFinishLaunching)
    case .didFinishLaunching:
      let reason = launchReason
      ask(
        .didFinishLaunching(carrying: reason?.request),
        .didFinishLaunching(DidFinishLaunching(options: reason?.options ?? .none)))
    case .any:
      if let creation = pendingSessions.firstUndecided {
        ask(
          .configuration(of: creation.identifier),
          .configurationForConnecting(question(about: creation)))
      } else if store.admission(of: .little) == nil, let report = nextReport {
        ask(.discards(report.report), .didDiscardSceneSessions(report))
      }
    }
  }

  private mutating func ask(
    _ subject: DelegateStateMachine.Subject, _ callback: DelegateCallback
  ) {
    guard let connection = delegate.connection, let number = clients.numberCallback(on: connection)
    else {
      return
    }
    delegate.sent(subject, number)
    sendAboutAll(
      .delegateCallback(number, callback, budget: budget(for: callback.kind)), to: connection)
    tellOfDelegate(.callback, subject)
  }

  func budget(for kind: DelegateCallbackKind) -> Interval {
    let budget = manifest.budgets[kind.rawValue]
    return kind == .willTerminate ? min(budget, Self.timeToTerminate) : budget
  }

  private mutating func tellOfDelegate(
    _ event: TraceEvent, _ subject: DelegateStateMachine.Subject, detail: String? = nil
  ) {
    var detail = detail
    if case .discards(let report) = subject, detail == nil { detail = report.description }
    tell(
      event, subject.session, client: delegate.connection, delegateCallback: subject.kind,
      detail: detail)
  }

  private mutating func cancelBudget(of number: Int64, on connection: ConnectionIdentifier) {
    effects.timers.append(.cancel(.callback(connection, number)))
  }

  /// Handles a reply of the delegate. Returns false if the reply is for another callback.
  mutating func takeFromDelegate(_ answer: CallbackAnswer, to number: Int64) -> Bool {
    guard let connection = delegate.connection else { return false }
    if let report = delegate.repliedLate(to: number) {
      if !answer.isFailure { acknowledge(report) }
      return true
    }
    guard let (subject, action) = delegate.replied(to: number, answer) else { return false }
    cancelBudget(of: number, on: connection)
    switch answer {
    case .failed(let message): tellOfDelegate(.failed, subject, detail: message)
    case .done, .activity, .launched, .configuration: tellOfDelegate(.acknowledged, subject)
    }
    perform(action, answer)
    return true
  }

  private mutating func perform(
    _ action: DelegateStateMachine.Action?, _ answer: CallbackAnswer?
  ) {
    switch action {
    case .release(let declined): releaseScenes(declining: declined)
    case .decide(let session): decide(session, answer)
    case .acknowledge(let report): acknowledge(report)
    case .stop: stopIfDone()
    case nil: break
    }
  }

  /// The delegate has not replied in time. The broker goes on without the reply, and asks nothing
  /// until the delegate sends something.
  mutating func overrunDelegate(_ number: Int64, debugged: Bool) {
    guard let connection = delegate.connection, let question = delegate.question,
      question.number == number
    else { return }
    guard !debugged || question.subject == .willTerminate else {
      let budget = budget(for: question.subject.kind)
      return effects.timers.append(.set(.callback(connection, number), budget))
    }
    tellOfDelegate(.overran, question.subject)
    sendAboutAll(
      .notification(
        .delegate(.overran(DelegateOverrun(callback: question.subject.kind, id: number)))),
      to: connection)
    clients.setUnresponsive(connection)
    perform(delegate.timedOut(number), nil)
    decideCreations()
  }

  // MARK: - What it is told

  mutating func tellDelegate(
    _ notification: DelegateNotification, about session: SessionIdentifier
  ) {
    guard let connection = delegate.connection, clients.isOpen(connection) else { return }
    send(.notification(.delegate(notification)), to: connection, about: session)
  }

  /// How the process of a scene went of whose end it has been told.
  mutating func tellDelegate(_ exit: ClientExit, of session: SessionIdentifier) {
    tellDelegate(.sceneExited(SceneExited(session: session, exit: exit)), about: session)
  }

  // MARK: - The end

  /// How long the delegate has for its last words.
  package static let timeToTerminate = Interval.seconds(1)

  /// Tells the delegate that the application ends; whether it is waited for.
  mutating func isDelegateTerminating() -> Bool {
    switch delegate.termination {
    case .done: return false
    case .pending: return true
    case .notBegun: break
    }
    guard let connection = delegate.connection else { return false }
    let isOpen = clients.isOpen(connection)
    if let number = delegate.beginTermination(asking: isOpen) {
      cancelBudget(of: number, on: connection)
    }
    guard isOpen else { return false }
    effects.timers.append(.set(.shutdown, Self.timeToTerminate))
    ask(.willTerminate, .willTerminate)
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
