import SceneModel

/// Keeping activities: one of a scene is on its way at a time, and of those that wait only the
/// newest.
extension ClientMachine {
  mutating func save(_ activity: Activity?, of session: SessionIdentifier, _ ticket: Ticket?) {
    let save = Save(activity: activity, tickets: ticket.map { [$0] } ?? [])
    guard link != .stopped, let scene = scenes[session] else {
      return fail(save, SceneError(.sessionNotHeld, "\(session) has no scene here"))
    }
    do throws(SceneError) {
      try check("activity", activity?.byteCount, activityLimit)
    } catch {
      if ticket == nil { actions.append(.report(session, activity, error)) }
      return fail(save, error)
    }
    scenes[session]?.saves.add(save)
    switch scene.standing {
    case .attached, .resuming: sendNextSave(of: session)
    case .lost, .startingOver: break
    }
  }

  mutating func sendNextSave(of session: SessionIdentifier) {
    guard link == .ready, let saves = scenes[session]?.saves, !saves.isSending,
      let next = saves.next
    else { return }
    scenes[session]?.saves.isSending = true
    scenes[session]?.saves.next = nil
    submit(.save(session, next))
  }

  mutating func finish(
    _ save: Save, of session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    scenes[session]?.saves.isSending = false
    for ticket in save.tickets { actions.append(.finish(ticket, result)) }
    if case .failure(let error) = result, save.tickets.isEmpty {
      actions.append(.report(session, save.activity, error))
    }
    sendNextSave(of: session)
  }

  mutating func fail(_ save: Save, _ error: SceneError) {
    for ticket in save.tickets { actions.append(.finish(ticket, .failure(error))) }
  }

  /// Whether an activity is beyond what the broker keeps; whoever wants to know is told.
  mutating func refuseTooLarge(_ activity: Activity, of session: SessionIdentifier) -> Bool {
    do throws(SceneError) {
      try check("activity", activity.byteCount, activityLimit)
      return false
    } catch {
      actions.append(.report(session, activity, error))
      return true
    }
  }
}
