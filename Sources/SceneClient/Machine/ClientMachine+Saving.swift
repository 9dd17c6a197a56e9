import SceneModel

/// Keeping activities: one of a scene is on its way at a time, and of those that wait only the
/// newest.
extension ClientMachine {
  mutating func save(_ activity: Activity?, of session: SessionIdentifier, _ ticket: Ticket?) {
    let save = Save(activity: activity, tickets: ticket.map { [$0] } ?? [])
    guard link != .stopped, scenes[session] != nil else {
      return fail(
        save, of: session, SceneError(.sessionNotHeld, "this client has no scene of \(session)"))
    }
    do throws(SceneError) {
      if let activity { try check(activity) }
    } catch {
      return fail(save, of: session, error)
    }
    scenes[session]?.saves.add(save)
    sendNextSave(of: session)
  }

  mutating func sendNextSave(of session: SessionIdentifier) {
    guard link.isOpen, let scene = scenes[session], scene.standing.mayBeSaved,
      !scene.saves.isSending, !scene.saves.isPutOff, let next = scene.saves.next
    else { return }
    scenes[session]?.saves.isSending = true
    scenes[session]?.saves.next = nil
    submit(.save(session, next))
  }

  mutating func finish(
    _ save: Save, of session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    scenes[session]?.saves.isSending = false
    switch result {
    case .success:
      backoffs[session] = nil
      for ticket in save.tickets { actions.append(.finish(ticket, result)) }
    case .failure(let error):
      switch (error.code, scenes[session]?.standing) {
      case (.tooMany, _?) where error.retry != .never:
        // The disk is behind: what is newest when it has caught up is enough.
        scenes[session]?.saves.takeBack(save)
        scenes[session]?.saves.isPutOff = true
        actions.append(.wake(.save(session), after: pause(of: session)))
      case (.sessionNotHeld, let standing?) where !standing.isAttached:
        // It went out behind a resume that has to be asked for again.
        scenes[session]?.saves.takeBack(save)
      default: fail(save, of: session, error)
      }
    }
    sendNextSave(of: session)
  }

  mutating func saveAgain(of session: SessionIdentifier) {
    scenes[session]?.saves.isPutOff = false
    sendNextSave(of: session)
  }

  /// The sessions of whose activities something waits for a broker that is not there.
  var unsavedSessions: [SessionIdentifier] {
    // One that is just ending may still have accepted the connection.
    guard link != .ready else { return [] }
    let unanswered = Set((pending.values + waiting).compactMap(\.savedSession))
    return sessionsInOrder.filter { scenes[$0]?.saves.next != nil || unanswered.contains($0) }
  }

  /// Tells whoever waits for it; where nobody does, the scene's delegate.
  mutating func fail(_ save: Save, of session: SessionIdentifier, _ error: SceneError) {
    if save.tickets.isEmpty { actions.append(.report(session, save.activity, error)) }
    for ticket in save.tickets { actions.append(.finish(ticket, .failure(error))) }
  }

  private func check(_ activity: Activity) throws(SceneError) {
    guard activity.byteCount > activityLimit else { return }
    throw SceneError(
      .tooLarge,
      "activity: \(activity.byteCount) bytes; at most \(activityLimit) are allowed")
  }

  /// Whether an activity is beyond what the broker keeps; whoever wants to know is told.
  mutating func refuseTooLarge(_ activity: Activity, of session: SessionIdentifier) -> Bool {
    do throws(SceneError) {
      try check(activity)
      return false
    } catch {
      actions.append(.report(session, activity, error))
      return true
    }
  }
}
