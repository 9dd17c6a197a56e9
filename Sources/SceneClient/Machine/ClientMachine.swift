import SceneModel

/// The rules a client lives by, and nothing else: no socket, no clock, no thread, no randomness of
/// its own.
///
/// `handle` is the only way in: it is called once for each thing that happened, in their order,
/// changes state, and appends what is to be done. The caller does it in that order. The same events
/// always give the same actions.
struct ClientMachine: Equatable {
  let client: ClientName
  /// The delegate classes it can make scenes of.
  let hosts: [String]
  /// Whether a broker that is not there at the start is waited for.
  let waitsForBroker: Bool
  /// The application that the broker must be of, where its place does not say so.
  var application: String?
  /// What it shows a broker that has started it, until that has seen it.
  var launch: String?

  var link = LinkState.idle
  /// Bytes of an activity that the broker keeps; what of a scene's own is more is never sent, so that
  /// its delegate can be told.
  var activityLimit = ClientLimits.largestActivityBytes
  /// Bytes of a request; until a broker has said how many, as many as any can take.
  var frameLimit = ClientLimits.largestFrameBytes
  var random: SplitMix
  var backoff = Backoff()
  /// Of sessions that something was refused for, to be asked again.
  var backoffs: [SessionIdentifier: Backoff] = [:]
  /// Whether there has ever been a conversation with the broker.
  var hasBeenReady = false
  var isStopping = false
  var phase: ApplicationPhase = .background
  /// Whether the application is one of before scenes.
  var isClassic = false
  /// What the program was last told of the connection.
  var toldPhase: LinkPhase?

  var scenes: [SessionIdentifier: HeldScene] = [:]
  /// Sessions to be asked for when the broker is there, in the order in which they were lost.
  var returning: [LostSession] = []
  /// What the program observes.
  var observations: [EventSource: ObservedEvents] = [:]
  /// What was sent and not answered.
  var pending: [Int64: Purpose] = [:]
  /// What could not be sent yet.
  var waiting: [Purpose] = []
  /// What was overtaken and is to be asked again, by the number it was asked under.
  var overtaken: [Int64: ProgramRequest] = [:]
  /// Callbacks that the program is not done with.
  var calls: [CallNumber: OpenCall] = [:]

  var lastRequest: Int64 = 0
  var lastCall: Int64 = 0
  var lastScene: Int64 = 0
  var actions: [ClientAction] = []

  init(client: ClientName, hosts: [String], waitsForBroker: Bool, seed: UInt64) {
    self.client = client
    self.hosts = hosts
    self.waitsForBroker = waitsForBroker
    random = SplitMix(seed: seed)
  }

  /// The only way in.
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
    case .opened: introduce()
    case .notOpened(let error): giveUpOrWait(error)
    case .lost: lose()
    case .dismissed(let error): takeLeave(error)
    case .due(let timer): fire(timer)
    case .replied(let number, let result): take(result, to: number)
    case .called(let identifier, let callback): take(callback, identifier)
    case .calledUnknown(let identifier, let method):
      actions.append(.send(.unknown(identifier, method: method)))
    case .notified(let notification): take(notification)
    case .requested(let ticket, let request): ask(request, ticket)
    case .saved(let session, let activity, let ticket): save(activity, of: session, ticket)
    case .observed(let source, let position): observe(source, after: position)
    case .ceased(let source): cease(source)
    case .answered(let number, let answer): finish(number, answer)
    case .stopped: stop()
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

  private mutating func take(_ notification: BrokerNotification) {
    switch notification {
    case .phaseChanged(let phase): publish(phase)
    case .memoryWarning: publish(.didReceiveMemoryWarning)
    case .significantTimeChange: publish(.significantTimeChange)
    case .posted(let event): take(event)
    case .sessionDiscarded(let session): actions.append(.tell(.discarded(session)))
    case .sessionChanged, .trace, .delegate: break
    }
  }

  private mutating func publish(_ notice: SceneApplication.Notice) {
    actions.append(.tell(.notice(notice)))
    guard isClassic else { return }
    for session in sessionsInOrder { actions.append(.notify(session, notice)) }
  }

  mutating func publish(_ phase: ApplicationPhase) {
    guard phase != self.phase else { return }
    self.phase = phase
    actions.append(.tell(.phase(phase)))
  }

  mutating func publish(_ phase: LinkPhase) {
    guard phase != toldPhase else { return }
    toldPhase = phase
    actions.append(.tell(.connection(phase)))
  }

  /// Whether the broker has given this client a scene, which may not be connected yet, or this client
  /// asks for a scene back.
  func hasScene(besides session: SessionIdentifier?) -> Bool {
    scenes.keys.contains { $0 != session } || !returning.isEmpty
      || pending.values.contains(where: \.asksBack) || waiting.contains(where: \.asksBack)
  }

  /// What the reply to a request looks like; nil for one that is not waited for.
  func method(of number: Int64) -> RequestMethod? {
    pending[number]?.request(self).method
  }
}

/// Where the connection to the broker stands.
enum LinkState: Equatable {
  /// Nobody wanted one yet. → opening, stopped
  case idle
  /// → introducing, pausing, stopped
  case opening
  /// The broker was told who this is, and is told more meanwhile. → ready, pausing, stopped
  case introducing
  /// → pausing, stopped
  case ready
  /// Until the next attempt. → opening, stopped
  case pausing
  case stopped

  /// Whether there is a broker to talk to.
  var isOpen: Bool { self == .introducing || self == .ready }
}

/// A callback that the program is handling, or about to.
struct OpenCall: Equatable {
  var kind: CallbackKind
  var session: SessionIdentifier
  /// Nil when the connection on which it came is gone, or when it did not come from the broker.
  var identifier: RequestIdentifier?
  /// Which of this client's scenes it is for.
  var scene: Int64
}

/// What a client keeps to. What else it sends is the broker's to take or to refuse.
enum ClientLimits {
  /// Requests that wait for their reply: below what the broker takes.
  static let inFlight = 128
  /// Requests that wait to be sent.
  static let waiting = 1024
  /// Whatever the broker says: a frame has 16 MiB, and an activity is not all that stands in it.
  static let largestActivityBytes = 15 << 20
  /// Whatever the broker says: one that takes less takes nothing.
  static let smallestFrameBytes = 1 << 10
  /// What the length of a frame can say.
  static let largestFrameBytes = 1 << 24 - 1
  /// Of what a program says about its failure.
  static let messageBytes = 1 << 10
  /// How often something that was overtaken is asked again, and how soon: for longer than a scene
  /// that is in the way can take over its last callback.
  static let repetitions = 120
  static let repetitionPause = Interval.milliseconds(50)
  /// For scenes to end in order when the client stops: more than one walk down the line may take.
  static let stopping = Interval.seconds(30)
  /// How long a connection has to last to count as a good one.
  static let steady = Interval.seconds(1)
}
