import SceneApp
import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// Answers the callbacks of the scene, stores its activity, and runs commands.
final class SceneController: ClientHandler {
  /// A message to the main thread.
  enum Message: Sendable {
    /// The session of the command line; nil if it does not exist yet.
    case found(SessionSummary?)
    /// The scene is connected and accepts commands.
    case ready
    /// A command has its reply.
    case answered
    /// The broker knows that the scene is in the background.
    case isInBackground
    /// Start the program.
    case launch(ProgramLaunch, BlockingResult<SystemError?>)
    /// End the program, for good or until the next scene.
    case dismiss(isForGood: Bool, BlockingResult<Void>)
    /// The last request of the scene has its reply, or cannot be sent.
    case finishedLastRequest
    case stopped
  }

  struct Inbox: Sendable {
    var messages: [Message] = []
    /// The main thread reads no more messages.
    var isClosed = false
  }

  let state: ConditionMutex<State>
  let inbox = ConditionMutex(Inbox())
  let wakeup: Wakeup
  let screen: Screen
  let printsJSON: Bool
  /// The settings of the command line and the user for this window.
  let windowSettings: WindowSettings
  let advice: Suggestion
  private let hosting: ConditionMutex<HostedProgramState?>
  private let connection = ConditionMutex<Client?>(nil)

  init(
    _ screen: Screen, _ advice: Suggestion, _ windowSettings: WindowSettings, printsJSON: Bool,
    firstActivity: Activity?, programState: HostedProgramState?
  ) throws(SystemError) {
    self.screen = screen
    self.printsJSON = printsJSON
    self.windowSettings = windowSettings
    self.advice = advice
    hosting = ConditionMutex(programState)
    wakeup = try Wakeup()
    state = ConditionMutex(State(work: Work(first: firstActivity)))
  }

  func attach(_ client: Client) { connection.withLock { $0 = client } }

  /// The hosted program; nil for other scenes.
  var programState: HostedProgramState? { hosting.withLock { $0 } }

  /// Hosts a program, before the scene connects.
  func host(_ programState: HostedProgramState) { hosting.withLock { $0 = programState } }

  /// Whether a callback stays unanswered.
  var hangs: Bool { state.withLock { $0.hangsAlways || !$0.hangs.isEmpty } }

  var client: Client? { connection.withLock { $0 } }

  // MARK: - Output

  /// The command line that runs this session again.
  var again: String { advice.again(state.withLock { $0.session }) }

  private var formatter: any OutputFormatter {
    if printsJSON { return JSONLines() }
    let text = TextLines(advice: advice)
    return programState == nil ? text : ProgramLines(text: text)
  }

  func tell(_ event: SceneEvent) {
    programState?.tell(event)
    // The main thread writes the waiting events.
    if programState?.events?.isBehind == true { wakeup.signal() }
    let lines = formatter.lines(for: event)
    if !lines.isEmpty { screen.show(lines) }
  }

  /// Ends the scene if standard output failed.
  func checkOutput() {
    switch screen.failure {
    case nil: break
    case .brokenPipe?: loseReader()
    case let failure?: end(.inputOutput, "standard output: \(failure)")
    }
  }

  /// The reader of the output is gone. Ends the scene without a message, except when a vanished
  /// broker was the reader.
  func loseReader() {
    let ends = state.withLock { state in
      if !state.isLaunched { state.end.hasLostReader = true }
      return state.end.hasLostReader
    }
    if ends { client?.stop() }
  }

  /// Reports a broker that did not answer in time.
  func reportIfUnanswered() {
    let known = state.withLock { $0 }
    guard !known.end.isWanted else { return }
    if !known.link.hasBeenConnected {
      let absence = known.link.isWaiting ? "no broker runs" : nil
      tell(.unanswered(known.link.rejection ?? absence))
    } else if known.session == nil, !known.isLaunched {
      reportMissingDelegate()
    }
  }

  /// Reports that scenes wait for an application delegate. The broker does not report it to the
  /// scene.
  private func reportMissingDelegate() {
    client?.request(ApplicationStatus()) { [self] result in
      guard case .success(let status) = result, let waiting = status.awaitingDelegate,
        waiting > 0, status.delegate == nil, state.withLock({ $0.session == nil })
      else { return }
      screen.complain(
        "scene: waiting for the application delegate, which the manifest requires; "
          + "to run one in a shell, use: \(advice.delegate)")
    }
  }

  func post(_ message: Message) {
    let isClosed = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.messages.append(message) }
      return inbox.isClosed
    }
    if isClosed { message.refuse() } else { wakeup.signal() }
  }

  /// The main thread reads no more messages. Releases the waiting threads.
  func closeInbox() {
    let left = inbox.withLock { inbox in
      inbox.isClosed = true
      return inbox.messages
    }
    for message in left { message.refuse() }
  }

  /// Ends the scene on request, or for a cause that is not the user's.
  func leave(by cause: DisconnectCause? = nil) {
    state.withLock { $0.end.isWanted = true }
    client?.stop(by: cause)
  }

  /// Ends the scene with this code. The first failure wins.
  func end(_ code: ExitCode, _ complaint: String? = nil) {
    state.withLock { state in
      if state.end.code == .success { state.end.code = code }
      state.end.complaint = complaint ?? state.end.complaint
    }
    client?.stop()
  }

  // MARK: - Connecting

  /// Connects. `plain` is the request for an application that has a single scene.
  func connect(
    _ message: SceneConnect, recover: @escaping @Sendable (SceneError) -> Bool = { _ in false }
  ) {
    client?.request(message) { [self] result in
      switch result {
      case .success(let reply):
        client?.enqueue(reply.session) { [self] in
          tell(.replied(.connect, nil, BrokerReply(reply)))
        }
      case .failure(var error):
        // Only the command line can correct a wrong --role.
        if error.code == .wrongRole, let role = message.role {
          error.message = "--role \(PlainText.word(role.rawValue)): \(error.message)"
          return refuseUnlessOver(error, .usage)
        }
        if recover(error) { return }
        if error.code == .tooLarge, message.program != nil {
          return connectWithoutStoring(message, error)
        }
        guard error.code == .sessionInUse else { return refuseUnlessOver(error) }
        refuseHeld(message, error)
      }
    }
  }

  /// Another process holds the session. Taking the session would end a kept program.
  private func refuseHeld(_ message: SceneConnect, _ error: SceneError) {
    let show =
      message.name.map { SessionShow(name: $0) } ?? message.session.map { SessionShow(session: $0) }
    guard let show else { return refuseUnlessOver(error) }
    client?.request(show) { [self] result in
      guard case .success(let details) = result, let holder = details.summary.client,
        holder.terminal != nil
      else { return refuseUnlessOver(error) }
      var error = error
      error.message += "\n" + advice.keptProgram(of: details.summary, holder.pid)
      state.withLock { $0.end.namesRemedy = true }
      refuseUnlessOver(error)
    }
  }

  /// A command that is too large to store can run.
  private func connectWithoutStoring(_ message: SceneConnect, _ error: SceneError) {
    var message = message
    message.program = nil
    state.withLock { state in
      state.storesProgram = false
      state.notice = "the command is not stored: \(error.message)"
    }
    connect(message)
  }

  /// Waits for the scene of a launch; the broker connects it.
  func awaitLaunch(title: String?) {
    state.withLock { state in
      state.firstTitle = title
      state.isLaunched = true
    }
  }

  /// Ends with a rejection, unless the missing broker is already the reason.
  func refuseUnlessOver(_ error: SceneError, _ code: ExitCode? = nil) {
    guard error.code != .applicationStopped, error.code != .brokerUnavailable else { return }
    client?.enqueue(nil) { [self] in refuse(error, code ?? ExitCode(error)) }
  }

  private func refuse(_ error: SceneError, _ code: ExitCode) {
    let lines =
      error.code == .sessionInUse && !state.withLock(\.end.namesRemedy)
      ? "\nTake the session with: \(advice.takeOver)\nMake another session with: \(advice.another)"
      : ""
    if printsJSON { tell(.failed(.connect, nil, error)) }
    end(code, error.message.printable + lines)
  }

  // MARK: - Topics

  func didReceive(_ update: ObservationUpdate, of source: EventSource) {
    defer { screen.waitForReader() }
    switch update {
    case .began(let position): note(position, of: source.topic)
    case .event(let event):
      note(event.position, of: source.topic)
      tell(.posted(event))
    case .gap: tell(.gap(source.topic))
    case .refused(let error):
      state.withLock { $0.topics[source.topic] = nil }
      tell(.failed(.observe, nil, error))
    case .ended: break
    }
  }

  private func note(_ position: EventPosition, of topic: String) {
    state.withLock { state in
      if state.topics[topic] != nil { state.topics[topic] = position }
    }
  }

  // MARK: - The application

  func didReceive(_ update: ClientUpdate) {
    switch update {
    case .connection(.waiting):
      let isLoss = state.withLock { state in
        state.link.isWaiting = true
        state.link.awaitsResume = state.isConnected
        defer { state.link.expectsLoss = false }
        return state.link.hasBeenConnected && !state.link.expectsLoss
      }
      if isLoss { enqueueReport(.waiting) }
    case .connection(.connected):
      let isReturn = state.withLock { state in
        defer { (state.link.hasBeenConnected, state.link.isWaiting) = (true, false) }
        return state.link.hasBeenConnected
      }
      if isReturn {
        // A broker that starts can have made the directory again.
        Holder.current.withLock { $0 }?.checkPlace()
        enqueueReport(.connected)
        checkReclaimedSession()
      }
    case .connection(.stopped):
      refusePostponed()
      post(.stopped)
    case .connection(.connecting), .phase: break
    case .notice(let notice): tell(.noticed(notice, isClassic: client?.isClassic == true))
    case .rejected(let error): state.withLock { $0.link.rejection = error.message }
    case .resumed(let session):
      state.withLock { $0.link.awaitsResume = false }
      enqueueReport(.resumed(session))
      sendProcess(of: session)
      followWindows(again: true)
    case .notReturned(let session, let error): lose(session, error)
    case .discarded(let session): miss(session, isUnknown: false)
    case .activated(let session): raiseWindow(of: session)
    }
  }

  /// Reports after the callbacks that are still in the queue.
  private func enqueueReport(_ event: SceneEvent) {
    client?.enqueue(state.withLock { $0.session }) { [self] in tell(event) }
  }

  /// The restarted broker did not resume the session.
  private func lose(_ session: SessionIdentifier, _ error: SceneError) {
    if error.code == .sessionNotFound {
      tell(.ended(SceneTermination(session: session, reason: .discarded, isUnknown: true)))
      end(.success)
    } else {
      tell(.failed(nil, nil, error))
      // A program can own the screen.
      end(.failure, programState == nil ? nil : error.message.printable)
    }
  }
}

extension SceneController.Message {
  /// Releases the waiting thread with a failure.
  fileprivate func refuse() {
    switch self {
    case .launch(_, let waiter): waiter.finish(SystemError(call: "exec", code: .interrupted))
    case .dismiss(_, let waiter): waiter.finish(())
    case .found, .ready, .answered, .isInBackground, .finishedLastRequest, .stopped: break
    }
  }
}
