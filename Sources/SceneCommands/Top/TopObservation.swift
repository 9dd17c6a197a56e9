import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

/// The requests of `scenectl top` to one broker. No call waits for a reply.
struct TopObservation {
  /// The result of a request of the user.
  enum Outcome {
    case success
    /// Escaped.
    case failure(String)
    case reasons(label: String, [TraceEntry])
  }

  private enum Request {
    case observation
    case status
    case page(SessionList)
    case action(TopAction, SessionIdentifier, label: String)
    case reasons(label: String)
  }

  private let connection: ControlConnection
  private var open: [(number: Int64, request: Request)] = []
  private(set) var model = TopModel()
  /// Whether the list of sessions is complete. Until then notifications wait, because they are
  /// newer than the pages.
  private(set) var isLoaded = false

  init(on connection: ControlConnection) {
    self.connection = connection
    open.append((connection.post(SessionObserve()), .observation))
    // The stored entries show the callbacks that are open now.
    open.append((connection.post(TraceObserve()), .observation))
    open.append((connection.post(ApplicationStatus()), .status))
    post(SessionList(limit: SessionList.pageSize))
  }

  private mutating func post(_ list: SessionList) {
    open.append((connection.post(list), .page(list)))
  }

  // MARK: - Requests of the user

  mutating func perform(_ action: TopAction, on session: SessionIdentifier, label: String) {
    let number =
      switch action {
      case .activate: connection.post(activation(of: session))
      case .background: connection.post(SceneTransition(session: session, to: .background))
      case .reclaim: connection.post(Reclaim(sessions: [session]))
      case .close: connection.post(SceneTransition(session: session, to: .unattached))
      case .discard: connection.post(RequestDestruction(sessions: [session]))
      }
    open.append((number, .action(action, session, label: label)))
  }

  private func activation(of session: SessionIdentifier) -> RequestActivation {
    // The broker has replied to `initialize` before it listed the session.
    let environment = try? connection.environmentOfActivation(until: SystemClock.monotonic())
    return RequestActivation(session: session, environment: environment)
  }

  mutating func explain(_ session: SessionIdentifier, label: String) {
    open.append((connection.post(SessionHistory(session: session)), .reasons(label: label)))
  }

  // MARK: - Messages of the broker

  /// Sends the requests, and handles all that has arrived.
  mutating func handleInput() throws -> [Outcome] {
    try connection.handleInput()
    var outcomes: [Outcome] = []
    while let place = open.firstIndex(where: { connection.isAnswered($0.number) }) {
      let (number, request) = open.remove(at: place)
      if let outcome = try outcome(of: request, number) { outcomes.append(outcome) }
    }
    if isLoaded {
      for notification in try connection.takeNotifications() {
        if let known = try notification.read() { model.take(known) }
      }
    }
    // The next page.
    try connection.flush()
    return outcomes
  }

  private mutating func outcome(
    of request: Request, _ number: Int64
  ) throws -> Outcome? {
    do {
      return try handle(connection.result(of: number), request)
    } catch ControlError.refused(let refusal) {
      switch request {
      case .action(_, _, let label), .reasons(let label):
        return .failure(ProgramError(refusal, about: label).message)
      case .observation, .status, .page: throw ControlError.refused(refusal)
      }
    }
  }

  private mutating func handle(
    _ json: RawJSON, _ request: Request
  ) throws -> Outcome? {
    switch request {
    case .observation: return nil
    case .status:
      model.take(try ControlConnection.read(ApplicationStatus.Reply.self, from: json))
      return nil
    case .page(var list):
      let page = try ControlConnection.read(SessionList.Reply.self, from: json)
      model.take(page.sessions)
      list.after = page.next
      if list.after == nil { isLoaded = true } else { post(list) }
      return nil
    case .reasons(let label):
      let history = try ControlConnection.read(SessionHistory.Reply.self, from: json)
      return .reasons(label: label, history.reasons)
    case .action(let action, let session, let label):
      return try Self.complaint(about: json, action, session, label).map { .failure($0) }
        ?? .success
    }
  }

  /// The reason why a reply without an error is no success.
  private static func complaint(
    about json: RawJSON, _ action: TopAction, _ session: SessionIdentifier, _ label: String
  ) throws -> String? {
    switch action {
    case .activate, .discard: return nil
    case .background, .close:
      let state = try ControlConnection.read(SceneTransition.Reply.self, from: json).state
      return action == .background && state != .background
        ? "\(label): the scene is \(state.rawValue)" : nil
    case .reclaim:
      let taken = try ControlConnection.read(Reclaim.Reply.self, from: json).sessions
      return taken.contains(session)
        ? nil : "\(label) was not reclaimed: only a scene in the background can be reclaimed"
    }
  }
}
