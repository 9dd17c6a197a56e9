import SceneModel

/// The connections, moves and discards of scenes.
extension ScriptGenerator {
  mutating func connect(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let client = entry.client else { return }
    attached.insert(session)
    // A withheld activity is not restored.
    generations[session] = entry.withheld == nil ? entry.generation : 0
    let creator = creators.removeValue(forKey: session)
    let label = clients.label(session)
    // A client that waits for an activation does not get its old scene from the next broker.
    let isReconnecting = entry.by?.pid != nil
    if let scriptClient = clients.holder(of: session), scriptClient.hasLostBroker,
      scriptClient.process == client.pid,
      !isReconnecting
    {
      return clients.connect(session, to: scriptClient)
    }
    if entry.reason == ConnectReason.resume.rawValue { return }
    if let requester = entry.by?.pid, let host = clients.host(client.pid, for: session) {
      clients.connect(session, to: host)
      let step =
        switch requester {
        case client.pid:
          RecordedStep.Action.typedText(host.name, "activate", control: "activate", session: label)
        case _ where requester == creator || entry.reason == ConnectReason.launch.rawValue:
          RecordedStep.Action.line("new \(label)")
        case _ where entry.reason == ConnectReason.refresh.rawValue:
          RecordedStep.Action.control("refresh --open", [label])
        default: RecordedStep.Action.control("activate", [label])
        }
      return addStep(RecordedStep(step, requester: requester), of: session, entry)
    }
    if client.name == ScriptEnvironment.cutName {
      add(RecordedStep(.line("cut \(label)")))
      causes[session] = nil
      return
    }
    let isTakenOver = earlyCalls[session]?.isEmpty == false
    let former = clients.holder(of: session)
    var words = ["client"] + clients.start(client.pid, session)
    if entry.state == .background { words.append("--background") }
    if isTakenOver { words.append("--take-over") }
    if isTakenOver, let former { clients.replace(former) }
    let heading = isTakenOver ? "Another client takes over \(label)." : nil
    add(RecordedStep(.line(words.joined(separator: " ")), heading: heading), causing: session)
    if launched.contains(client.pid) {
      note("The broker launched \(client.name) for \(label); a line of the script starts it.")
    }
    if client.name != "scene" {
      note(
        "\(client.name) had \(label); the script uses scene, which does only what the script types."
      )
    }
  }

  mutating func aim(_ session: SessionIdentifier, _ entry: TraceEntry) {
    if entry.reason == DisconnectReason.discarded.rawValue { return }
    if entry.reason == DisconnectReason.shutdown.rawValue { return stop() }
    let label = clients.label(session)
    guard let state = entry.state, let requester = entry.by?.pid else {
      causes[session] = nil
      return note("The broker moved \(label) by itself; the script cannot reproduce this.")
    }
    if entry.reason == ConnectReason.refresh.rawValue {
      return addStep(
        RecordedStep(.control("refresh", [label]), requester: requester), of: session, entry)
    }
    let isReclaimed = entry.reason == DisconnectReason.reclaimed.rawValue
    let isActivated = entry.reason == ConnectReason.activation.rawValue
    let verb =
      switch state {
      case .unattached: isReclaimed ? "reclaim" : "close"
      case .background: isActivated ? "activate --background" : "background"
      case .foregroundInactive: "interrupt"
      case .foregroundActive: "activate"
      }
    if state == .unattached { leaving.insert(session) }
    let overlapping = stepInProgress(of: session)
    let holder = clients.holder(of: session)
    if let holder, holder.process == requester, ["activate", "background", "close"].contains(verb) {
      let action = RecordedStep.Action.typedText(holder.name, verb, control: verb, session: label)
      addStep(RecordedStep(action), of: session, entry)
    } else {
      addStep(RecordedStep(.control(verb, [label]), requester: requester), of: session, entry)
    }
    if let overlapping { noteOverlap(overlapping, label) }
  }

  /// The step whose callback to this session has no answer yet.
  private func stepInProgress(of session: SessionIdentifier) -> Int? {
    causes[session].flatMap { cause in
      steps[cause].calls.contains { $0.session == session && !$0.isSettled } ? cause : nil
    }
  }

  /// A script ends each line before the next one, so the callbacks of two overlapping requests
  /// differ.
  private mutating func noteOverlap(_ earlier: Int, _ label: String) {
    steps[earlier].isTraced = false
    steps[steps.count - 1].isTraced = false
    note(
      "`\(steps[steps.count - 1].line)` came while `\(steps[earlier].line)` was under way. The script "
        + "runs them one after the other, so it does not compare the callbacks of \(label).")
  }

  /// Adds a step. The trace does not contain opened content, so the script activates the scene
  /// instead.
  private mutating func addStep(
    _ step: RecordedStep, of session: SessionIdentifier, _ entry: TraceEntry
  ) {
    var step = step
    if let reason = entry.reason, Self.openingReasons.contains(reason) {
      step.opensContent = true
      step.note(
        "\(clients.label(session)) opened unknown content (\(reason)); the script only activates "
          + "the session.")
    }
    add(step, causing: session)
  }

  static let openingReasons = Set(
    [ConnectReason.url, .continuation, .notification, .shortcut].map(\.rawValue))

  mutating func discard(_ session: SessionIdentifier, _ entry: TraceEntry) {
    let label = clients.label(session)
    leaving.insert(session)
    clients.discard(session)
    guard let requester = entry.by?.pid else {
      causes[session] = nil
      return note("The broker discarded \(label) by itself; the script cannot reproduce this.")
    }
    let holder = clients.holder(of: session)
    if let holder, holder.process == requester {
      add(
        RecordedStep(.typedText(holder.name, "discard", control: "discard", session: label)),
        causing: session)
    } else {
      add(RecordedStep(.control("discard", [label]), requester: requester), causing: session)
    }
  }
}
