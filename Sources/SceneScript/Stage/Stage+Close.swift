import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

/// The end of a script: everybody goes, and what has to be so is looked at.
extension Stage {
  /// What is against the rules of what happened up to now.
  func breaches(
    with sessions: [SessionSummary]? = nil, _ kept: [SessionIdentifier: RawJSON] = [:]
  ) -> [RuleBreach] {
    noteSaving()
    return StandingRules.breaches(in: chronicle.told(sessions, kept))
  }

  /// Ends everybody, the broker last; what is against the rules then.
  package func close() -> [RuleBreach] {
    deadline = SystemClock.monotonic() + settings.ceiling
    hearStory()
    chronicle.end = story.count
    forgetMetDoom()
    var sessions: [SessionSummary]?
    var kept: [SessionIdentifier: RawJSON] = [:]
    var left: [RuleBreach] = []
    // What everybody's end leads to may still be the point at which it is to die.
    let mayDie = isDoomed
    if !seesDoom() { missDoom() }
    do throws(StepFailure) {
      for player in allPlayers where player.process.end == nil { try kill(player.name, .kill) }
      finishOffCommands()
      let guests = troupe.guests
      troupe.endGuests()
      // Whoever was left behind may have connections, too, which then are not what is wrong.
      left += leftovers()
      for guest in guests { try awaitLeave(of: guest) }
      try startOnceMore()
      try comeToRest()
      sessions = try listedSessions()
      kept = try activitiesKept(of: sessions ?? [])
      left += try openDescriptors()
      deadline = SystemClock.monotonic() + settings.ending
      if broker != nil { try stopBroker() }
      left += leftovers()
    } catch {
      // It was told to die, and had not come to it before.
      if !seesDoom(), !mayDie || broker != nil {
        left.append(RuleBreach(sentence: "at the end \(error.message)"))
      }
    }
    return [missedDoom].compactMap { $0 } + breaches(with: sessions, kept) + left
  }

  /// Where the script has ended its broker, another one is asked what there is. On what no broker can
  /// be started on, as the script has seen, none is.
  private func startOnceMore() throws(StepFailure) {
    guard broker == nil, hasStarted else { return }
    do throws(StepFailure) {
      // Without the command that it was there for.
      try startBroker(Array(brokerOptions.prefix { $0 != "--" }))
    } catch {
      throw .broken("no other broker can be started: \(error.message)")
    }
  }

  /// Ends what a line has started and not ended, unless it ends by itself.
  private func leftovers() -> [RuleBreach] {
    // Whom the broker has started, and whom they have, it may end itself. A client's program is in
    // another group.
    let strangers = { [broker, troupe, programs] in
      Set(troupe.members + programs.filter(\.isAlive))
        .filter { !$0.descends(from: broker?.process.pid) }
    }
    var processes = strangers()
    var pause = Pause()
    while !processes.isEmpty, pause.isBelow(settings.lingering) {
      pause.wait()
      processes = strangers()
    }
    return processes.sorted { $0.pid < $1.pid }.map { process in
      let pid = process.pid
      let command = ProcessIdentity.command(of: pid) ?? "a program without a name"
      process.end()
      return RuleBreach(
        sentence: PlainText.escaped(
          "process \(pid), which a line has left behind, went on and was ended: \(command)"))
    }
  }

  private func listedSessions() throws(StepFailure) -> [SessionSummary]? {
    guard let broker else { return nil }
    let sessions: [SessionSummary]
    do throws(ControlError) {
      sessions = try broker.control.sessions(until: deadline)
    } catch {
      throw brokerFailure(error)
    }
    takeStory()
    return sessions
  }

  /// What it shows of those sessions whose activity is known.
  private func activitiesKept(
    of sessions: [SessionSummary]
  ) throws(StepFailure) -> [SessionIdentifier: RawJSON] {
    guard let broker else { return [:] }
    noteSaving()
    var kept: [SessionIdentifier: RawJSON] = [:]
    for session in sessions.map(\.session) where chronicle.contents.saved[session] != nil {
      do throws(ControlError) {
        let show = SessionShow(session: session)
        let record = try broker.control.request(show, until: deadline).sceneSession
        kept[session] = record.stateRestorationActivity?.json ?? .null
      } catch {
        throw brokerFailure(error)
      }
    }
    return kept
  }

  /// With nobody there any more, nothing may be open but what was at the broker's start, or took the
  /// place of it.
  private func openDescriptors() throws(StepFailure) -> [RuleBreach] {
    guard let broker, let before = broker.descriptors else { return [] }
    var pause = Pause()
    while let open = OpenDescriptors(of: broker.process.pid) {
      let excess = open.excess(over: before)
      guard !excess.isEmpty else { return [] }
      guard pause.isBelow(settings.ending) else {
        return [
          RuleBreach(
            sentence: PlainText.escaped(
              "every client has gone, and the broker has more open than at its start: "
                + excess.joined(separator: "; ")))
        ]
      }
      // One that a broker has started may have been started again.
      troupe.endGuests()
      // It sees an end when it comes to it, and tells of that, if it was somebody's who had said who
      // it was.
      do throws(ControlError) {
        let told = try broker.control.nextNotification(until: pause.end())
        if case .trace(let entry)? = try told?.read() { tell(entry) }
      } catch {
        throw brokerFailure(error)
      }
    }
    return []
  }
}

extension ProcessIdentity {
  /// Whether it is this one, or was started by it, or by one that was.
  fileprivate func descends(from ancestor: Int32?) -> Bool {
    var process: Int32? = pid
    while let next = process, next > 1 {
      if next == ancestor { return true }
      process = ProcessIdentity.parent(of: next)
    }
    return false
  }
}
