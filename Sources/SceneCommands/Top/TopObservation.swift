import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

/// The requests of `scenectl top` and `switcher` to one broker. No call waits for a reply.
final class TopObservation {
  /// The result of a request of the user.
  enum Outcome {
    case success
    /// The user has switched to a session.
    case switched
    /// No client can take the session without a window.
    case needsWindow(SessionIdentifier, label: String)
    /// Escaped.
    case failure(String)
    case reasons(label: String, lines: [String])
  }

  private let connection: ControlConnection
  /// The open requests. A refusal without an answer ends the connection.
  private var open:
    [(
      number: Int64, handle: (RawJSON) throws -> Outcome?, refuse: ((RemoteError) -> Outcome?)?
    )] = []
  private(set) var model = TopModel()
  /// Whether the list of sessions is complete. Until then notifications wait, because they are
  /// newer than the pages.
  private(set) var isLoaded = false

  /// The sessions whose cards are current, or requested.
  private var cards: Set<SessionIdentifier> = []

  init(on connection: ControlConnection) {
    self.connection = connection
    post(SessionObserve())
    // The stored entries show the callbacks that are open now.
    post(TraceObserve())
    post(ApplicationStatus()) { [unowned self] status in
      model.take(status)
      return nil
    }
    list(SessionList(limit: SessionList.pageSize))
  }

  private func post<Message: RequestMessage>(
    _ message: Message, _ handle: @escaping (Message.Reply) -> Outcome? = { _ in nil },
    refuse: ((RemoteError) -> Outcome?)? = nil
  ) {
    let number = connection.post(message)
    open.append(
      (number, { handle(try ControlConnection.read(Message.Reply.self, from: $0)) }, refuse))
  }

  /// Posts a request of the user about the session with this label.
  private func post<Message: RequestMessage>(
    _ message: Message, _ label: String, _ handle: @escaping (Message.Reply) -> Outcome?
  ) {
    post(message, handle) { .failure(ProgramError($0, about: label).message) }
  }

  private func list(_ list: SessionList) {
    post(list) { [unowned self] page in
      model.take(page.sessions)
      var rest = list
      rest.after = page.next
      if rest.after == nil { isLoaded = true } else { self.list(rest) }
      return nil
    }
  }

  /// Reads the cards of these sessions that are not current.
  func readCards(of sessions: [SessionIdentifier]) {
    for session in sessions where cards.insert(session).inserted {
      // The session can be discarded meanwhile.
      post(SessionShow(session: session)) { [unowned self] details in
        model.take(details)
        return nil
      } refuse: { _ in
        nil
      }
    }
    // The next input reports an error.
    try? connection.flush()
  }

  // MARK: - Requests of the user

  func perform(_ action: TopAction, on session: SessionIdentifier, label: String) {
    switch action {
    case .activate:
      activate(
        session, label: label, .success,
        withoutHost: .failure("\(label) has no process; press o to open its window"))
    case .background:
      post(SceneTransition(session: session, to: .background), label) { reply in
        reply.state == .background
          ? .success : .failure("\(label): the scene is \(reply.state.rawValue)")
      }
    case .reclaim:
      post(Reclaim(sessions: [session]), label) { reply in
        reply.sessions.contains(session)
          ? .success
          : .failure(
            "\(label) was not reclaimed: only a scene in the background can be reclaimed")
      }
    case .close: post(SceneTransition(session: session, to: .unattached), label) { _ in .success }
    case .discard: post(RequestDestruction(sessions: [session]), label) { _ in .success }
    }
  }

  func switchTo(_ session: SessionIdentifier, label: String) {
    activate(
      session, label: label, .switched, withoutHost: .needsWindow(session, label: label))
  }

  private func activate(
    _ session: SessionIdentifier, label: String, _ success: Outcome, withoutHost: Outcome
  ) {
    // The broker has replied to `initialize` before it listed the session.
    let environment = try? connection.environmentOfActivation(until: SystemClock.monotonic())
    post(RequestActivation(session: session, environment: environment)) { _ in
      success
    } refuse: { error in
      error.is(.noHost) ? withoutHost : .failure(ProgramError(error, about: label).message)
    }
  }

  func explain(_ session: SessionIdentifier, label: String) {
    post(SessionHistory(session: session), label) { [unowned self] history in
      .reasons(label: label, lines: model.lines(of: history.reasons, about: session))
    }
  }

  // MARK: - Messages of the broker

  /// Sends the requests, and handles all that has arrived.
  func handleInput() throws -> [Outcome] {
    try connection.handleInput()
    var outcomes: [Outcome?] = []
    while let place = open.firstIndex(where: { connection.isAnswered($0.number) }) {
      let (number, handle, refuse) = open.remove(at: place)
      do {
        outcomes.append(try handle(connection.result(of: number)))
      } catch ControlError.refused(let error) {
        guard let refuse else { throw ControlError.refused(error) }
        outcomes.append(refuse(error))
      }
    }
    if isLoaded {
      for notification in try connection.takeNotifications() {
        guard let known = notification.content else { continue }
        model.take(known)
        if case .sessionChanged(let summary) = known { cards.remove(summary.session) }
      }
    }
    // The next page.
    try connection.flush()
    return outcomes.compactMap(\.self)
  }
}
