import SceneModel
import SceneTransport

/// Connecting to the broker, losing it, and connecting again.
extension ClientMachine {
  mutating func start() {
    guard link == .idle else { return }
    link = .opening
    publish(.connecting)
    actions.append(.open)
  }

  /// Sends `initialize`; other requests follow without its reply.
  mutating func sendInitialize() {
    guard link == .opening else { return }
    link = .initializing
    send(.initialize)
    resumeScenes()
  }

  mutating func connectionFailed(_ error: SceneError) {
    guard link == .opening else { return }
    let isFirstAttempt = !hasBeenReady && !waitsForBroker
    let mayGiveUp = !hasBeenReady || kind == .applicationDelegate
    if isFirstAttempt || (error.retry == .never && mayGiveUp) { return end(error) }
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

  /// Handles the reply to `initialize`.
  mutating func meet(_ result: Result<BrokerReply, SceneError>) {
    switch result.reply(to: Initialize.self) {
    case .success(let reply):
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
    case .failure(let error):
      guard !ends(with: error) else { return end(error) }
      actions.append(.close)
      actions.append(.update(.rejected(error)))
      lose(isRefused: true)
    }
  }

  /// The broker closes the connection. Before the reply to `initialize`, this may be final.
  mutating func dismiss(_ error: SceneError) {
    if link == .initializing { return meet(.failure(error)) }
    actions.append(.close)
    lose()
  }

  /// The connection was lost. Repeatable requests, unsent ones, and those that the broker refused
  /// to read, are sent again. Callbacks of the connection are not answered.
  mutating func lose(isRefused: Bool = false, unsent: Set<Int64> = []) {
    switch link {
    case .initializing where kind == .applicationDelegate && ends(with: Self.unanswered):
      return end(Self.unanswered)
    case .initializing, .ready: break
    case .idle, .opening, .pausing, .stopped: return
    }
    delegate.questions = []
    assertions = [:]
    for number in calls.keys { calls[number]?.identifier = nil }
    let asked = pending.sorted { $0.key < $1.key }
    let unasked = waiting
    pending = [:]
    waiting = []
    for session in scenes.keys {
      scenes[session]?.holdState.connectionLost()
      scenes[session]?.saves.isPostponed = false
    }
    forgetAskedObservations()
    for request in (asked.map(\.value) + unasked).reversed() { takeBack(request) }
    for (number, request) in asked {
      postpone(request, mayBeDone: !isRefused && !unsent.contains(number))
    }
    for request in unasked { postpone(request, mayBeDone: false) }
    if isStopping || delegate.endsWithConnection { end(nil) } else { pause() }
  }

  /// Called for the newest save first, so that older saves do not replace it.
  private mutating func takeBack(_ request: PendingRequest) {
    switch request {
    case .save(let session, let save):
      if scenes[session] == nil { return fail(save, of: session, Self.interruption) }
      scenes[session]?.saves.takeBack(save)
    case .resume(let session, _, let carried?):
      scenes[session]?.saves.takeBack(PendingSave(activity: carried))
    default: break
    }
  }

  private mutating func postpone(_ request: PendingRequest, mayBeDone: Bool) {
    switch request {
    case .program(var asked):
      // The caller of an abandoned request knows already that its outcome is unknown.
      guard !asked.isAbandoned else { return }
      if asked.request.message is EndAssertion {
        // The assertion has ended, and the next broker may have another one with its number.
        if let token = asked.token { actions.append(.finish(token, .success(.empty))) }
      } else if !mayBeDone {
        waiting.append(request)
      } else if asked.request.message.isIdempotent, kind == .scene {
        asked.isRepeated = true
        waiting.append(.program(asked))
      } else if let token = asked.token {
        actions.append(.finish(token, .failure(Self.interruption)))
      }
    case .requestLost(let lost): requestLater(lost)
    default: break
    }
  }

  private static var unanswered: SceneError {
    SceneError(
      .brokerUnavailable, "the broker ended the connection before it answered", retry: .later)
  }

  private static var interruption: SceneError {
    SceneError(
      .connectionLost,
      "the connection ended before the reply: the broker may have carried out the request",
      retry: .later)
  }

  // MARK: - The end

  mutating func stop(by cause: DisconnectCause?) {
    guard !isStopping, link != .stopped else { return }
    isStopping = true
    stopCause = cause
    lostSessions = []
    guard link.isOpen else { return end(nil) }
    dropNewScenes()
    for session in sessionsInOrder { close(session) }
    actions.append(.wake(.stopping, after: ClientLimits.stopping))
  }

  /// Drops unsent requests whose scenes would end at once.
  private mutating func dropNewScenes() {
    let dropped = waiting.filter(\.mayMakeScene) + takeSuperseded()
    waiting.removeAll(where: \.mayMakeScene)
    for request in dropped { refuse(request, Self.ended) }
  }

  private mutating func takeSuperseded() -> [PendingRequest] {
    defer { superseded = [:] }
    return superseded.sorted { $0.key < $1.key }.map { .program($0.value) }
  }

  static var ended: SceneError {
    SceneError(.applicationStopped, "this client has ended")
  }

  private static var endedBeforeReply: SceneError {
    SceneError(
      .applicationStopped,
      "this client ended before the reply: the broker may have carried out the request")
  }

  /// Why a request cannot be sent any more.
  var stopError: SceneError {
    endCause ?? SceneError(.applicationStopped, "this client has ended or is ending")
  }

  /// Ends a scene through its life cycle.
  mutating func close(_ session: SessionIdentifier) {
    let message = SceneTransition(
      session: session, to: .unattached, reason: .clientRequest, cause: stopCause)
    submit(.leave(session, ClientRequest(message)))
  }

  /// Ends a stopping client after:
  ///
  /// - all scenes have ended and their last callbacks are answered
  /// - all requests that could make a scene have a reply; otherwise that scene would not end in
  ///   order
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
    endCause = error
    let sent = pending.sorted { $0.key < $1.key }.map(\.value)
    let unsent = waiting + takeSuperseded()
    pending = [:]
    waiting = []
    let reason = error ?? Self.ended
    for request in sent { refuse(request, error ?? Self.endedBeforeReply) }
    for request in unsent { refuse(request, reason) }
    for session in sessionsInOrder { endLocally(session, .connectionLost, reason) }
    endObservations()
    actions.append(.close)
    publish(.stopped(error))
    actions.append(.stop(error))
  }

  private mutating func refuse(_ request: PendingRequest, _ error: SceneError) {
    switch request {
    case .program(let asked):
      if let token = asked.token { actions.append(.finish(token, .failure(error))) }
    case .save(let session, let save): fail(save, of: session, error)
    case .resume(let session, _, let carried):
      scenes[session]?.saves.takeBackAll(carried: carried)
    default: break
    }
  }

  /// The sessions of this client, in the order of their connection.
  var sessionsInOrder: [SessionIdentifier] {
    scenes.sorted { $0.value.sequence < $1.value.sequence }.map(\.key)
  }
}
