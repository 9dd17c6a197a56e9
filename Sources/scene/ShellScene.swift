import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform

/// The scene itself: it answers callbacks, remembers what it is at, and carries out commands.
final class ShellScene: ClientHandler {
  struct State: Sendable {
    var session: SessionIdentifier?
    var isConnected = false
    /// Its scene was reclaimed, and the session is there as far as is known.
    var isPutAway = false
    var activationState = ActivationState.unattached
    /// What it was asked last. That is what took too long where the watchdog ends it.
    var lastCallback: CallbackKind?
    /// What the scene is at; nil until it has been told.
    var activity: Presence<Activity> = .absent
    /// The newest of it that the broker has kept: what the scene is at again when something newer
    /// is refused for good.
    var kept: Presence<Activity> = .absent
    /// What it observes, and how far it has come; a scene that comes back observes it again.
    var topics: [String: EventPosition?] = [:]
    /// To be saved once the scene is connected.
    var firstActivity: Activity?
    /// What the scene is to be called then.
    var firstTitle: String?
    /// The broker has started this program, and reads what it says for as long as that lives.
    var isLaunched = false
    var hangsAlways = false
    var hangs: Set<CallbackKind> = []
    var hasBeenConnected = false
    var isWaitingForBroker = false
    /// The broker was lost, and has not said since that the scene goes on.
    var isUnresumed = false
    /// What the broker said when it would not have this client yet.
    var turnedAway: String?
    var isGoingHome = false
    /// Whether this process has not stopped since it was sent home.
    var mustStop = false
    /// The application has ended in order, so it is no news that its broker goes.
    var expectsLoss = false
    /// It was told to leave.
    var isEnding = false
    var exitCode = ExitCode.success
    /// What standard error is told at the end.
    var complaint: String?
    /// Why what a program said last could not be saved.
    var unsaved: String?
    /// Nothing need be kept any more.
    var isDiscarded = false
    /// Whoever read standard output is gone, which is not an error worth a word.
    var hasLostReader = false

    /// The broker has kept it.
    mutating func keep(_ activity: Activity?) {
      kept = .orNull(activity)
      unsaved = nil
    }

    /// The broker would not have it. What it will never have is not offered to it again.
    mutating func giveUp(_ activity: Activity?, _ error: SceneError) {
      guard error.retry == .never else { return }
      let refused = Presence.orNull(activity)
      // A broker with other limits may refuse what one before it has kept, and still has.
      if kept == refused { kept = .absent }
      if self.activity == refused { self.activity = kept }
    }
  }

  /// What the main thread has to know.
  enum News: Sendable {
    /// There is a scene to command.
    case ready
    /// A command has been answered.
    case answered
    /// The broker knows that the scene is in the background.
    case home
    /// The program is to be started.
    case launch(ProgramLaunch, Errand<SystemError?>)
    /// The program is to be ended; for good, or it may be started again.
    case dismiss(isForGood: Bool, Errand<Void>)
    /// All that the program has said is saved, or cannot be.
    case savedLast
    case stopped
  }

  struct Inbox: Sendable {
    var news: [News] = []
    /// Nobody looks into it any more.
    var isClosed = false
  }

  let state: Monitor<State>
  let inbox = Monitor(Inbox())
  let wakeup: Wakeup
  /// Where the scene is a program.
  let desk: ProgramDesk?
  private let screen: Screen
  private let telling: any Telling
  private let advice: Advice
  private let connection = Monitor<Client?>(nil)

  init(
    _ screen: Screen, _ telling: any Telling, _ advice: Advice, firstActivity: Activity?,
    desk: ProgramDesk? = nil
  ) throws(SystemError) {
    self.desk = desk
    self.screen = screen
    self.telling = telling
    self.advice = advice
    wakeup = try Wakeup()
    state = Monitor(State(firstActivity: firstActivity))
  }

  func attach(_ client: Client) { connection.withLock { $0 = client } }

  /// Whether it was told not to answer something any more.
  var hangs: Bool { state.withLock { $0.hangsAlways || !$0.hangs.isEmpty } }

  var client: Client? { connection.withLock { $0 } }

  // MARK: - Telling

  func tell(_ happening: Happening) {
    desk?.tell(happening)
    // What waits for room in its pipe is for the main thread.
    if desk?.events?.isBehind == true { wakeup.signal() }
    let lines = telling.lines(for: happening)
    guard !lines.isEmpty else { return }
    screen.show(lines)
    switch screen.failure {
    case nil: break
    case .brokenPipe?: loseReader()
    case let failure?: end(.inputOutput, "standard output: \(failure)")
    }
  }

  /// Nobody reads what is told any more: ends in order, and without a word, unless it was for the log
  /// of a broker that is gone.
  func loseReader() {
    let ends = state.withLock { state in
      if !state.isLaunched { state.hasLostReader = true }
      return state.hasLostReader
    }
    if ends { client?.stop() }
  }

  /// The broker has had time enough for an answer.
  func tellIfUnanswered() {
    let known = state.withLock { $0 }
    guard !known.isEnding else { return }
    if !known.hasBeenConnected {
      tell(.unanswered(known.turnedAway))
    } else if known.session == nil, !known.isLaunched {
      tellIfDelegateIsMissing()
    }
  }

  /// Scenes wait for an application delegate that the manifest requires, and nobody else says so.
  private func tellIfDelegateIsMissing() {
    client?.request(.status(ApplicationStatus())) { [self] result in
      guard case .success(.status(let status)) = result, let waiting = status.awaitingDelegate,
        waiting > 0, status.delegate == nil, state.withLock({ $0.session == nil })
      else { return }
      screen.complain(
        "scene: waiting for the application delegate, which the manifest requires. "
          + "In a shell it is: \(advice.delegate)")
    }
  }

  func post(_ news: News) {
    let isClosed = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.news.append(news) }
      return inbox.isClosed
    }
    if isClosed { news.refuse() } else { wakeup.signal() }
  }

  /// The main thread takes no more news. Whoever waits for something to be done need not.
  func closeInbox() {
    let left = inbox.withLock { inbox in
      inbox.isClosed = true
      return inbox.news
    }
    for news in left { news.refuse() }
  }

  /// Ends in order, because somebody wants it to.
  func leave() {
    state.withLock { $0.isEnding = true }
    client?.stop()
  }

  /// Ends in order, with this code. The first reason that is not a success is the one that counts.
  func end(_ code: ExitCode, _ complaint: String? = nil) {
    state.withLock { state in
      if state.exitCode == .success { state.exitCode = code }
      state.complaint = complaint ?? state.complaint
    }
    client?.stop()
  }

  // MARK: - Connecting

  func connect(_ message: SceneConnect) {
    client?.request(.connect(message)) { [self] result in
      switch result {
      case .success(let reply):
        guard case .connected(let connected) = reply else { return }
        client?.enqueue(connected.session) { [self] in tell(.replied(.connect, nil, reply)) }
      case .failure(let error): refuseUnlessOver(error)
      }
    }
  }

  /// The broker has started this program for a session, and gives it the scene by itself.
  func awaitLaunch(title: String?) {
    state.withLock { state in
      state.firstTitle = title
      state.isLaunched = true
    }
  }

  /// Ends with what the broker refused, unless it ends for want of a broker anyway.
  func refuseUnlessOver(_ error: SceneError) {
    guard error.code != .applicationStopped, error.code != .brokerUnavailable else { return }
    client?.enqueue(nil) { [self] in refuse(error) }
  }

  private func refuse(_ error: SceneError) {
    let lines =
      error.code == .sessionInUse
      ? "\nTake it with: \(advice.takeOver)\nMake another with: \(advice.another)" : ""
    if telling is JSONLines { tell(.failed(.connect, nil, error)) }
    end(ExitCode(error), error.message.printable + lines)
  }

  // MARK: - Topics

  func hear(_ news: EventNews, of source: EventSource) {
    switch news {
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

  func hear(_ news: ClientNews) {
    switch news {
    case .connection(.waiting):
      let isLoss = state.withLock { state in
        state.isWaitingForBroker = true
        state.isUnresumed = state.isConnected
        defer { state.expectsLoss = false }
        return state.hasBeenConnected && !state.expectsLoss
      }
      if isLoss { tellInTurn(.waiting) }
    case .connection(.connected):
      let isReturn = state.withLock { state in
        defer { (state.hasBeenConnected, state.isWaitingForBroker) = (true, false) }
        return state.hasBeenConnected
      }
      if isReturn {
        tellInTurn(.connected)
        lookAfterSession()
      }
    case .connection(.stopped): post(.stopped)
    case .connection(.connecting), .phase: break
    case .notice(let notice): tell(.noticed(notice))
    case .turnedAway(let error): state.withLock { $0.turnedAway = error.message }
    case .resumed(let session):
      state.withLock { $0.isUnresumed = false }
      tellInTurn(.resumed(session))
    case .notReturned(let session, let error): lose(session, error)
    case .discarded(let session): miss(session, isUnknown: false)
    }
  }

  /// Behind the answers that the broker took along.
  private func tellInTurn(_ happening: Happening) {
    client?.enqueue(state.withLock { $0.session }) { [self] in tell(happening) }
  }

  /// The session did not come back with the broker.
  private func lose(_ session: SessionIdentifier, _ error: SceneError) {
    if error.code == .sessionNotFound {
      tell(.ended(Ending(session: session, reason: .discarded, isUnknown: true)))
      end(.success)
    } else {
      tell(.failed(nil, nil, error))
      end(.no)
    }
  }
}

extension ShellScene.News {
  /// Tells whoever waits that it will not be done.
  fileprivate func refuse() {
    switch self {
    case .launch(_, let errand): errand.finish(SystemError(call: "exec", code: .interrupted))
    case .dismiss(_, let errand): errand.finish(())
    case .ready, .answered, .home, .savedLast, .stopped: break
    }
  }
}
