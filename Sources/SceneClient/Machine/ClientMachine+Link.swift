import SceneModel

/// Finding the broker, losing it, and finding it again.
extension ClientMachine {
  mutating func start() {
    guard link == .idle else { return }
    link = .opening
    publish(.connecting)
    actions.append(.open)
  }

  mutating func introduce() {
    guard link == .opening else { return }
    link = .introducing
    send(.introduction)
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
    actions.append(.wake(.reconnect, after: backoff.next()))
  }

  /// The broker answered to the introduction.
  mutating func meet(_ result: Result<BrokerReply, SceneError>) {
    switch result {
    case .success(.initialized(let reply)):
      link = .ready
      hasBeenReady = true
      activityLimit = reply.limits.activityBytes
      publish(.connected)
      actions.append(.wake(.steady, after: ClientLimits.steady))
      publish(reply.application.phase)
      comeBack()
    case .success:
      end(SceneError(.invalidRequest, "the broker's answer to initialize is none"))
    case .failure(let error):
      guard error.retry != .never else { return end(error) }
      actions.append(.close)
      lose()
    }
  }

  /// The connection is gone. What may be asked again will be; callbacks that came over it are not
  /// answered any more.
  mutating func lose() {
    switch link {
    case .introducing, .ready: break
    case .idle, .opening, .pausing, .stopped: return
    }
    for number in calls.keys { calls[number]?.identifier = nil }
    let interrupted = pending.sorted { $0.key < $1.key }.map(\.value) + waiting
    pending = [:]
    waiting = []
    for session in scenes.keys where scenes[session]?.standing != .startingOver {
      scenes[session]?.standing = .lost
    }
    for purpose in interrupted { putOff(purpose) }
    if isStopping { end(nil) } else { pause() }
  }

  private mutating func putOff(_ purpose: Purpose) {
    switch purpose {
    case .introduction, .startOver, .leave: break
    case .program(var asked):
      if asked.request.canBeRepeated {
        asked.isRepeated = true
        waiting.append(.program(asked))
      } else if let ticket = asked.ticket {
        actions.append(.finish(ticket, .failure(Self.interruption)))
      }
    case .save(let session, let save):
      if scenes[session] != nil {
        scenes[session]?.saves.takeBack(save)
      } else {
        fail(save, Self.interruption)
      }
    case .resume(let session, _, let carried):
      if let carried { scenes[session]?.saves.takeBack(Save(activity: carried)) }
    case .comeBack(let session):
      if !returning.contains(session) { returning.append(session) }
    }
  }

  private static var interruption: SceneError {
    SceneError(
      .connectionLost,
      "the broker went before it answered; whether it has done what was asked is not known",
      retry: .later)
  }

  // MARK: - The end

  mutating func stop() {
    guard !isStopping, link != .stopped else { return }
    isStopping = true
    returning = []
    guard link == .ready else { return end(nil) }
    for session in sessionsInOrder {
      let message = SceneTransition(session: session, to: .unattached, reason: .clientRequest)
      submit(.leave(session, .transition(message)))
    }
    actions.append(.wake(.stopping, after: ClientLimits.stopping))
  }

  /// A client that stops is done when its scenes are gone and their last callbacks answered.
  mutating func stopIfDone() {
    guard isStopping, link != .stopped, scenes.isEmpty,
      !calls.values.contains(where: { $0.kind == .didDisconnect })
    else { return }
    end(nil)
  }

  mutating func end(_ error: SceneError?) {
    guard link != .stopped else { return }
    link = .stopped
    let later = overtaken.sorted { $0.key < $1.key }.map { Purpose.program($0.value) }
    let unanswered = pending.sorted { $0.key < $1.key }.map(\.value) + waiting + later
    pending = [:]
    waiting = []
    overtaken = [:]
    let reason = error ?? SceneError(.applicationStopped, "this client has ended")
    for purpose in unanswered { refuse(purpose, reason) }
    for session in sessionsInOrder {
      if let save = scenes[session]?.saves.next { fail(save, reason) }
      scenes[session]?.saves.next = nil
      endHere(session, .connectionLost)
    }
    actions.append(.close)
    publish(.stopped)
    actions.append(.stop(error))
  }

  private mutating func refuse(_ purpose: Purpose, _ error: SceneError) {
    switch purpose {
    case .program(let asked):
      if let ticket = asked.ticket { actions.append(.finish(ticket, .failure(error))) }
    case .save(_, let save): fail(save, error)
    case .introduction, .resume, .comeBack, .startOver, .leave: break
    }
  }

  /// The sessions whose scenes this client has, in the order in which it came to them.
  var sessionsInOrder: [SessionIdentifier] {
    scenes.sorted { $0.value.sequence < $1.value.sequence }.map(\.key)
  }
}
