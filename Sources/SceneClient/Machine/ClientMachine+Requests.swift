import SceneModel

/// Asking the broker, and being answered.
extension ClientMachine {
  // MARK: - Asking

  mutating func ask(_ request: ClientRequest, _ ticket: Ticket?) {
    do throws(SceneError) {
      guard link != .stopped, !isStopping else {
        throw SceneError(.applicationStopped, "this client has ended or is ending")
      }
      if ticket == nil, mergeWaiting(request) { return }
      guard ticket == nil || waiting.count < ClientLimits.waiting else {
        throw SceneError(
          .tooMany, "\(ClientLimits.waiting) requests already wait; try again later", retry: .later)
      }
      submit(.program(ProgramRequest(ticket: ticket, request: request)))
    } catch {
      if let ticket { actions.append(.finish(ticket, .failure(error))) }
    }
  }

  /// Of what a scene says of itself only the newest counts, and of more time the most, so what waits
  /// need not pile up. Nobody could be told that there was no room for it.
  private mutating func mergeWaiting(_ request: ClientRequest) -> Bool {
    // What stands last is what is sent last, so it is that which has to be the newest.
    for index in waiting.indices.reversed() {
      guard case .program(var asked) = waiting[index], asked.ticket == nil,
        let merged = asked.request.merged(with: request)
      else { continue }
      asked.request = merged
      waiting[index] = .program(asked)
      return true
    }
    return false
  }

  /// Sends it now, or when the broker can take it.
  mutating func submit(_ purpose: Purpose) {
    if waiting.isEmpty, canSend(purpose) { send(purpose) } else { waiting.append(purpose) }
  }

  /// What must not be done twice is not said to a broker that may yet refuse to listen, and nothing
  /// to one that may be another application's.
  private func canSend(_ purpose: Purpose) -> Bool {
    guard pending.count < ClientLimits.inFlight else { return false }
    let isTrusted = application == nil
    return link == .ready || (link == .introducing && isTrusted && purpose.isIdempotent)
  }

  mutating func send(_ purpose: Purpose) {
    lastRequest += 1
    pending[lastRequest] = purpose
    actions.append(.send(.request(lastRequest, purpose.request(self))))
  }

  mutating func sendWaiting() {
    var sent = 0
    while sent < waiting.count, canSend(waiting[sent]) {
      send(waiting[sent])
      sent += 1
    }
    waiting.removeFirst(sent)
  }

  // MARK: - Being answered

  mutating func take(_ result: Result<BrokerReply, SceneError>, to number: Int64) {
    guard let purpose = pending.removeValue(forKey: number) else { return }
    switch purpose {
    case .introduction: meet(result)
    case .program(let asked): finish(asked, number, result)
    case .save(let session, let save): finish(save, of: session, result)
    case .resume(let session, let message, let carried):
      finishResume(of: session, message, carried, result)
    case .comeBack(let lost): finishReturn(of: lost, result)
    case .startOver(let lost): finishStartingOver(lost, result)
    case .leave(let session, _): finishLeaving(session, result)
    case .observe(let source): finishObserving(source, result)
    case .confirmRest(let session, let call): rest(session, after: call, result)
    }
  }

  private mutating func finish(
    _ asked: ProgramRequest, _ number: Int64, _ result: Result<BrokerReply, SceneError>
  ) {
    var result = result
    if case .connect(let message) = asked.request {
      switch result {
      case .success(.connected(let reply)): enter(reply.session, hold: reply.hold, message)
      case .success: break
      case .failure(let error):
        if error.retry == .now, asked.refusals < ClientLimits.repetitions, !isStopping {
          return askLater(asked, number)
        }
      }
    }
    // What was done before the connection was lost cannot be done again, and need not.
    if case .destroy = asked.request, case .failure(let error) = result, asked.isRepeated,
      error.code == .sessionNotFound
    {
      result = .success(.empty)
    }
    if let ticket = asked.ticket { actions.append(.finish(ticket, result)) }
  }

  /// Another scene of the session is just about to end.
  private mutating func askLater(_ asked: ProgramRequest, _ number: Int64) {
    overtaken[number] = asked
    overtaken[number]?.refusals += 1
    actions.append(.wake(.repeatRequest(number), after: ClientLimits.repetitionPause))
  }

  mutating func askAgain(_ number: Int64) {
    guard let asked = overtaken.removeValue(forKey: number) else { return }
    submit(.program(asked))
  }
}

extension ClientRequest {
  /// What comes to the same as this request and one after it; nil if nothing does.
  fileprivate func merged(with later: ClientRequest) -> ClientRequest? {
    if case (.update(var update), .update(let newer)) = (self, later),
      update.session == newer.session
    {
      if newer.title != .absent { update.title = newer.title }
      if newer.subtitle != .absent { update.subtitle = newer.subtitle }
      if newer.snapshot != .absent { update.snapshot = newer.snapshot }
      update.activationConditions.change(to: newer.activationConditions)
      return .update(update)
    }
    if case (.extend(var more), .extend(let newer)) = (self, later), more.session == newer.session {
      more.seconds = max(more.seconds, newer.seconds)
      return .extend(more)
    }
    return nil
  }
}

extension Presence<ActivationConditionTexts> {
  /// What comes to the same as saying this and then something newer.
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
