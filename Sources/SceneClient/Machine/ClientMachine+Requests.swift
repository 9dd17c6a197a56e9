import SceneModel

/// Requests and their replies.
extension ClientMachine {
  // MARK: - Requests

  mutating func ask(_ request: ClientRequest, _ token: RequestToken?) {
    guard link != .stopped, !isStopping || isLast(request.message) else {
      return fail(token, stopError)
    }
    if let message = request.message as? SceneTransition, token != nil {
      scenes[message.session]?.mustEnterForeground = false
    }
    if let message = request.message as? EndAssertion {
      return endAssertion(message.assertion, token)
    }
    if token == nil, mergeWaiting(request) { return }
    guard token == nil || waiting.count < ClientLimits.waiting else {
      let message = "\(ClientLimits.waiting) requests already wait; try again later"
      return fail(token, SceneError(.tooMany, message, retry: .later))
    }
    submit(.program(ProgramRequest(token: token, request: request)))
  }

  /// Whether a stopping client still sends the request: the last callbacks of a scene save its
  /// state and extend their time. A move of the scene would prevent its end.
  private func isLast(_ message: any RequestMessage) -> Bool {
    switch message.lastWords {
    case .none: false
    case .of(let session): scenes[session] != nil
    case .ofAnyScene: !scenes.isEmpty
    }
  }

  /// The program waits no longer for a reply. An unsent request is never sent; a save stays queued,
  /// because the newest activity wins.
  mutating func abandon(_ token: RequestToken) {
    if let index = waiting.firstIndex(where: { $0.token == token }) {
      waiting.remove(at: index)
      return fail(token, .cancelled(isSent: false))
    }
    for (number, asked) in superseded where asked.token == token {
      superseded[number] = nil
      return fail(token, .cancelled(isSent: false))
    }
    for (number, request) in pending {
      guard case .program(var asked) = request, asked.token == token else { continue }
      asked.token = nil
      asked.isAbandoned = true
      pending[number] = .program(asked)
      return fail(token, .cancelled(isSent: true))
    }
    if abandonSave(token) { fail(token, .cancelledSave) }
  }

  private mutating func fail(_ token: RequestToken?, _ error: SceneError) {
    if let token { actions.append(.finish(token, .failure(error))) }
  }

  /// Merges requests without a completion: only the newest update and the longest extension matter.
  /// The queue stays short, because no caller could receive an error.
  private mutating func mergeWaiting(_ request: ClientRequest) -> Bool {
    // Merge into the last one, because it is sent last.
    for index in waiting.indices.reversed() {
      guard case .program(var asked) = waiting[index], asked.token == nil,
        let merged = asked.request.merged(with: request)
      else { continue }
      asked.request = merged
      waiting[index] = .program(asked)
      return true
    }
    return false
  }

  /// Sends a request now, or when the broker can take it.
  mutating func submit(_ request: PendingRequest) {
    if waiting.isEmpty, canSend(request) { send(request) } else { waiting.append(request) }
  }

  /// Before the reply to `initialize`, only repeatable requests are sent, and none if the broker
  /// may belong to another application.
  private func canSend(_ request: PendingRequest) -> Bool {
    guard pending.count < ClientLimits.inFlight else { return false }
    let isTrusted = application == nil
    return link == .ready || (link == .initializing && isTrusted && request.isIdempotent)
  }

  mutating func send(_ request: PendingRequest) {
    lastRequest += 1
    pending[lastRequest] = request
    actions.append(.send(.request(lastRequest, request.message(of: self))))
  }

  mutating func sendWaiting() {
    var sent = 0
    while sent < waiting.count, canSend(waiting[sent]) {
      send(waiting[sent])
      sent += 1
    }
    waiting.removeFirst(sent)
  }

  // MARK: - Replies

  mutating func takeReply(_ result: Result<BrokerReply, SceneError>, to number: Int64) {
    guard let request = pending.removeValue(forKey: number) else { return }
    switch request {
    case .initialize: meet(result)
    case .program(let asked): finishRequest(asked, number, result)
    case .save(let session, let save): finishSave(save, of: session, result)
    case .resume(let session, let message, let carried):
      finishResume(of: session, message, carried, result)
    case .requestLost(let lost): finishLostSession(of: lost, result)
    case .connectAgain(let lost): finishConnectingAgain(lost, result)
    case .leave(let session, _): finishLeaving(session, result)
    case .observe(let source): finishObserving(source, result)
    case .confirmBackground(let session, let call): rest(session, after: call, result)
    }
  }

  private mutating func finishRequest(
    _ asked: ProgramRequest, _ number: Int64, _ result: Result<BrokerReply, SceneError>
  ) {
    var result = result
    if let message = asked.request.message as? SceneConnect,
      case .success(let reply) = result.reply(to: SceneConnect.self)
    {
      enter(reply.session, hold: reply.hold, message)
    }
    if case .failure(let error) = result, error.retry == .now,
      asked.request.message is SceneConnect || error.code == .shuttingDown,
      asked.refusals < ClientLimits.repetitions, !isStopping, !asked.isAbandoned
    {
      return askLater(asked, number)
    }
    if case .success(let reply) = result, var reply = reply.content as? BeginAssertion.Reply {
      lastAssertion += 1
      assertions[lastAssertion] = reply.assertion
      reply.assertion = lastAssertion
      result = .success(BrokerReply(reply))
      // The caller has gone, and cannot end the assertion.
      if asked.isAbandoned { endAssertion(lastAssertion, nil) }
    }
    // The first attempt may have succeeded before the loss of the connection.
    if asked.request.message is RequestDestruction, asked.isRepeated,
      case .failure(let error) = result, error.code == .sessionNotFound
    {
      result = .success(BrokerReply(RequestDestruction.Reply()))
    }
    if let token = asked.token { actions.append(.finish(token, result)) }
  }

  /// Ends an assertion of this connection. A lost connection has ended its assertions.
  private mutating func endAssertion(_ number: Int64, _ token: RequestToken?) {
    guard let number = assertions.removeValue(forKey: number) else {
      if let token { actions.append(.finish(token, .success(.empty))) }
      return
    }
    submit(
      .program(
        ProgramRequest(
          token: token, request: ClientRequest(EndAssertion(assertion: number)))))
  }

  /// Another scene of the session is about to end, or the broker is being upgraded.
  private mutating func askLater(_ asked: ProgramRequest, _ number: Int64) {
    superseded[number] = asked
    superseded[number]?.refusals += 1
    actions.append(.wake(.repeatRequest(number), after: ClientLimits.repetitionPause))
  }

  mutating func askAgain(_ number: Int64) {
    guard let asked = superseded.removeValue(forKey: number) else { return }
    submit(.program(asked))
  }
}

extension ClientRequest {
  /// One request with the effect of this request and a later one; nil if there is none.
  fileprivate func merged(with later: ClientRequest) -> ClientRequest? {
    if var update = message as? SceneUpdate, let newer = later.message as? SceneUpdate,
      update.session == newer.session
    {
      if newer.title != .absent { update.title = newer.title }
      if newer.subtitle != .absent { update.subtitle = newer.subtitle }
      if newer.snapshot != .absent { update.snapshot = newer.snapshot }
      if newer.program != .absent { update.program = newer.program }
      if newer.placement != .absent { update.placement = newer.placement }
      if newer.process != .absent { update.process = newer.process }
      update.activationConditions.change(to: newer.activationConditions)
      return ClientRequest(update)
    }
    if var more = message as? SceneExtend, let newer = later.message as? SceneExtend,
      more.session == newer.session
    {
      more.seconds = max(more.seconds, newer.seconds)
      return ClientRequest(more)
    }
    return nil
  }
}

extension Patch<ActivationConditionTexts> {
  /// Merges newer conditions into these.
  fileprivate mutating func change(to newer: Self) {
    guard case .value(let conditions) = newer else {
      if newer == .null { self = .null }
      return
    }
    var merged: ActivationConditionTexts
    switch self {
    case .absent: merged = ActivationConditionTexts()
    case .null: merged = ActivationConditionTexts(canActivate: .null, prefersToActivate: .null)
    case .value(let older): merged = older
    }
    if conditions.canActivate != .absent { merged.canActivate = conditions.canActivate }
    if conditions.prefersToActivate != .absent {
      merged.prefersToActivate = conditions.prefersToActivate
    }
    self = .value(merged)
  }
}

extension Result<BrokerReply, SceneError> {
  /// The reply to a request of this type, as which the client has read it.
  func reply<Message: RequestMessage>(
    to message: Message.Type
  ) -> Result<Message.Reply, SceneError> {
    flatMap { reply in
      (reply.content as? Message.Reply).map { .success($0) } ?? .failure(.unexpectedReply)
    }
  }
}
