import SceneModel

/// Pings, by which a scene shows that its client answers callbacks.
///
/// A ping is no step of the life cycle: it can be pending beside another callback. A ping of a
/// policy is sent only to an active scene whose client has been silent.
extension Broker {
  mutating func ping(_ message: SessionPing, _ requester: Requester) throws(BrokerError) {
    let identifier = message.session
    guard let time = Interval(seconds: message.seconds), time >= .milliseconds(1),
      time <= .seconds(3600)
    else {
      throw BrokerError(.invalidParams, "seconds: expected a number from 0.001 to 3600")
    }
    guard store.isListed(identifier) else { throw absence(of: identifier) }
    guard let scene = scenes[identifier] else {
      try checkPresent(identifier)
      throw BrokerError.unattached(label(of: identifier))
    }
    guard scene.target > .unattached else {
      throw BrokerError.disconnecting(label(of: identifier))
    }
    guard scene.state > .unattached else {
      throw BrokerError(
        .sessionNotHeld, "\(label(of: identifier)) is being connected right now", retry: .now)
    }
    guard scene.pings.all.count < ScenePings.limit else {
      throw BrokerError(
        .tooMany, "\(label(of: identifier)) already has \(ScenePings.limit) pending pings",
        retry: .later)
    }
    if requester.request != nil { sendPing(to: scene, time, for: requester) }
  }

  private mutating func sendPing(
    to scene: SceneStateMachine, _ budget: Interval, for requester: Requester? = nil
  ) {
    guard let number = clients[scene.holder]?.beginCallback(.ping, of: scene.session)
    else { return }
    let ping = ScenePings.Ping(
      number: number, sent: now.monotonic, budget: budget, requester: requester,
      // A short time of a request says nothing to others.
      marks: requester == nil || budget >= manifest.budgets.ping)
    scene.pings.all.append(ping)
    // A disk that hangs does not delay the ping.
    send(
      .callback(number, Callback(.ping, of: scene.session), budget: ping.part),
      to: scene.holder, about: nil)
  }

  // MARK: - Answers

  /// Any answer counts, also `methodNotFound` of a client that does not know the callback.
  mutating func pingAnswered(_ number: Int64, of scene: SceneStateMachine) {
    guard let ping = scene.pings.all.first(where: { $0.number == number }) else { return }
    end(ping, of: scene)
    scene.pings.lastAnswer = now.monotonic
    markResponsive(scene)
    guard let requester = ping.requester else { return }
    let microseconds = (now.monotonic - ping.sent) / 1000
    reply(
      requester, SessionPing.Reply(milliseconds: Double(microseconds) / 1000),
      about: scene.session)
  }

  /// A part of the time of a ping is over.
  mutating func pingTimedOut(
    _ number: Int64, of scene: SceneStateMachine, halt: ProcessHalt?
  ) {
    guard let index = scene.pings.all.firstIndex(where: { $0.number == number }) else { return }
    let isOver = scene.pings.all[index].endPart(isHalted: halt != nil)
    let ping = scene.pings.all[index]
    guard isOver else {
      return effects.timers.append(.set(.callback(scene.holder, number), ping.part))
    }
    let isSilent = clients[scene.holder].map { $0.lastInput <= ping.sent } ?? false
    if ping.marks, isSilent, !scene.pings.isUnresponsive {
      // The scene is marked until this answer, or until another message of its client.
      scene.pings.all[index].isLate = true
      scene.pings.all[index].requester = nil
      markUnresponsive(scene, after: ping.budget)
    } else {
      end(ping, of: scene)
    }
    if let requester = ping.requester {
      refuse(requester, unresponsive(scene, ping, halt))
    } else if isSilent {
      disconnectIfWanted(scene)
    }
  }

  private func unresponsive(
    _ scene: SceneStateMachine, _ ping: ScenePings.Ping, _ halt: ProcessHalt?
  ) -> BrokerError {
    let label = label(of: scene.session)
    let process = clients[scene.holder]?.shown?.clipped(to: 100).processLabel ?? "its client"
    let problem =
      switch halt {
      case .stopped:
        "is stopped, as by Ctrl-Z; continue it with: scenectl\(environment.options) kill -CONT "
          + label
      case .debugged: "is being debugged, so its answer can take any time"
      case nil: "has not answered for \(ping.budget.phrase)"
      }
    return BrokerError(.unresponsive, "\(label): \(process) \(problem)")
  }

  /// A ping is over.
  mutating func end(_ ping: ScenePings.Ping, of scene: SceneStateMachine) {
    clients[scene.holder]?.endCallback(ping.number)
    effects.timers.append(.cancel(.callback(scene.holder, ping.number)))
    scene.pings.all.removeAll { $0.number == ping.number }
  }

  /// A scene has ended, or the broker ends.
  mutating func endPings(of scene: SceneStateMachine, _ error: BrokerError? = nil) {
    for ping in scene.pings.all {
      end(ping, of: scene)
      guard let requester = ping.requester else { continue }
      let label = label(of: scene.session)
      refuse(
        requester,
        error
          ?? BrokerError(
            .sessionNotHeld, "the scene of \(label) ended before it answered", retry: .now))
    }
  }

  // MARK: - The mark

  /// The client has sent something other than the answer to a ping.
  mutating func noteInput(of client: ConnectedClient) {
    client.lastInput = now.monotonic
    guard client.mayHaveUnresponsiveScene else { return }
    client.mayHaveUnresponsiveScene = false
    for session in client.held {
      if let scene = scenes[session] { markResponsive(scene) }
    }
  }

  private mutating func markUnresponsive(_ scene: SceneStateMachine, after time: Interval) {
    scene.pings.isUnresponsive = true
    clients[scene.holder]?.mayHaveUnresponsiveScene = true
    trace(.unresponsive, scene.session) { $0.detail = "no answer for \(time.phrase)" }
    markChanged(scene.session)
  }

  private mutating func markResponsive(_ scene: SceneStateMachine) {
    guard scene.pings.isUnresponsive else { return }
    scene.pings.isUnresponsive = false
    for ping in scene.pings.all where ping.isLate { end(ping, of: scene) }
    trace(.responded, scene.session)
    markChanged(scene.session)
  }

  // MARK: - The policy

  /// A scene that has become active is pinged when its client is silent.
  mutating func watchSilence(of scene: SceneStateMachine) {
    guard scene.state == .foregroundActive, let policy = unresponsivePolicy(of: scene.session)
    else { return }
    effects.timers.append(.set(.ping(scene.session), policy.after))
  }

  mutating func pingIfSilent(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], scene.state == .foregroundActive,
      let policy = unresponsivePolicy(of: identifier), let client = clients[scene.holder]
    else { return }
    let last = max(client.lastInput, scene.pings.lastAnswer)
    let rest = policy.after.nanoseconds - (now.monotonic - last)
    if rest <= 0, client.isOpen, scene.target == .foregroundActive, scene.pendingCallback == nil,
      !scene.pings.hasPolicyPing, !scene.pings.isUnresponsive || policy.action == .disconnect
    {
      sendPing(to: scene, manifest.budgets.ping)
    }
    effects.timers.append(
      .set(.ping(identifier), rest > 0 ? Interval(nanoseconds: rest) : policy.after))
  }

  private mutating func disconnectIfWanted(_ scene: SceneStateMachine) {
    guard scene.pings.isUnresponsive, scene.target > .unattached,
      unresponsivePolicy(of: scene.session)?.action == .disconnect
    else { return }
    clients[scene.holder]?.isOverdue = true
    let outcome = DisconnectOutcome(reason: .watchdog, callback: CallbackKind.ping.rawValue)
    sendDisconnected(scene.session, outcome)
    tryNextHost(scene.session, outcome)
  }

  private mutating func unresponsivePolicy(
    of identifier: SessionIdentifier
  ) -> UnresponsivePolicy? {
    guard manifest.roles.contains(where: { !$0.policies.isEmpty }),
      let attributes = store[identifier]?.attributes
    else { return nil }
    let configuration = manifest.currentConfiguration(of: attributes).configuration
    return manifest.unresponsive(configuration.name, for: attributes.role)
  }
}

/// The pings of a scene.
struct ScenePings {
  struct Ping {
    /// The number of the callback on its connection.
    let number: Int64
    /// The monotonic time of the ping.
    let sent: Int64
    let budget: Interval
    /// Nil for a ping of a policy.
    var requester: Requester?
    /// Whether the scene is marked if no answer comes in time.
    private(set) var marks: Bool
    /// Whether its time is over. The answer still ends the mark.
    var isLate = false
    /// After each part of the time, the broker looks whether the process is halted. So a process
    /// that a shorter halt delayed still had the other parts.
    let part: Interval
    private var partsLeft: Int64
    private let partCount: Int64

    init(number: Int64, sent: Int64, budget: Interval, requester: Requester?, marks: Bool) {
      (self.number, self.sent, self.budget) = (number, sent, budget)
      (self.requester, self.marks) = (requester, marks)
      partCount = marks ? 8 : 1
      partsLeft = partCount
      part = Interval(nanoseconds: budget.nanoseconds / partCount)
    }

    /// Returns whether the time is over. After a halt, a ping of a policy has its whole time again.
    mutating func endPart(isHalted: Bool) -> Bool {
      partsLeft -= 1
      if isHalted {
        if requester == nil { partsLeft = partCount } else { marks = false }
      }
      return partsLeft <= 0
    }
  }

  /// The most pings of a scene at a time.
  static let limit = 64

  var all: [Ping] = []
  /// The monotonic time of the last answer.
  var lastAnswer: Int64 = 0
  /// Whether a ping was not answered in time, and the client has sent nothing since.
  var isUnresponsive = false

  /// Whether the time of a ping of a policy runs.
  var hasPolicyPing: Bool { all.contains { $0.requester == nil && !$0.isLate } }

  /// Whether the time of a ping runs.
  var isAwaited: Bool { all.contains { !$0.isLate } }
}
