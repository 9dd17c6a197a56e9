import SceneModel

/// Saving activities. Each scene has at most one save without a reply, and at most one save, the
/// newest, that waits.
extension ClientMachine {
  mutating func save(_ activity: Activity?, of session: SessionIdentifier, _ token: RequestToken?) {
    let save = PendingSave(activity: activity, tokens: token.map { [$0] } ?? [])
    if link == .stopped, let endCause { return fail(save, of: session, endCause) }
    guard link != .stopped, scenes[session] != nil else {
      return fail(
        save, of: session, SceneError(.sessionNotHeld, "this client has no scene of \(session)"))
    }
    if let activity, let error = tooLarge(activity) { return fail(save, of: session, error) }
    scenes[session]?.saves.add(save)
    sendNextSave(of: session)
  }

  mutating func sendNextSave(of session: SessionIdentifier) {
    guard link.isOpen, let scene = scenes[session], scene.holdState.mayBeSaved,
      !scene.saves.isSending, !scene.saves.isPostponed, let next = scene.saves.next
    else { return }
    scenes[session]?.saves.isSending = true
    scenes[session]?.saves.next = nil
    submit(.save(session, next))
  }

  mutating func finishSave(
    _ save: PendingSave, of session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    scenes[session]?.saves.isSending = false
    switch result {
    case .success:
      backoffs[session] = nil
      actions.append(.saved(session, save.activity))
      for token in save.tokens { actions.append(.finish(token, result)) }
    case .failure(let error):
      switch (error.code, scenes[session]?.holdState) {
      case (.tooMany, _?) where error.retry != .never:
        // The disk of the broker is behind; the newest activity is saved later.
        scenes[session]?.saves.takeBack(save)
        scenes[session]?.saves.isPostponed = true
        actions.append(.wake(.save(session), after: pause(of: session)))
      case (.sessionNotHeld, let holdState?) where !holdState.isHeld:
        // The resume before this save must be repeated.
        scenes[session]?.saves.takeBack(save)
      default: fail(save, of: session, error)
      }
    }
    sendNextSave(of: session)
  }

  mutating func saveAgain(of session: SessionIdentifier) {
    scenes[session]?.saves.isPostponed = false
    sendNextSave(of: session)
  }

  /// Removes the token of a save that is sent or queued. Returns whether a save had it.
  mutating func abandonSave(_ token: RequestToken) -> Bool {
    for (session, scene) in scenes {
      guard let index = scene.saves.next?.tokens.firstIndex(of: token) else { continue }
      scenes[session]?.saves.next?.tokens.remove(at: index)
      return true
    }
    for (number, request) in pending {
      if let changed = request.removing(token) {
        pending[number] = changed
        return true
      }
    }
    for index in waiting.indices {
      if let changed = waiting[index].removing(token) {
        waiting[index] = changed
        return true
      }
    }
    return false
  }

  /// The sessions with activities that wait for a broker.
  var unsavedSessions: [SessionIdentifier] {
    // A broker that is about to end may still accept connections.
    guard link != .ready else { return [] }
    let unanswered = Set((pending.values + waiting).compactMap(\.savedSession))
    return sessionsInOrder.filter { scenes[$0]?.saves.next != nil || unanswered.contains($0) }
  }

  /// Reports the error to the completions; without completions, to the scene's delegate.
  mutating func fail(_ save: PendingSave, of session: SessionIdentifier, _ error: SceneError) {
    if save.tokens.isEmpty { actions.append(.report(session, save.activity, error)) }
    for token in save.tokens { actions.append(.finish(token, .failure(error))) }
  }

  /// The error for an activity above the limit.
  func tooLarge(_ activity: Activity) -> SceneError? {
    guard activity.byteCount > activityLimit else { return nil }
    return SceneError(
      .tooLarge,
      "activity: \(activity.byteCount) bytes; at most \(activityLimit) are allowed")
  }
}
