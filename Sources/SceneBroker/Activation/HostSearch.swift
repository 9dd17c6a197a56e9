import SceneModel

/// The search for the host of a scene that its client did not request.
extension Broker {
  /// The host of a session that no client holds.
  func nextHost(
    for identifier: SessionIdentifier, tried: [ConnectionIdentifier] = []
  ) -> ConnectionIdentifier? {
    let configuration =
      pendingSessions.configured(identifier)?.resolved.configuration
      ?? store[identifier].map { manifest.currentConfiguration(of: $0.attributes).configuration }
    let delegateClass = configuration?.delegateClass
    return clients.selectHost(
      for: delegateClass, previous: previousHolder(of: identifier, hosting: delegateClass),
      excluding: tried)
  }

  func previousHolder(
    of identifier: SessionIdentifier, hosting delegateClass: String?
  ) -> ConnectionIdentifier? {
    clients.previousHolder(
      of: identifier, or: store[identifier]?.hold.previousHolder, hosting: delegateClass)
  }

  /// The error for a session without a host. It names the program that created the session.
  func noHost(
    for configuration: SceneConfiguration, _ session: SessionIdentifier? = nil
  ) -> BrokerError {
    let delegateClass = configuration.delegateClass
    let what = delegateClass.map { "scenes of class \($0)" } ?? "the scene"
    if let client = clients.unresponsiveHost(for: delegateClass) {
      return BrokerError(
        .noHost,
        "no client that responds can host \(what): \(client.clipped(to: 100).label) does not "
          + "respond; continue that process or start another",
        session: session)
    }
    var advice = "start a client and try again"
    if let session, let maker = store[session]?.attributes.maker, !maker.isEmpty {
      advice = "start \(maker.clipped(to: 100)), the program that created \(label(of: session))"
    }
    return BrokerError(
      .noHost,
      "no connected client can host \(what), and the manifest has no launch command; \(advice)",
      session: session)
  }

  /// Gives a session to a host. The requester gets its reply when the scene is at its target.
  mutating func assign(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ assignment: HostAssignment,
    _ requester: Requester
  ) {
    connectAssigned(identifier, to: host, assignment, requester)
    addActivation(
      of: identifier, requester, isNew: assignment.isNew,
      delivering: assignment.activation.callbacksAfterConnect(to: identifier))
  }

  /// Lets an activation wait for the scene, and for the delivery of these callbacks.
  mutating func addActivation(
    of identifier: SessionIdentifier, _ requester: Requester, isNew: Bool,
    delivering callbacks: [Callback]
  ) {
    let delivery = callbacks.isEmpty ? nil : pending.deliver(callbacks, to: identifier)
    addWaiter(
      ActivationWaiter(
        requester: requester, kind: .activation(isNew: isNew), delivery: delivery),
      to: identifier)
  }

  /// Gives a session to a host. No request waits for the scene yet.
  mutating func connectAssigned(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ assignment: HostAssignment,
    _ requester: Requester?
  ) {
    var assignment = assignment
    assignment.attemptedHosts.append(host)
    connect(
      identifier, to: host, ConnectOptions(assignment, target: assignment.target, by: requester))
  }

  /// A client has refused a scene.
  mutating func refused(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier] else { return }
    let outcome = DisconnectOutcome(reason: .refused)
    guard pending.assignment(of: identifier) == nil else { return tryNextHost(identifier, outcome) }
    endScene(identifier, outcome, answered: false, abandoned: scene.isNew)
  }

  /// The client of a scene has failed. If the broker assigned the scene to it, the next host gets
  /// the scene. After the last host, the activations fail.
  mutating func tryNextHost(_ identifier: SessionIdentifier, _ outcome: DisconnectOutcome) {
    guard let before = scenes[identifier], var assignment = pending.assignment(of: identifier)
    else {
      return endScene(identifier, outcome, answered: false)
    }
    guard let session = store[identifier], before.intent == nil else {
      return endScene(identifier, outcome, answered: false, abandoned: assignment.isNew)
    }
    let delegateClass = manifest.currentConfiguration(of: session.attributes).configuration
      .delegateClass
    let refusal = store.admission(of: .bounded)
    guard refusal == nil,
      let host = clients.selectHost(
        for: delegateClass, previous: nil, excluding: assignment.attemptedHosts)
    else {
      if refusal == nil, relaunch(identifier, after: outcome, before, assignment) { return }
      return endScene(
        identifier, outcome, answered: false,
        failure: refusal ?? failure(after: assignment, outcome),
        abandoned: assignment.isNew)
    }
    assignment.attemptedHosts.append(host)
    assignment.launch = nil
    _ = disconnect(identifier, outcome, answered: false, rehosted: true)
    connect(identifier, to: host, ConnectOptions(assignment, target: before.target))
    rehost(identifier)
  }

  /// Starts a process if the configuration names a program and no host is left. Returns false if
  /// none is started.
  private mutating func relaunch(
    _ identifier: SessionIdentifier, after outcome: DisconnectOutcome, _ before: SceneStateMachine,
    _ assignment: HostAssignment
  ) -> Bool {
    guard launchCommand(for: identifier) != nil else { return false }
    // A launched process that refused the session is not started again.
    guard assignment.launch == nil || !outcome.reason.isByClient else { return false }
    let exit = clients[before.holder]?.exit
    _ = disconnect(identifier, outcome, answered: false, rehosted: true)
    launches.begin(identifier, by: nil)
    pending.changeAssignment(of: identifier) {
      $0.target = before.target
      $0.launch = nil
    }
    send(pending.rehostToLaunch(identifier), about: identifier)
    if let process = assignment.launch {
      let problem = outcome.reason == .watchdog ? "did not answer willConnect in time" : nil
      stop(process, of: identifier, problem, exit)
    } else {
      start(identifier)
    }
    return true
  }

  /// The error after the last host.
  private func failure(
    after assignment: HostAssignment, _ outcome: DisconnectOutcome
  ) -> BrokerError {
    let isOnly = assignment.attemptedHosts.count == 1
    let what =
      switch outcome.reason {
      case .refused, .clientRequest: "refused the scene"
      // Only a host that has not answered `willConnect` is replaced.
      case .watchdog: "did not answer willConnect in time"
      default: "disconnected"
      }
    return BrokerError(
      .requestDenied,
      isOnly
        ? "the only possible host \(what)"
        : "none of \(assignment.attemptedHosts.count) hosts took the scene: the last one \(what)")
  }

  /// The new scene of the session continues its pending work.
  mutating func rehost(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier] else { return }
    send(pending.rehost(identifier, to: scene.holder, in: scene.state), about: identifier)
  }
}

/// The search for a host of a session that the application wants in a process.
struct HostAssignment: Equatable {
  var activation: ActivationReason
  var target: ActivationState
  var isNew: Bool
  var missingConfiguration: String?
  /// Whether a control activated the session.
  var isByControl = false
  /// The hosts that the broker has tried, in order.
  var attemptedHosts: [ConnectionIdentifier] = []
  /// The number of processes that the broker has started for the session.
  var startCount = 0
  /// The launch of the process that has the session now.
  var launch: LaunchIdentifier?

  init(_ activation: ActivationReason, _ role: Role, isNew: Bool) {
    self.activation = activation
    target = activation.background ? .background : role.ceiling
    self.isNew = isNew
  }
}
