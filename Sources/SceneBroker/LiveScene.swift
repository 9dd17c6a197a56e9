import SceneModel

/// A session while a client holds it: where the scene is, where it should be, and what is on its
/// way.
struct LiveScene {
  let holder: ConnectionIdentifier
  let hold: Int64
  let isNew: Bool
  let reason: ConnectReason
  let options: ConnectionOptions
  /// The configuration that was asked for, if there is none of that name.
  var missingConfiguration: String?

  /// What the client has acknowledged.
  var state: ActivationState
  /// Whether it has been where it should be at some time: its client is not one that falls over what
  /// it is given.
  var hasArrived = false
  /// The generation of the activity that its client was given, or that this client has replaced it
  /// with before the scene arrived; nil if the client was given none.
  var givenGeneration: Int64?
  /// Where the scene should be. It is moved by `Broker.aim`, and walked to one callback at a time.
  var target: ActivationState
  /// The callback that waits for its answer. No other is sent meanwhile.
  var running: RunningCallback?
  /// Entering the background has a second half: the activity is still to be asked for.
  var mustAsk = false
  /// A question for the activity that overran; its answer still counts.
  var lateAsk: Int64?

  var deliveries = Deliveries()
  /// What it answered when it was asked and is saved now, which it is still to be told.
  var updates: [Activity] = []

  /// What it shows may be out of date, which it is to be told when it is where it should be.
  var mustRefresh = false
  /// It is sent what it has missed, although it may be in the background.
  var catchesUp = false

  /// Counts over all scenes: the greatest was sent to the foreground last.
  var foregroundOrder: UInt64 = 0
  /// Since when it is in the background, by the monotonic clock; nil when it is not.
  var backgroundSince: Int64?
  /// Counts over all scenes: the greatest entered the background last.
  var backgroundOrder: UInt64 = 0
  /// What keeps it from being reclaimed.
  var assertions: [Assertion] = []

  /// Why it goes to unattached, while it does.
  var departure: Departure?
  /// Who asked for the target and waits until it is reached.
  var arrivals: [Arrival] = []
  /// How the scene came to be, if its client did not ask for it.
  var bringing: Bringing?

  init(
    holder: ConnectionIdentifier, hold: Int64, state: ActivationState, target: ActivationState,
    isNew: Bool, reason: ConnectReason, options: ConnectionOptions
  ) {
    self.holder = holder
    self.hold = hold
    self.state = state
    self.target = target
    self.isNew = isNew
    self.reason = reason
    self.options = options
  }

  /// Whether its last callback is out, so that no new target can turn it round.
  var isLeaving: Bool { running?.kind == .didDisconnect }

  /// Whether its client was given this generation and the scene has not arrived since.
  func isTrying(_ generation: Int64) -> Bool { !hasArrived && givenGeneration == generation }

  /// Whether it is where it should be and nothing is under way.
  var isAtRest: Bool {
    running == nil && state == target && !mustAsk && updates.isEmpty && deliveries.isEmpty
      && !mustRefresh
  }

  /// Whether it is sent the events of the topics that it observes.
  var isListening: Bool {
    catchesUp || state > .background && running?.kind != .didEnterBackground
  }

  /// Whether it is in the background and is to stay there.
  var restsInBackground: Bool { isAtRest && state == .background }
}

struct RunningCallback: Equatable {
  let identifier: Int64
  let kind: CallbackKind
  /// The delivery that it is the last callback of.
  var completes: Int64?
}

/// Why a scene goes down the line to its end.
struct Departure: Equatable {
  var reason: DisconnectReason

  /// A discard and a shutdown cannot be turned round.
  var isFinal: Bool { reason == .discarded || reason == .shutdown }
}

/// A session that the application wants in a process: which hosts were asked, and what for.
struct Bringing: Equatable {
  var occasion: Occasion
  var target: ActivationState
  var isNew: Bool
  var missingConfiguration: String?
  var tried: [ConnectionIdentifier]
  /// Whether the scene is to be refreshed when it is there.
  var mustRefresh = false
  /// How many processes were started for it.
  var starts = 0
  /// What the process was started as that has it now.
  var launch: LaunchIdentifier?
}
