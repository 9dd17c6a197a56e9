import SceneModel
import SceneTransport

/// Finding the broker, losing it, and finding it again.
extension ClientMachine {
  mutating func start() {
    guard link == .idle else { return }
    link = .opening
    publish(.connecting)
    actions.append(.open)
  }

  /// What is wanted goes out behind the introduction, without waiting for its reply.
  mutating func introduce() {
    guard link == .opening else { return }
    link = .introducing
    send(.introduction)
    comeBack()
  }

  mutating func giveUpOrWait(_ error: SceneError) {
    guard link == .opening else { return }
    let isHopeless = error.retry == .never
    if !hasBeenReady, isHopeless || !waitsForBroker { return end(error) }
    pause()
  }

  mutating func reconnect() {
    guard link == .pausing else { return }
    link = .opening
    actions.append(.open)
  }

  private mutating func pause() {
    publish(.waiting)
    link = .pausing
    actions.append(.wake(.reconnect, after: backoff.next(&random)))
  }

  /// The broker answered to the introduction.
  mutating func meet(_ result: Result<BrokerReply, SceneError>) {
    switch result {
    case .success(.initialized(let reply)):
      if let complaint = reply.complaint(aboutApplication: application) {
        return end(SceneError(.wrongApplication, complaint))
      }
      link = .ready
      hasBeenReady = true
      isClassic = reply.application.classic
      launch = nil
      activityLimit = min(reply.limits.activityBytes, ClientLimits.largestActivityBytes)
      frameLimit = max(reply.limits.frameBytes, ClientLimits.smallestFrameBytes)
      publish(.connected)
      actions.append(.wake(.steady, after: ClientLimits.steady))
      publish(reply.application.phase)
    case .success:
      end(SceneError(.invalidRequest, "invalid reply to initialize from the broker"))
    case .failure(let error):
      guard error.retry != .never else { return end(error) }
      actions.append(.close)
      actions.append(.tell(.turnedAway(error)))
      lose(isRefused: true)
    }
  }

  /// The broker is about to close the connection. Who was not let in may have to stay out.
  mutating func takeLeave(_ error: SceneError) {
    if link == .introducing { return meet(.failure(error)) }
    actions.append(.close)
    lose()
  }

  /// The connection is gone. What may be asked again will be, and what a broker refused to hear was
  /// not asked yet; callbacks that came over it are not answered any more.
  mutating func lose(isRefused: Bool = false) {
    switch link {
    case .introducing, .ready: break
    case .idle, .opening, .pausing, .stopped: return
    }
    for number in calls.keys { calls[number]?.identifier = nil }
    let asked = pending.sorted { $0.key < $1.key }.map(\.value)
    let unasked = waiting
    pending = [:]
    waiting = []
    for session in scenes.keys {
      scenes[session]?.standing.lost()
      scenes[session]?.saves.isPutOff = false
    }
    forgetAskedObservations()
    for purpose in (asked + unasked).reversed() { takeBack(purpose) }
    for purpose in asked { putOff(purpose, mayBeDone: !isRefused) }
    for purpose in unasked { putOff(purpose, mayBeDone: false) }
    if isStopping { end(nil) } else { pause() }
  }

  /// The newest save comes first: what is taken back behind it is older.
  private mutating func takeBack(_ purpose: Purpose) {
    switch purpose {
    case .save(let session, let save):
      if scenes[session] == nil { return fail(save, of: session, Self.interruption) }
      scenes[session]?.saves.takeBack(save)
    case .resume(let session, _, let carried?):
      scenes[session]?.saves.takeBack(Save(activity: carried))
    case .introduction, .program, .resume, .comeBack, .startOver, .leave, .observe, .confirmRest:
      break
    }
  }

  private mutating func putOff(_ purpose: Purpose, mayBeDone: Bool) {
    switch purpose {
    case .introduction, .save, .resume, .startOver, .leave, .observe, .confirmRest: break
    case .program(var asked):
      if !mayBeDone {
        waiting.append(purpose)
      } else if asked.request.canBeRepeated {
        asked.isRepeated = true
        waiting.append(.program(asked))
      } else if let ticket = asked.ticket {
        actions.append(.finish(ticket, .failure(Self.interruption)))
      }
    case .comeBack(let lost): wantBack(lost)
    }
  }

  private static var interruption: SceneError {
    SceneError(
      .connectionLost,
      "the connection ended before the reply: the broker may have carried out the request",
      retry: .later)
  }

  // MARK: - The end

  mutating func stop() {
    guard !isStopping, link != .stopped else { return }
    isStopping = true
    returning = []
    guard link.isOpen else { return end(nil) }
    dropNewScenes()
    for session in sessionsInOrder { close(session) }
    actions.append(.wake(.stopping, after: ClientLimits.stopping))
  }

  /// What has not gone out would only make scenes that are to end at once.
  private mutating func dropNewScenes() {
    let dropped = waiting.filter(\.mayMakeScene) + takeOvertaken()
    waiting.removeAll(where: \.mayMakeScene)
    for purpose in dropped { refuse(purpose, Self.ended) }
  }

  private mutating func takeOvertaken() -> [Purpose] {
    defer { overtaken = [:] }
    return overtaken.sorted { $0.key < $1.key }.map { .program($0.value) }
  }

  private static var ended: SceneError {
    SceneError(.applicationStopped, "this client has ended")
  }

  /// Takes a scene down the line to its end.
  mutating func close(_ session: SessionIdentifier) {
    let message = SceneTransition(session: session, to: .unattached, reason: .clientRequest)
    submit(.leave(session, .transition(message)))
  }

  /// A client that stops is done when its scenes are gone and their last callbacks answered, and when
  /// nothing is on its way that the broker may yet make a scene of: cut off, that would not end in
  /// order.
  mutating func stopIfDone() {
    guard isStopping, link != .stopped, scenes.isEmpty,
      !pending.values.contains(where: \.mayMakeScene),
      !calls.values.contains(where: { $0.kind == .didDisconnect })
    else { return }
    end(nil)
  }

  mutating func end(_ error: SceneError?) {
    guard link != .stopped else { return }
    link = .stopped
    let unanswered =
      pending.sorted { $0.key < $1.key }.map(\.value) + waiting + takeOvertaken()
    pending = [:]
    waiting = []
    let reason = error ?? Self.ended
    for purpose in unanswered { refuse(purpose, reason) }
    for session in sessionsInOrder { endHere(session, .connectionLost, reason) }
    endObservations()
    actions.append(.close)
    publish(.stopped)
    actions.append(.stop(error))
  }

  private mutating func refuse(_ purpose: Purpose, _ error: SceneError) {
    switch purpose {
    case .program(let asked):
      if let ticket = asked.ticket { actions.append(.finish(ticket, .failure(error))) }
    case .save(let session, let save): fail(save, of: session, error)
    case .resume(let session, _, let carried):
      scenes[session]?.saves.takeBackAll(carried: carried)
    case .introduction, .comeBack, .startOver, .leave, .observe, .confirmRest: break
    }
  }

  /// The sessions whose scenes this client has, in the order in which it came to them.
  var sessionsInOrder: [SessionIdentifier] {
    scenes.sorted { $0.value.sequence < $1.value.sequence }.map(\.key)
  }
}
