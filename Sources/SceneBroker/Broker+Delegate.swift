package import SceneModel

/// The application delegate: a client that is launched before the first scene, is asked what new
/// sessions are made from, and is told how scenes come and go, and of the application's end.
extension Broker {
  // MARK: - Who it is

  /// Why a client cannot be the delegate; one that has died, and whose connection has not closed yet,
  /// is waited for. True if there is nothing against it.
  mutating func mayBeDelegate(
    _ message: Initialize, _ asker: Asker, fresh: SessionIdentifier,
    besides asked: [ClientProcess]
  ) throws(BrokerError) -> Bool {
    guard !isShuttingDown else { throw shuttingDown }
    guard let delegate, let holder = peers[delegate.connection] else { return true }
    guard asked.contains(holder.process) else {
      try inquire(
        about: [holder.process], besides: asked, for: .initialize(message), asker, fresh)
      return false
    }
    let name = holder.client?.name.clipped(to: 100) ?? "a client"
    throw BrokerError(
      .delegateInUse,
      "\(name) \(holder.process.pid) is the application delegate, and there is one at a time")
  }

  mutating func admitDelegate(_ connection: ConnectionIdentifier) {
    delegate = Delegate(connection: connection)
  }

  /// Its connection is gone: what it was to decide is decided without it.
  mutating func loseDelegate() {
    guard let lost = delegate else { return }
    if let question = lost.running { cancelBudget(of: question.number, on: lost.connection) }
    delegate = nil
    decideCreations()
    releaseScenes(declining: nil)
    stopIfDone()
  }

  /// Whether it can be asked something now and will presumably answer.
  var isDelegateListening: Bool {
    guard let delegate, let peer = peers[delegate.connection] else { return false }
    return !peer.isLeft && !peer.isSilent
  }

  // MARK: - What waits for it

  /// Whether a request has to wait for the delegate: while it launches nothing is made, and where one
  /// is required no scene comes before it was launched once. What it wants itself never waits.
  func mustAwaitDelegate(_ asker: Asker, making: Bool) -> Bool {
    guard asker.connection != delegate?.connection else { return false }
    let isRequired = manifest.applicationDelegate == .required && !hasLaunchedDelegate
    return isRequired || making && delegate?.isLaunching == true && isDelegateListening
  }

  /// How many requests wait for a delegate that is required and not there.
  package var awaitingMissingDelegate: Int { delegate == nil ? waiting.count(.delegate) : 0 }

  mutating func awaitDelegate(
    _ request: WaitingRequest.Request, _ asker: Asker, fresh: SessionIdentifier
  ) throws(BrokerError) {
    try wait(
      WaitingRequest(cause: .delegate, request: request, asker: asker, fresh: fresh))
  }

  /// What waited for the delegate is tried again; some of it waits once more if it still has to. One
  /// of the requests was what the application was launched for, and that may have been declined.
  mutating func releaseScenes(declining declined: SessionIdentifier?) {
    for request in waiting.take(.delegate) {
      if request.fresh == declined { decline(request) } else { retry(request, besides: []) }
    }
  }

  /// Without what it was to be handed a scene can still be connected; what was only opened cannot.
  private mutating func decline(_ request: WaitingRequest) {
    switch request.request {
    case .connect(var message):
      message.options = nil
      connect(message, request.asker, fresh: request.fresh)
    case .activate, .open:
      refuse(
        request.asker,
        BrokerError(.requestDenied, "the application delegate declined what was to be opened"))
    case .refresh(let message): refresh(message, request.asker, fresh: request.fresh)
    case .initialize: preconditionFailure("a client that comes does not wait for the delegate")
    }
  }

  /// What the application is launched for: what waits longest.
  private var launchReason: (request: SessionIdentifier, options: ConnectionOptions)? {
    guard let first = waiting.first(.delegate) else { return nil }
    let options: ConnectionOptions =
      switch first.request {
      case .connect(let message): message.options ?? .none
      case .activate(let message): Occasion(message).options
      case .open(let message): message.content?.options ?? .none
      case .refresh, .initialize: .none
      }
    return options == .none ? nil : (first.fresh, options)
  }

  // MARK: - The conversation

  /// Asks or tells what comes next, if nothing waits for an answer. It is looked after once for each
  /// event.
  mutating func converse() {
    guard let delegate, delegate.running == nil, isDelegateListening, !isShuttingDown
    else { return }
    rememberDelegate()
    switch delegate.stage {
    case .arrived: ask(.willFinishLaunching, .willFinishLaunching)
    case .launching:
      let reason = launchReason
      ask(
        .didFinishLaunching(carrying: reason?.request),
        .didFinishLaunching(DidFinishLaunching(options: reason?.options ?? .none)))
    case .launched:
      if let creation = creations.first {
        ask(
          .configuration(of: creation.identifier),
          .configurationForConnecting(question(about: creation)))
      } else if storageRefusal(of: .little) == nil, let report = nextReport {
        ask(.discards(report.report), .didDiscardSceneSessions(report))
      }
    case .terminating, .terminated: break
    }
  }

  private mutating func ask(_ subject: Delegate.Subject, _ callback: DelegateCallback) {
    guard let connection = delegate?.connection, let number = peers[connection]?.tell() else {
      return
    }
    delegate?.begin(subject, number)
    sendAboutAll(
      .delegateCallback(number, callback, budget: budget(for: callback.kind)), to: connection)
    tellOfDelegate(.callback, subject)
  }

  func budget(for kind: DelegateCallbackKind) -> Interval {
    let budget = manifest.budgets[kind.rawValue]
    return kind == .willTerminate ? min(budget, Self.timeToTerminate) : budget
  }

  private mutating func tellOfDelegate(
    _ event: TraceEvent, _ subject: Delegate.Subject, detail: String? = nil
  ) {
    var detail = detail
    if case .discards(let report) = subject, detail == nil { detail = report.description }
    tell(
      event, subject.session, client: delegate?.connection, delegateCallback: subject.kind,
      detail: detail)
  }

  private mutating func cancelBudget(of number: Int64, on connection: ConnectionIdentifier) {
    effects.timers.append(.cancel(.callback(connection, number)))
  }

  /// Takes what the delegate answers; false if that answers another callback.
  mutating func takeFromDelegate(_ answer: CallbackAnswer, to number: Int64) -> Bool {
    guard let connection = delegate?.connection else { return false }
    if let report = delegate?.endLate(number) {
      if !answer.isFailure { acknowledge(report) }
      return true
    }
    guard let subject = delegate?.end(number) else { return false }
    cancelBudget(of: number, on: connection)
    switch answer {
    case .failed(let message): tellOfDelegate(.failed, subject, detail: message)
    case .done, .activity, .launched, .configuration: tellOfDelegate(.acknowledged, subject)
    }
    goOn(after: subject, answer)
    return true
  }

  private mutating func goOn(after subject: Delegate.Subject, _ answer: CallbackAnswer?) {
    switch subject {
    case .willFinishLaunching: delegate?.stage = .launching
    case .didFinishLaunching(let carried): finishLaunching(carried, answer)
    case .configuration(let session): decide(session, answer)
    case .discards(let report):
      if answer?.isFailure == false { acknowledge(report) }
    case .willTerminate:
      delegate?.stage = .terminated
      stopIfDone()
    }
  }

  private mutating func finishLaunching(
    _ carried: SessionIdentifier?, _ answer: CallbackAnswer?
  ) {
    delegate?.stage = .launched
    hasLaunchedDelegate = true
    var declined: SessionIdentifier?
    if case .launched(accepted: false) = answer { declined = carried }
    releaseScenes(declining: declined)
  }

  /// A question was not answered in time: things go on without the answer, and nothing more is asked
  /// until the delegate says something.
  mutating func overrunDelegate(_ number: Int64, debugged: Bool) {
    guard let delegate, let question = delegate.running, question.number == number else { return }
    guard !debugged || question.subject == .willTerminate else {
      let budget = budget(for: question.subject.kind)
      return effects.timers.append(.set(.callback(delegate.connection, number), budget))
    }
    tellOfDelegate(.overran, question.subject)
    sendAboutAll(
      .notification(
        .delegate(.overran(DelegateOverrun(callback: question.subject.kind, id: number)))),
      to: delegate.connection)
    peers[delegate.connection]?.isSilent = true
    guard let subject = self.delegate?.giveUp() else { return }
    if subject == .willFinishLaunching {
      // Nobody waits for the rest of the launch, whenever that comes.
      hasLaunchedDelegate = true
      releaseScenes(declining: nil)
    }
    goOn(after: subject, nil)
    decideCreations()
  }

  // MARK: - What it is told

  mutating func tellDelegate(
    _ notification: DelegateNotification, about session: SessionIdentifier
  ) {
    guard let delegate, peers[delegate.connection]?.isLeft == false else { return }
    send(.notification(.delegate(notification)), to: delegate.connection, about: session)
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
    guard let stage = delegate?.stage else { return false }
    switch stage {
    case .terminated: return false
    case .terminating: return true
    case .arrived, .launching, .launched: break
    }
    if let connection = delegate?.connection, let question = delegate?.running {
      cancelBudget(of: question.number, on: connection)
      _ = delegate?.giveUp()
    }
    guard peers[delegate?.connection ?? ConnectionIdentifier(0)]?.isLeft == false else {
      delegate?.stage = .terminated
      return false
    }
    delegate?.stage = .terminating
    effects.timers.append(.set(.shutdown, Self.timeToTerminate))
    ask(.willTerminate, .willTerminate)
    return true
  }

  /// Its time for that is over.
  mutating func endWaitForDelegate() {
    guard delegate?.stage == .terminating else { return }
    _ = delegate?.giveUp()
    delegate?.stage = .terminated
    stopIfDone()
  }
}

extension CallbackAnswer {
  fileprivate var isFailure: Bool {
    switch self {
    case .failed: true
    case .done, .activity, .launched, .configuration: false
    }
  }
}
