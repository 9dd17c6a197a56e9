import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

/// The end of a script in which nothing failed: everybody goes, and what has to be so is looked at.
extension Stage {
  /// How long a process may take to end that nobody waits for.
  private static let lingering: Int64 = 5_000_000_000

  /// The listening one, and our connection.
  private static let brokerSockets = 2

  /// What is against the rules of what happened up to now.
  func breaches(
    with sessions: [SessionSummary]? = nil, _ kept: [SessionIdentifier: RawJSON] = [:]
  ) -> [RuleBreach] {
    noteAcknowledged()
    let ends = lives.dropFirst().map(\.start) + [story.count]
    var told = StagedStory(
      zip(lives, ends).map { life, end in
        StagedStory.Life(Array(story[life.start..<end]), acknowledged: life.acknowledged)
      })
    told.acknowledged = acknowledged
    told.sessions = sessions
    told.contents = contents
    told.contents.kept = kept
    return StandingRules.breaches(in: told)
  }

  /// Ends everybody, the broker last; what is against the rules then.
  package func close() -> [RuleBreach] {
    deadline = SystemClock.monotonic() + settings.ceiling
    hasLostDoomed = false
    var sessions: [SessionSummary]?
    var kept: [SessionIdentifier: RawJSON] = [:]
    var left: [RuleBreach] = []
    if let broker, broker.isDoomed, !seesDoom() { miss(broker) }
    do throws(StepFailure) {
      for player in allPlayers where player.process.end == nil { try kill(player.name, .kill) }
      finishOffCommands()
      try comeToRest()
      sessions = try listedSessions()
      kept = try keptActivities()
      left += try openConnections()
      // Looking may have taken all the time there was.
      deadline = SystemClock.monotonic() + settings.ceiling
      if broker != nil { try stopBroker() }
    } catch {
      // It was told to die, and had not come to it before.
      if !seesDoom() { left.append(RuleBreach(sentence: "at the end \(error.message)")) }
    }
    let breaches = breaches(with: sessions, kept) + left
    guard left.isEmpty, !lifeline.isOver(within: min(Self.lingering, settings.ceiling)) else {
      return breaches
    }
    return breaches + endLeftovers()
  }

  /// Ends what a line has started and not ended.
  private func endLeftovers() -> [RuleBreach] {
    let processes = lifeline.leftovers()
    for process in processes { process.end() }
    guard !processes.isEmpty else {
      return [
        RuleBreach(sentence: "a process that was started here has started another, which goes on")
      ]
    }
    return processes.map {
      RuleBreach(
        sentence: PlainText.escaped(
          "process \($0.pid), which a line has left behind, went on and was ended: \($0.command)"))
    }
  }

  private func listedSessions() throws(StepFailure) -> [SessionSummary]? {
    guard let broker else { return nil }
    var sessions: [SessionSummary] = []
    var list = SessionList()
    do throws(ControlError) {
      repeat {
        let page = try broker.control.request(list, until: deadline)
        sessions += page.sessions
        list.after = page.next
      } while list.after != nil
    } catch {
      throw brokerFailure(error)
    }
    takeStory()
    return sessions
  }

  /// What it shows of the sessions whose activity is known.
  private func keptActivities() throws(StepFailure) -> [SessionIdentifier: RawJSON] {
    guard let broker else { return [:] }
    noteAcknowledged()
    var kept: [SessionIdentifier: RawJSON] = [:]
    for session in contents.saved.keys {
      do throws(ControlError) {
        let show = SessionShow(session: session)
        let record = try broker.control.request(show, until: deadline).sceneSession
        kept[session] = record.stateRestorationActivity?.json ?? .null
      } catch .refused {
        // It was discarded.
      } catch {
        throw brokerFailure(error)
      }
    }
    return kept
  }

  /// With nobody there any more, nothing may be open to anybody.
  private func openConnections() throws(StepFailure) -> [RuleBreach] {
    guard let broker else { return [] }
    while let count = ProcessSockets.count(of: broker.process.pid), count > Self.brokerSockets {
      guard SystemClock.monotonic() < deadline else {
        let open = count - Self.brokerSockets
        return [
          RuleBreach(
            sentence: "every client has gone, and the broker still has \(open) connections open")
        ]
      }
      // It sees an end when it comes to it: it is asked until then.
      do throws(ControlError) {
        // The last answer may come a little later: that is not what is wrong then.
        _ = try broker.control.request(Ping(), until: deadline + 1_000_000_000)
      } catch {
        throw brokerFailure(error)
      }
    }
    return []
  }
}
