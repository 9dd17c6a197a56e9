package import SceneModel

/// A request to the broker. The case decides the meaning of the reply.
enum PendingRequest: Equatable {
  case initialize
  /// A request of the program.
  case program(ProgramRequest)
  case save(SessionIdentifier, PendingSave)
  /// Resumes a scene. `carried` is the activity that the message saves.
  case resume(SessionIdentifier, SceneConnect, carried: Activity?)
  /// Connects a lost session that has no scene here.
  case requestLost(LostSession)
  /// Connects a session again that another client had meanwhile.
  case connectAgain(LostSession)
  /// Ends a scene, because the client stops or the program refused the scene.
  case leave(SessionIdentifier, ClientRequest)
  /// Observes a topic.
  case observe(EventSource)
  /// Confirms that no callback follows: the reply would come after it.
  case confirmBackground(SessionIdentifier, after: CallNumber)

  func message(of machine: ClientMachine) -> ClientRequest {
    switch self {
    case .initialize:
      ClientRequest(
        Initialize(
          client: machine.client, as: machine.kind, hosts: machine.hosts, launch: machine.launch))
    case .program(let asked): asked.request
    case .leave(_, let request): request
    case .save(let session, let save):
      ClientRequest(SaveActivity(session: session, activity: save.activity))
    case .resume(_, let message, _): ClientRequest(message)
    case .requestLost(let lost), .connectAgain(let lost): ClientRequest(lost.request)
    case .observe(let source):
      ClientRequest(
        EventObserve(
          topic: source.topic, after: machine.observations[source]?.position,
          session: source.session))
    case .confirmBackground: ClientRequest(Ping())
    }
  }

  /// The token of a request of the program.
  var token: RequestToken? {
    if case .program(let asked) = self { asked.token } else { nil }
  }

  /// The session whose activity the request saves.
  var savedSession: SessionIdentifier? {
    switch self {
    case .save(let session, _), .resume(let session, _, carried: .some): session
    default: nil
    }
  }

  /// The save without a token; nil if this is no save with the token.
  func removing(_ token: RequestToken) -> PendingRequest? {
    guard case .save(let session, var save) = self, let index = save.tokens.firstIndex(of: token)
    else { return nil }
    save.tokens.remove(at: index)
    return .save(session, save)
  }

  /// Whether the client can send the request again after it lost the connection.
  var isIdempotent: Bool {
    if case .program(let asked) = self { asked.request.message.isIdempotent } else { true }
  }

  /// Whether the request connects a lost session.
  var requestsLostSession: Bool { if case .requestLost = self { true } else { false } }

  /// Whether the request can make a new scene here.
  var mayMakeScene: Bool {
    switch self {
    case .program(let asked): asked.request.message is SceneConnect
    case .requestLost, .connectAgain: true
    default: false
    }
  }
}

/// A request of any type.
package struct ClientRequest: Equatable, Sendable {
  package let message: any RequestMessage

  package init(_ message: any RequestMessage) { self.message = message }

  package static func == (one: Self, other: Self) -> Bool { one.message.equals(other.message) }
}

/// A request of the program.
struct ProgramRequest: Equatable {
  var token: RequestToken?
  var request: ClientRequest
  /// Whether the request was sent before, on a lost connection.
  var isRepeated = false
  /// The number of refusals because another request came first.
  var refusals = 0
  /// Whether the program no longer waits for the reply. The request is not sent again.
  var isAbandoned = false
}

extension SceneError {
  /// The error of a request whose task was cancelled.
  static func cancelled(isSent: Bool) -> SceneError {
    let fate = isSent ? "the broker may have carried it out" : "it was not sent"
    return SceneError(.cancelled, "the request was cancelled: \(fate)", retry: .later)
  }

  /// The error of a save whose task was cancelled.
  static var cancelledSave: SceneError {
    SceneError(
      .cancelled, "the request was cancelled: the activity stays queued, and is saved later")
  }
}
