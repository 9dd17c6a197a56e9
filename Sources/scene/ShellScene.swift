import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform

/// The scene itself: it answers callbacks, remembers what it is at, and carries out commands.
final class ShellScene: ClientHandler {
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
  let screen: Screen
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
    state = Monitor(State(work: Work(first: firstActivity)))
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
      if !state.isLaunched { state.end.hasLostReader = true }
      return state.end.hasLostReader
    }
    if ends { client?.stop() }
  }

  /// The broker has had time enough for an answer.
  func tellIfUnanswered() {
    let known = state.withLock { $0 }
    guard !known.end.isWanted else { return }
    if !known.link.hasBeenConnected {
      tell(.unanswered(known.link.turnedAway))
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
    state.withLock { $0.end.isWanted = true }
    client?.stop()
  }

  /// Ends in order, with this code. The first reason that is not a success is the one that counts.
  func end(_ code: ExitCode, _ complaint: String? = nil) {
    state.withLock { state in
      if state.end.code == .success { state.end.code = code }
      state.end.complaint = complaint ?? state.end.complaint
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

  /// ``hear(_:)`` has shown it.
  func hear(_ notice: SceneApplication.Notice, in session: SessionIdentifier) {}

  func hear(_ news: ClientNews) {
    switch news {
    case .connection(.waiting):
      let isLoss = state.withLock { state in
        state.link.isWaiting = true
        state.link.isUnresumed = state.isConnected
        defer { state.link.expectsLoss = false }
        return state.link.hasBeenConnected && !state.link.expectsLoss
      }
      if isLoss { tellInTurn(.waiting) }
    case .connection(.connected):
      let isReturn = state.withLock { state in
        defer { (state.link.hasBeenConnected, state.link.isWaiting) = (true, false) }
        return state.link.hasBeenConnected
      }
      if isReturn {
        tellInTurn(.connected)
        lookAfterSession()
      }
    case .connection(.stopped): post(.stopped)
    case .connection(.connecting), .phase: break
    case .notice(let notice): tell(.noticed(notice, isClassic: client?.isClassic == true))
    case .turnedAway(let error): state.withLock { $0.link.turnedAway = error.message }
    case .resumed(let session):
      state.withLock { $0.link.isUnresumed = false }
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
