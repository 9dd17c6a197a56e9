import SceneModel

/// The state machine of a client, without socket, clock and thread. Its random numbers have a seed.
///
/// `handle` is the only entry point. The caller calls it once for each event, in order, and carries
/// out the appended actions in order. The same events always have the same actions.
struct ClientMachine: Equatable {
  let client: ClientName
  /// `.scene` or `.applicationDelegate`.
  var kind = ClientKind.scene
  /// The delegate classes of this client.
  let hosts: [String]
  /// Whether the client waits for a broker that does not run at the start.
  let waitsForBroker: Bool
  /// The required application of the broker; nil if the path of the socket implies it.
  var application: String?
  /// The launch token for the broker that started this process, until the first `initialize`.
  var launch: String?

  var link = LinkState.idle
  /// The maximum bytes of an activity. The client reports a longer activity to the scene's delegate
  /// instead of sending it.
  var activityLimit = ClientLimits.largestActivityBytes
  /// The maximum bytes of a request. Before `initialize`, the maximum of any broker.
  var frameLimit = ClientLimits.largestFrameBytes
  var random: SplitMix
  var backoff = Backoff()
  /// The delays of sessions with a refused request.
  var backoffs: [SessionIdentifier: Backoff] = [:]
  /// Whether a broker has accepted this client at least once.
  var hasBeenReady = false
  var isStopping = false
  /// Why the client has ended; nil if the program ended it.
  var endCause: SceneError?
  /// Why this client stops, if the user did not close its scenes.
  var stopCause: DisconnectCause?
  var phase: ApplicationPhase = .background
  /// Whether the application is a classic application.
  var isClassic = false
  /// The last state of the connection that the program received.
  var publishedPhase: SceneApplication.ConnectionState?

  var scenes: [SessionIdentifier: ClientScene] = [:]
  /// Sessions to request from the next broker, in the order of their loss.
  var lostSessions: [LostSession] = []
  /// The observations of the program.
  var observations: [EventSource: ObservedEvents] = [:]
  /// Requests without a reply, by number.
  var pending: [Int64: PendingRequest] = [:]
  /// Requests that are not sent yet.
  var waiting: [PendingRequest] = []
  /// Superseded requests to send again, by their first number.
  var superseded: [Int64: ProgramRequest] = [:]
  /// The assertions of this connection: the broker's numbers by those of the program. The next
  /// broker counts from 1 again.
  var assertions: [Int64: Int64] = [:]
  var lastAssertion: Int64 = 0
  /// Callbacks that the program has not handled.
  var calls: [CallNumber: OpenCall] = [:]
  /// The state of an application delegate.
  var delegate = DelegateConnection()

  var lastRequest: Int64 = 0
  var lastCall: Int64 = 0
  var lastScene: Int64 = 0
  var actions: [ClientAction] = []

  /// The only entry point.
  mutating func handle(_ event: ClientEvent, into actions: inout [ClientAction]) {
    swap(&self.actions, &actions)
    take(event)
    sendWaiting()
    stopIfDone()
    swap(&self.actions, &actions)
  }

  private mutating func take(_ event: ClientEvent) {
    switch event {
    case .started: start()
    case .opened: sendInitialize()
    case .notOpened(let error): connectionFailed(error)
    case .lost(let unsent): lose(unsent: unsent)
    case .dismissed(let error): dismiss(error)
    case .due(let timer): fire(timer)
    case .replied(let number, let result): takeReply(result, to: number)
    case .called(let identifier, let callback): takeCallback(callback, identifier)
    case .delegateAsked(let number, let callback): takeQuestion(callback, number)
    case .calledUnknown(let identifier, let method):
      actions.append(.send(.unknown(identifier, method: method)))
    case .notified(let notification): takeNotification(notification)
    case .requested(let token, let request): ask(request, token)
    case .saveRequested(let session, let activity, let token): save(activity, of: session, token)
    case .abandoned(let token): abandon(token)
    case .observed(let source, let position): observe(source, after: position)
    case .ceased(let source): cease(source)
    case .answered(let number, let answer): finishCall(number, answer)
    case .delegateAnswered(let number, let answer): finishQuestion(number, answer)
    case .stopped(let cause): stop(by: cause)
    }
  }

  private mutating func fire(_ timer: ClientTimer) {
    switch timer {
    case .reconnect: reconnect()
    case .steady: if link == .ready { backoff.reset() }
    case .again(let session): askAgain(for: session)
    case .save(let session): saveAgain(of: session)
    case .repeatRequest(let number): askAgain(number)
    case .stopping: end(nil)
    }
  }

  private mutating func takeNotification(_ notification: BrokerNotification) {
    if kind == .applicationDelegate {
      return actions.append(.delegate(.notification(notification)))
    }
    switch notification {
    case .phaseChanged(let phase): publish(phase)
    case .memoryWarning: publish(.didReceiveMemoryWarning)
    case .significantTimeChange: publish(.significantTimeChange)
    case .posted(let event): takeEvent(event)
    case .sessionDiscarded(let session): actions.append(.update(.discarded(session)))
    case .activated(let session): actions.append(.update(.activated(session)))
    default: break
    }
  }

  private mutating func publish(_ notice: SceneApplication.Notice) {
    actions.append(.update(.notice(notice)))
    guard isClassic else { return }
    for session in sessionsInOrder { actions.append(.notify(session, notice)) }
  }

  mutating func publish(_ phase: ApplicationPhase) {
    guard phase != self.phase else { return }
    self.phase = phase
    actions.append(.update(.phase(phase)))
  }

  mutating func publish(_ phase: SceneApplication.ConnectionState) {
    guard phase != publishedPhase else { return }
    publishedPhase = phase
    actions.append(.update(.connection(phase)))
  }

  /// Whether this client has a scene, connected or assigned by the broker, or requests a lost one.
  func hasScene(besides session: SessionIdentifier?) -> Bool {
    scenes.keys.contains { $0 != session } || !lostSessions.isEmpty
      || pending.values.contains(where: \.requestsLostSession)
      || waiting.contains(where: \.requestsLostSession)
  }

  /// The type of a request without a reply; nil for an unknown number.
  func request(of number: Int64) -> (any RequestMessage.Type)? {
    (pending[number]?.message(of: self).message).map { type(of: $0) }
  }
}

/// The state of the connection to the broker.
enum LinkState: Equatable {
  /// Not started. → opening, stopped
  case idle
  /// → initializing, pausing, stopped
  case opening
  /// `initialize` is sent; repeatable requests follow at once. → ready, pausing, stopped
  case initializing
  /// → pausing, stopped
  case ready
  /// Waiting for the next attempt. → opening, stopped
  case pausing
  case stopped

  /// Whether the client can send.
  var isOpen: Bool { self == .initializing || self == .ready }
}

/// A callback that the program has not handled.
struct OpenCall: Equatable {
  var kind: CallbackKind
  var session: SessionIdentifier
  /// Nil after the loss of its connection, or for a callback that the client made itself.
  var identifier: RequestIdentifier?
  /// The sequence number of the scene.
  var scene: Int64
}

/// The limits that a client enforces. The broker enforces all others.
enum ClientLimits {
  /// Requests without a reply; less than the limit of the broker.
  static let inFlight = 128
  /// Requests that are not sent yet.
  static let waiting = 1024
  /// Overrides a larger limit of the broker: a frame has 16 MiB, and contains more than the
  /// activity.
  static let largestActivityBytes = 15 << 20
  /// Overrides a smaller limit of the broker: below it no request fits.
  static let smallestFrameBytes = 1 << 10
  /// The maximum of the length field of a frame.
  static let largestFrameBytes = 1 << 24 - 1
  /// The maximum bytes of a program's error message.
  static let messageBytes = 1 << 10
  /// The count and the delay of the attempts at a superseded request. Together they last longer
  /// than the last callback of another scene can.
  static let repetitions = 120
  static let repetitionPause = Interval.milliseconds(50)
  /// The timeout for the orderly end of the scenes; longer than the steps of one scene can take.
  static let stopping = Interval.seconds(30)
  /// The time after which a connection resets the back-off.
  static let steady = Interval.seconds(1)
}
