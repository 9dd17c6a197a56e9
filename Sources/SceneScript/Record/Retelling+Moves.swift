import SceneModel

/// Scenes that are given to somebody, sent elsewhere, and discarded.
extension Retelling {
  mutating func connect(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let client = entry.client else { return }
    attached.insert(session)
    // What is withheld is as if it had never been saved.
    generations[session] = entry.withheld == nil ? entry.generation : 0
    let maker = makers.removeValue(forKey: session)
    let label = cast.label(session)
    // One that waits for its scene to be activated does not bring it along to the next broker.
    let isBrought = entry.by?.pid != nil
    if let player = cast.holder(of: session), player.isAstray, player.process == client.pid,
      !isBrought
    {
      return cast.give(session, to: player)
    }
    if entry.reason == ConnectReason.resume.rawValue { return }
    if let asker = entry.by?.pid, let host = cast.host(client.pid, for: session) {
      cast.give(session, to: host)
      let act =
        switch asker {
        case client.pid:
          RecordedAct.Deed.typed(host.name, "activate", control: "activate", session: label)
        case _ where asker == maker || entry.reason == ConnectReason.launch.rawValue:
          RecordedAct.Deed.line("new \(label)")
        case _ where entry.reason == ConnectReason.refresh.rawValue:
          RecordedAct.Deed.control("refresh --open", [label])
        default: RecordedAct.Deed.control("activate", [label])
        }
      return tell(RecordedAct(act, asker: asker), of: session, entry)
    }
    if client.name == Stage.cutName {
      add(RecordedAct(.line("cut \(label)")))
      causes[session] = nil
      return
    }
    let isTakenOver = early[session]?.isEmpty == false
    let former = cast.holder(of: session)
    var words = ["client"] + cast.start(client.pid, session)
    if entry.state == .background { words.append("--background") }
    if isTakenOver { words.append("--take-over") }
    if isTakenOver, let former { cast.replace(former) }
    let heading = isTakenOver ? "Another client takes over \(label)." : nil
    add(RecordedAct(.line(words.joined(separator: " ")), heading: heading), causing: session)
    if launched.contains(client.pid) {
      note("The broker had started \(client.name) for \(label); here it is started by a line.")
    }
    if client.name != "scene" {
      note("\(client.name) had \(label); here it is scene, which does only what it is told to.")
    }
  }

  mutating func aim(_ session: SessionIdentifier, _ entry: TraceEntry) {
    if entry.reason == DisconnectReason.discarded.rawValue { return }
    if entry.reason == DisconnectReason.shutdown.rawValue { return stop() }
    let label = cast.label(session)
    guard let state = entry.state, let asker = entry.by?.pid else {
      causes[session] = nil
      return note("The broker sent \(label) elsewhere by itself, which a script cannot make it do.")
    }
    if entry.reason == ConnectReason.refresh.rawValue {
      return tell(RecordedAct(.control("refresh", [label]), asker: asker), of: session, entry)
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
    let overtaken = actUnderWay(of: session)
    let holder = cast.holder(of: session)
    if let holder, holder.process == asker, ["activate", "background", "close"].contains(verb) {
      let deed = RecordedAct.Deed.typed(holder.name, verb, control: verb, session: label)
      tell(RecordedAct(deed), of: session, entry)
    } else {
      tell(RecordedAct(.control(verb, [label]), asker: asker), of: session, entry)
    }
    if let overtaken { overtake(overtaken, label) }
  }

  /// The act because of which the session's scene is still called, and has not answered.
  private func actUnderWay(of session: SessionIdentifier) -> Int? {
    causes[session].flatMap { cause in
      acts[cause].calls.contains { $0.session == session && !$0.isSettled } ? cause : nil
    }
  }

  /// A line of a script is over before the next one, so what came of two that were under way at once
  /// comes otherwise.
  private mutating func overtake(_ earlier: Int, _ label: String) {
    acts[earlier].isTraced = false
    acts[acts.count - 1].isTraced = false
    note(
      "`\(acts[acts.count - 1].line)` came while `\(acts[earlier].line)` was under way. Here one is "
        + "done after the other, so what \(label) is called for is not compared.")
  }

  /// What was opened is nowhere in a trace, and it may go elsewhere in a script: there the scene is
  /// activated, which is the rest of it.
  private mutating func tell(
    _ act: RecordedAct, of session: SessionIdentifier, _ entry: TraceEntry
  ) {
    var act = act
    if let reason = entry.reason, Self.openingReasons.contains(reason) {
      act.opens = true
      act.note(
        "What was opened in \(cast.label(session)) (\(reason)) is not known; here it is only "
          + "activated.")
    }
    add(act, causing: session)
  }

  static let openingReasons = Set(
    [ConnectReason.url, .continuation, .notification, .shortcut].map(\.rawValue))

  mutating func discard(_ session: SessionIdentifier, _ entry: TraceEntry) {
    let label = cast.label(session)
    leaving.insert(session)
    cast.discard(session)
    guard let asker = entry.by?.pid else {
      causes[session] = nil
      return note("The broker discarded \(label) by itself, which a script cannot make it do.")
    }
    let holder = cast.holder(of: session)
    if let holder, holder.process == asker {
      add(
        RecordedAct(.typed(holder.name, "discard", control: "discard", session: label)),
        causing: session)
    } else {
      add(RecordedAct(.control("discard", [label]), asker: asker), causing: session)
    }
  }
}
