import SceneControl
import SceneModel
import ScenePlatform

/// Telling when what a line did is over.
extension Stage {
  /// How long to wait for rest before looking whether a client has said that it will not answer.
  private static let lookAgain: Int64 = 10_000_000

  /// When to look whether something has happened that nobody tells of.
  var nextLook: Int64 { min(SystemClock.monotonic() + Self.lookAgain, deadline) }

  /// Returns when nothing is under way any more and everything that was told has been heard, but
  /// for those who do not answer.
  ///
  /// A client that heard something may do something about it, so this goes on until nothing was
  /// new.
  package func comeToRest() throws(StepFailure) {
    var before: Int
    repeat {
      before = newsCount
      try settle()
      for player in allPlayers { try hearOut(player) }
      for player in allPlayers where player.isSilent || player.isLeaving && !player.isFrozen {
        try seeOff(player)
      }
      // What they did meanwhile may have had the broker do something, too.
      takeStory()
    } while newsCount != before
    noteRest()
  }

  private var newsCount: Int {
    story.count + allPlayers.reduce(0) { $0 + $1.newsCount + ($1.isSilent ? 1 : 0) }
  }

  // MARK: - The broker

  private func settle() throws(StepFailure) {
    guard let broker else { return }
    var lookCount = 0
    do throws(ControlError) {
      settling: while true {
        let stuck = stuckProcesses()
        let request = broker.control.post(Settle(except: stuck))
        var isAnswered = false
        // Where it is asked again, nobody waits for this answer.
        defer { if !isAnswered { broker.control.forget(request) } }
        while stuckProcesses() == stuck {
          isAnswered = try hasSettled(request, broker.control)
          if isAnswered { return takeStory() }
          lookCount += 1
          if lookCount % Self.looksBetweenStops == 0, stoppedPlayer != nil { break settling }
        }
      }
    } catch {
      throw brokerFailure(error)
    }
    try checkNobodyIsStopped()
    return try settle()
  }

  /// To look whether a process is stopped takes a while.
  private static let looksBetweenStops = 10

  /// A client that does nothing, and not because the script says so.
  private var stoppedPlayer: Player? {
    allPlayers.first { player in
      player.isAlive && !player.isFrozen
        && ProcessActivity(of: player.process.pid)?.state == .stopped
    }
  }

  /// What is asked of a client that was stopped is never done.
  private func checkNobodyIsStopped() throws(StepFailure) {
    guard let player = stoppedPlayer else { return }
    let pid = player.process.pid
    throw .broken(
      "\(player.name) (process \(pid)) is stopped, and not by the script; it goes on with: "
        + "kill -CONT \(pid)\nIn a script a client is stopped with: freeze \(player.name)")
  }

  /// What a client answers, as ``Player/answer(to:until:)``.
  func answer(of player: Player, to number: Int64) throws(StepFailure) -> Saying? {
    while true {
      // To look for it takes longer than most answers.
      let look = min(SystemClock.monotonic() + 100_000_000, deadline)
      if let answer = player.answer(to: number, until: look) { return answer }
      if player.isSilent || look == deadline { return nil }
      try checkNobodyIsStopped()
    }
  }

  private func hasSettled(
    _ request: Int64, _ control: ControlConnection
  ) throws(ControlError) -> Bool {
    do throws(ControlError) {
      _ = try control.result(of: request, until: nextLook)
      return true
    } catch .timedOut where SystemClock.monotonic() < deadline {
      return false
    }
  }

  // MARK: - What only time can end

  /// Whether it is over at once with `--no-wait`.
  package func canGoUnawaited(_ words: [String]) -> Bool {
    !words.contains("--no-wait") && settings.hand.complaint(Self.unawaited(words)) == nil
  }

  static func unawaited(_ words: [String]) -> [String] {
    words.prefix(1) + ["--no-wait"] + words.dropFirst()
  }

  /// Whether all rests but clients that do not answer, and the clock that would end that stands
  /// still until the script's next line.
  package func waitsInVain() -> Bool {
    guard let broker else { return false }
    let stuck = stuckProcesses()
    guard !stuck.isEmpty else { return false }
    do throws(ControlError) {
      let settling = broker.control.post(Settle(except: stuck))
      while !(try hasSettled(settling, broker.control)) {
        guard stuckProcesses() == stuck, SystemClock.monotonic() < deadline else {
          broker.control.forget(settling)
          return false
        }
      }
      // Its answer has left with the next one at the latest, if there is one.
      let status = try broker.control.request(ApplicationStatus(), until: deadline)
      isInVain = status.clock == "virtual" && stuckProcesses() == stuck
      return isInVain
    } catch {
      // Whoever waits finds out.
      return false
    }
  }

  private func stuckProcesses() -> [Int64] {
    for player in allPlayers {
      player.catchUp()
      noticeThaw(of: player)
    }
    return allPlayers.filter { $0.isAlive && $0.isStuck }.map { Int64($0.process.pid) }
  }

  /// As what the script itself asks.
  static let controlName = "scenectl"

  /// Adds what the broker has told to the story. That somebody comes and asks is no part of it.
  func takeStory() {
    guard let broker else { return }
    for notification in (try? broker.control.takeNotifications()) ?? [] {
      guard case .trace(let entry)? = try? notification.read() else { continue }
      tell(entry)
    }
  }

  func tell(_ entry: TraceEntry) {
    if entry.client?.name == Self.controlName {
      let isOurs = entry.client?.pid == Int64(ProcessIdentity.currentPID)
      // Who observes is to be sent what we post, too.
      if isOurs && entry.event != .posted { return }
      if entry.event == .joined || entry.event == .left { return }
    }
    if entry.event == .launched { troupe.expectGuests() }
    chronicle.entries.append(entry)
  }

  /// Takes in what the broker has told up to now, if it answers within a second.
  package func hearStory() {
    guard let broker else { return }
    let deadline = SystemClock.monotonic() + 1_000_000_000
    _ = try? broker.control.request(Ping(), until: deadline)
    takeStory()
  }

  /// Returns when the broker knows that a process has gone.
  package func awaitLeave(of process: Int32) throws(StepFailure) {
    guard let broker else { return }
    do throws(ControlError) {
      _ = try broker.control.request(Ping(), until: deadline)
      takeStory()
      while isPresent(Int64(process), broker) {
        guard let told = try broker.control.nextNotification(until: deadline) else {
          throw ControlError.timedOut
        }
        if case .trace(let entry)? = try told.read() { tell(entry) }
      }
    } catch {
      throw brokerFailure(error)
    }
  }

  private func isPresent(_ process: Int64, _ broker: StagedBroker) -> Bool {
    var connections = 0
    for entry in story[broker.storyStart...] where entry.client?.pid == process {
      if entry.event == .joined { connections += 1 }
      if entry.event == .left { connections -= 1 }
    }
    return connections > 0
  }

  // MARK: - The clients

  /// Returns when a client has noticed that its broker is gone, and so has heard all that it told
  /// before.
  private func awaitNotice(_ player: Player) throws(StepFailure) {
    while player.isAstray, player.isAlive, !player.isWaiting, !player.isIdle {
      guard player.hear(until: deadline) == nil, player.isAlive else { continue }
      throw .broken("\(player.name) does not notice that the broker is gone")
    }
  }

  /// Returns when a client that has nothing to say any more has gone, and the broker knows it.
  func seeOff(_ player: Player) throws(StepFailure) {
    guard !player.isOver else { return }
    guard player.process.waitForEnd(until: deadline) != nil else {
      throw .broken("the scene of \(player.name) is over, but it does not end")
    }
    player.hearToTheEnd(until: deadline)
    try awaitLeave(of: player.process.pid)
    player.isOver = true
  }

  /// A frozen client that somebody else kills, or lets go on, is like any other.
  private func noticeThaw(of player: Player) {
    guard player.isFrozen else { return }
    player.isFrozen =
      player.isAlive && ProcessActivity(of: player.process.pid)?.state == .stopped
  }

  /// Returns when a client has told all that it was told so far.
  ///
  /// It is asked something that it answers once that is done: with a broker, something that the
  /// broker answers behind everything else.
  private func hearOut(_ player: Player) throws(StepFailure) {
    noticeThaw(of: player)
    if player.isFrozen { return player.catchUp() }
    if broker == nil { try awaitNotice(player) }
    // What it waits for comes with the next broker.
    if broker == nil, player.isBusy, player.isAlive { return player.catchUp() }
    while broker != nil, player.isAstray, player.isAlive {
      guard player.hear(until: deadline) == nil, player.isAlive else { continue }
      throw .broken("\(player.name) does not come back to the broker")
    }
    do throws(StepFailure) {
      if player.isAlive {
        let question = try player.type(broker == nil ? "help" : "status", until: deadline)
        if try answer(of: player, to: question) == nil, !player.isSilent {
          throw .broken("\(player.name) does not answer")
        }
      }
    } catch {
      try checkNobodyIsStopped()
      // One that ends of its own accord cannot be asked any more.
      guard player.process.waitForEnd(until: deadline) != nil else { throw error }
    }
    if player.process.end != nil { player.hearToTheEnd(until: deadline) }
  }
}
