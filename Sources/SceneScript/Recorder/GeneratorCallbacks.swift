import SceneModel

/// The callbacks, assigned to the steps that cause them.
extension ScriptGenerator {
  mutating func call(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let scriptClient = clients.holder(of: session),
      let callback = entry.callback.flatMap(CallbackKind.init(rawValue:))
    else { return }
    guard !isOmitted(callback, of: session, entry) else { return }
    var call = RecordedStep.Call(
      scriptClient: scriptClient.name, session: session, name: callback.rawValue)
    // `didDisconnect` needs no answer.
    call.isSettled = callback == .didDisconnect
    let reason = entry.reason.flatMap { reason in
      // The script starts a launched process by a line, so the reason differs.
      let isOther = callback == .willConnect && launched.contains(scriptClient.process)
      return isOther || Self.openingReasons.contains(reason) ? nil : reason
    }
    call.conditions = reason.map { ["reason=\($0)"] } ?? []
    if callback == .willConnect, let condition = lastCondition(of: session) {
      call.conditions.append(condition)
    }
    if callback == .willContinueUserActivity { deliver(to: session) }
    if entry.reason == DisconnectReason.replaced.rawValue {
      earlyCalls[session, default: []].append(call)
    } else if let cause = causes[session] {
      steps[cause].calls.append(call)
    }
  }

  /// Whether the script does not cause this callback: it opens no content, and saves the activity
  /// of a foreign program by another verb.
  private func isOmitted(
    _ callback: CallbackKind, of session: SessionIdentifier, _ entry: TraceEntry
  ) -> Bool {
    switch callback {
    case .openURLContexts, .performActionForShortcutItem, .didReceiveNotificationResponse: true
    case .willContinueUserActivity, .continueUserActivity:
      causes[session].map { steps[$0].opensContent } ?? false
    case .didUpdateUserActivity: entry.client?.name != "scene"
    case .willConnect, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .stateRestorationActivity, .didDisconnect, .refresh:
      false
    }
  }

  /// Adds the unknown activity to the step that activated the scene.
  private mutating func deliver(to session: SessionIdentifier) {
    let label = clients.label(session)
    guard let cause = causes[session], steps[cause].addContinuedActivity() else {
      return note("\(label) continued an activity, but no earlier line causes this.")
    }
    steps[cause].note(
      "The activity that \(label) continued is not known; a placeholder stands for it.")
  }

  /// The condition for the last saved activity.
  private func lastCondition(of session: SessionIdentifier) -> String? {
    generations[session].flatMap { recording.condition(session, $0) }
  }

  /// The indices of the step and of the call of an entry.
  private func callIndex(
    _ session: SessionIdentifier, _ entry: TraceEntry
  ) -> (cause: Int, call: Int)? {
    guard let cause = causes[session] else { return nil }
    let call = steps[cause].calls.lastIndex {
      $0.session == session && $0.name == entry.callback
    }
    return call.map { (cause, $0) }
  }

  mutating func markSettled(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let (cause, call) = callIndex(session, entry) else { return }
    steps[cause].calls[call].isSettled = true
  }

  mutating func markTimedOut(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let (cause, call) = callIndex(session, entry),
      let scriptClient = clients.holder(of: session)
    else {
      return
    }
    markSettled(session, entry)
    steps[cause].calls[call].isAnswered = false
    guard let kind = steps[cause].calls[call].callback else { return }
    if case .line = steps[cause].action {
      return note("\(scriptClient.name) did not answer \(kind); the script cannot reproduce this.")
    }
    steps[cause].isUnanswered = true
    if !scriptClient.hangingCallbacks.contains(kind) {
      steps[cause].preparations.append("hang \(scriptClient.name) \(kind)")
      steps[cause].note("The trace does not show whether \(scriptClient.name) hung or was stopped.")
      clients.change(session) { $0.hangingCallbacks.insert(kind) }
    }
    add(RecordedStep(RecordedStep.advance), causing: session)
  }
}
