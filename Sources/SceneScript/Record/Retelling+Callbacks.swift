import SceneModel

/// Callbacks, and what they come of.
extension Retelling {
  mutating func call(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let player = cast.holder(of: session),
      let callback = entry.callback.flatMap(CallbackKind.init(rawValue:))
    else { return }
    guard !isLeftOut(callback, of: session, entry) else { return }
    var call = RecordedAct.Call(
      player: player.name, session: session, name: callback.rawValue)
    // This one tells of an end that has come, whatever is answered.
    call.isSettled = callback == .didDisconnect
    let reason = entry.reason.flatMap { reason in
      // Whom the broker had started asks for its scene here.
      let isOther = callback == .willConnect && launched.contains(player.process)
      return isOther || Self.openingReasons.contains(reason) ? nil : reason
    }
    call.conditions = reason.map { ["reason=\($0)"] } ?? []
    if callback == .willConnect, let condition = lastCondition(of: session) {
      call.conditions.append(condition)
    }
    if callback == .willContinueUserActivity { deliver(to: session) }
    if entry.reason == DisconnectReason.replaced.rawValue {
      early[session, default: []].append(call)
    } else if let cause = causes[session] {
      acts[cause].calls.append(call)
    }
  }

  /// Whether it does not come again: nothing is opened here, and what a program answered that is not
  /// `scene` is saved otherwise.
  private func isLeftOut(
    _ callback: CallbackKind, of session: SessionIdentifier, _ entry: TraceEntry
  ) -> Bool {
    switch callback {
    case .openURLContexts, .performActionForShortcutItem, .didReceiveNotificationResponse: true
    case .willContinueUserActivity, .continueUserActivity:
      causes[session].map { acts[$0].opens } ?? false
    case .didUpdateUserActivity: entry.client?.name != "scene"
    case .willConnect, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .stateRestorationActivity, .didDisconnect, .refresh:
      false
    }
  }

  /// Something is to be continued in the scene, which somebody brought who activated it.
  private mutating func deliver(to session: SessionIdentifier) {
    let label = cast.label(session)
    guard let cause = causes[session], acts[cause].bringActivity() else {
      return note("\(label) was given something to continue, which no line before it does.")
    }
    acts[cause].note(
      "What \(label) was given to continue is not known; something else stands for it.")
  }

  /// What is saved last up to here.
  private func lastCondition(of session: SessionIdentifier) -> String? {
    generations[session].flatMap { recording.condition(session, $0) }
  }

  /// The call that an entry is about, and the act that it came of.
  private func place(
    _ session: SessionIdentifier, _ entry: TraceEntry
  ) -> (cause: Int, call: Int)? {
    guard let cause = causes[session] else { return nil }
    let call = acts[cause].calls.lastIndex {
      $0.session == session && $0.name == entry.callback
    }
    return call.map { (cause, $0) }
  }

  mutating func settle(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let (cause, call) = place(session, entry) else { return }
    acts[cause].calls[call].isSettled = true
  }

  mutating func overrun(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let (cause, call) = place(session, entry), let player = cast.holder(of: session) else {
      return
    }
    settle(session, entry)
    acts[cause].calls[call].isAnswered = false
    guard let kind = acts[cause].calls[call].callback else { return }
    if case .line = acts[cause].deed {
      return note("\(player.name) did not answer \(kind), which it cannot be told beforehand here.")
    }
    acts[cause].isUnanswered = true
    if !player.hung.contains(kind) {
      acts[cause].preparations.append("hang \(player.name) \(kind)")
      acts[cause].note("Whether \(player.name) hung or was stopped is not known.")
      cast.change(session) { $0.hung.insert(kind) }
    }
    add(RecordedAct(RecordedAct.advance), causing: session)
  }
}
