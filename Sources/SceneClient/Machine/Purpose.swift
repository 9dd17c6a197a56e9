import SceneModel

/// Why something is asked of the broker, and so what its reply means.
enum Purpose: Equatable {
  case introduction
  /// The program wanted it.
  case program(ProgramRequest)
  case save(SessionIdentifier, Save)
  /// To go on where the scene was; with the activity that was sent along.
  case resume(SessionIdentifier, SceneConnect, carried: Activity?)
  /// To have a session again, of which this client has no scene.
  case comeBack(LostSession)
  /// To have a session again, of which somebody else has had a scene since.
  case startOver(LostSession)
  /// To end a scene, because the client stops or its program would not have it.
  case leave(SessionIdentifier, ClientRequest)
  /// To be sent the events of a topic.
  case observe(EventSource)
  /// To learn that nothing follows a callback: the reply comes behind what does.
  case confirmRest(SessionIdentifier, after: CallNumber)

  func request(_ machine: ClientMachine) -> ClientRequest {
    switch self {
    case .introduction:
      .initialize(
        Initialize(
          client: machine.client, as: .scene, hosts: machine.hosts, launch: machine.launch))
    case .program(let asked): asked.request
    case .leave(_, let request): request
    case .save(let session, let save):
      .saveActivity(SaveActivity(session: session, activity: save.activity))
    case .resume(_, let message, _): .connect(message)
    case .comeBack(let lost), .startOver(let lost): .connect(lost.request)
    case .observe(let source):
      .observeEvents(
        EventObserve(
          topic: source.topic, after: machine.observations[source]?.position,
          session: source.session))
    case .confirmRest: .ping(Ping())
    }
  }

  /// The session whose activity it is to keep.
  var savedSession: SessionIdentifier? {
    switch self {
    case .save(let session, _), .resume(let session, _, carried: .some): session
    case .introduction, .program, .resume, .comeBack, .startOver, .leave, .observe, .confirmRest:
      nil
    }
  }

  /// Whether the client can send the request again after it lost the connection.
  var isIdempotent: Bool {
    switch self {
    case .program(let asked): asked.request.message.isIdempotent
    case .introduction, .save, .resume, .comeBack, .startOver, .leave, .observe, .confirmRest: true
    }
  }

  /// Whether it asks for a session again that this client lost.
  var asksBack: Bool { if case .comeBack = self { true } else { false } }

  /// Whether a scene may come of it that this client does not have yet.
  var mayMakeScene: Bool {
    switch self {
    case .program(let asked): if case .connect = asked.request { true } else { false }
    case .comeBack, .startOver: true
    case .introduction, .save, .resume, .leave, .observe, .confirmRest: false
    }
  }
}

/// A request of the program's own.
struct ProgramRequest: Equatable {
  var ticket: Ticket?
  var request: ClientRequest
  /// Whether it was sent before, on a connection that was lost.
  var isRepeated = false
  /// How often it was refused because it was only overtaken.
  var refusals = 0
}
