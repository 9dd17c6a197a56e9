import JSON
import SceneModel

/// Asking the broker, and being answered.
extension ClientMachine {
  // MARK: - Asking

  mutating func ask(_ request: ClientRequest, _ ticket: Ticket?) {
    do throws(SceneError) {
      guard link != .stopped, !isStopping else {
        throw SceneError(.applicationStopped, "this client has ended, or is about to")
      }
      try check(request)
      if ticket == nil, mergeUpdate(request) { return }
      guard waiting.count < ClientLimits.waiting else {
        throw SceneError(
          .tooMany, "\(ClientLimits.waiting) requests wait to be sent already", retry: .later)
      }
      submit(.program(ticket, request, repeated: false))
    } catch {
      if let ticket { actions.append(.finish(ticket, .failure(error))) }
    }
  }

  /// Of what a scene says of itself only the newest counts, so what waits need not pile up.
  private mutating func mergeUpdate(_ request: ClientRequest) -> Bool {
    guard case .update(let newer) = request else { return false }
    for index in waiting.indices {
      guard case .program(nil, .update(var older), let repeated) = waiting[index],
        older.session == newer.session
      else { continue }
      if newer.title != .absent { older.title = newer.title }
      if newer.subtitle != .absent { older.subtitle = newer.subtitle }
      if newer.snapshot != .absent { older.snapshot = newer.snapshot }
      waiting[index] = .program(nil, .update(older), repeated: repeated)
      return true
    }
    return false
  }

  /// Sends it now, or when the broker can take it.
  mutating func submit(_ purpose: Purpose) {
    if link == .ready, waiting.isEmpty, pending.count < ClientLimits.inFlight {
      send(purpose)
    } else {
      waiting.append(purpose)
    }
  }

  mutating func send(_ purpose: Purpose) {
    lastRequest += 1
    pending[lastRequest] = purpose
    actions.append(.send(.request(lastRequest, purpose.request(self))))
  }

  mutating func sendWaiting() {
    guard link == .ready, !waiting.isEmpty else { return }
    let room = max(0, ClientLimits.inFlight - pending.count)
    let ready = waiting.prefix(room)
    waiting.removeFirst(ready.count)
    for purpose in ready { send(purpose) }
  }

  // MARK: - Being answered

  mutating func take(_ result: Result<BrokerReply, SceneError>, to number: Int64) {
    guard let purpose = pending.removeValue(forKey: number) else { return }
    switch purpose {
    case .introduction: meet(result)
    case .program(let ticket, let request, let repeated):
      finish(request, ticket, forgive(result, request, repeated: repeated))
    case .save(let session, let save): finish(save, of: session, result)
    case .resume(let session, _, let carried): finishResume(of: session, carried, result)
    case .comeBack(let session): finishReturn(of: session, result)
    case .startOver(let session): finishStartingOver(session, result)
    case .leave(let session, _): finishLeaving(session, result)
    }
  }

  /// What was done before the connection was lost cannot be done again, and need not.
  private func forgive(
    _ result: Result<BrokerReply, SceneError>, _ request: ClientRequest, repeated: Bool
  ) -> Result<BrokerReply, SceneError> {
    guard repeated, case .destroy = request, case .failure(let error) = result,
      error.code == .sessionNotFound
    else { return result }
    return .success(.empty)
  }

  private mutating func finish(
    _ request: ClientRequest, _ ticket: Ticket?, _ result: Result<BrokerReply, SceneError>
  ) {
    if case .connect = request, case .success(.connected(let reply)) = result {
      enter(reply.session, hold: reply.hold)
    }
    if let ticket { actions.append(.finish(ticket, result)) }
  }

  // MARK: - Limits

  private func check(_ request: ClientRequest) throws(SceneError) {
    switch request {
    case .connect(let message):
      try check(message.name, message.title)
      try check("userInfo", message.userInfo?.byteCount, ClientLimits.userInfoBytes)
      try check("options", message.options?.byteCount, ClientLimits.activityBytes)
    case .activate(let message):
      try check(message.name)
      try check("activity", message.userActivity?.byteCount, activityLimit)
    case .update(let message):
      try check(message.title.text, message.subtitle.text)
      try check("snapshot", message.snapshot.text?.utf8.count, ClientLimits.snapshotBytes)
    case .setUserInfo(let message):
      try check("userInfo", message.userInfo.byteCount, ClientLimits.userInfoBytes)
    case .setName(let message): try check(message.name)
    case .destroy(let message):
      try check("sessions", message.sessions.count, ClientLimits.sessions)
    case .initialize, .disconnect, .transition, .extend, .saveActivity, .list, .show, .history,
      .observe, .status, .reclaim, .terminate, .trace, .ping, .describe, .settle, .returnError:
      break
    }
  }

  private func check(_ texts: String?...) throws(SceneError) {
    for text in texts { try check("text", text?.utf8.count, ClientLimits.titleBytes) }
  }

  func check(_ what: String, _ size: Int?, _ limit: Int) throws(SceneError) {
    guard let size, size > limit else { return }
    throw SceneError(.tooLarge, "\(what): \(size), and at most \(limit) are allowed")
  }
}

extension Presence<String> {
  fileprivate var text: String? {
    switch self {
    case .absent, .null: nil
    case .value(let text): text
    }
  }
}
