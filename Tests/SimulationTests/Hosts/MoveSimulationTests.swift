import SceneCommands
import SceneHandoff
import SceneJSON
import SceneModel
import Testing

/// Plays `scenectl move` between two brokers. A kill can happen before and after each action.
@Suite("a move between two simulated hosts")
struct MoveSimulationTests {
  enum Victim: CaseIterable {
    case connection, source, target, sourceBroker, targetBroker
  }

  private struct Killed: Error {}

  /// One run of the verb. Both ends act in turn; a step is one action of either end.
  private struct Run {
    let source: SimulatedHost
    let target: SimulatedHost
    /// The step of the kill, and whether it happens after the action; nil for none.
    var kill: (step: Int, isAfter: Bool, victim: Victim)?
    var steps = 0
    /// The changing request during which its broker is killed, and the records that the disk gets.
    var killedRequest: (number: Int, recordCount: Int)?
    private(set) var requests = 0
    private var toTarget: [MoveLine] = []
    private var toSource: [MoveLine] = []

    init(_ source: SimulatedHost, _ target: SimulatedHost) {
      self.source = source
      self.target = target
    }

    /// Returns whether the session was moved. After a kill of an end, the other end acts on.
    mutating func play() throws -> Bool {
      let details = try #require(source.session)
      var sending = MoveSource(
        try MoveOffer(details, from: source.name, to: target.name), hasScene: false)
      var receiving = MoveTarget()
      var (sendAction, receiveAction) = (Optional(sending.start()), Optional(receiving.start()))
      var hasMoved = false
      while sendAction != nil || receiveAction != nil {
        var isIdle = true
        if let action = sendAction, !(action == .readLine && toSource.isEmpty) {
          isIdle = false
          if case .finish = action { hasMoved = true }
          sendAction = try step(.source) { run in
            try run.perform(action).map { try sending.handle($0) }
          }
        }
        if let action = receiveAction, !(action == .readLine && toTarget.isEmpty) {
          isIdle = false
          receiveAction = try step(.target) { run in
            try run.perform(action).map { try receiving.handle($0) }
          }
        }
        // An end that waits for an ended one reads the end of the connection.
        if isIdle { break }
      }
      return hasMoved
    }

    /// Performs one action and the kill of this step. Nil ends the end that acts.
    private mutating func step<Action>(
      _ end: Victim, _ body: (inout Run) throws -> Action?
    ) throws -> Action? {
      steps += 1
      if let kill, kill.step == steps, !kill.isAfter, perform(kill.victim, end) { return nil }
      let next = try body(&self)
      if let kill, kill.step == steps, kill.isAfter, perform(kill.victim, end) { return nil }
      return next
    }

    /// Returns whether the end that acts has ended.
    private mutating func perform(_ victim: Victim, _ end: Victim) -> Bool {
      switch victim {
      case .source, .target: return victim == end
      case .connection:
        (toTarget, toSource) = ([], [])
        return true
      case .sourceBroker:
        source.kill()
        return end == .source
      case .targetBroker:
        target.kill()
        return end == .target
      }
    }

    private mutating func perform(_ action: MoveSource.Action) throws -> MoveSource.Event? {
      do throws(MoveRefusal) {
        switch action {
        case .channel(.send(let line)): toTarget.append(line)
        case .channel(.readLine): return .line(toSource.removeFirst())
        case .channel(.copyFiles), .disconnect: break
        case .release(let fence):
          let session = try identifier()
          return .content(
            content(
              try ask(
                source, SessionRelease(session: session, fence: fence, to: target.name)), fence))
        case .show:
          return .content(content(try source.ask(SessionShow(session: identifier())), 1))
        case .confirm(let fence):
          let session = try identifier()
          try ask(
            source,
            SessionRelease(session: session, fence: fence, to: target.name, confirmed: true))
        case .takeBack(let moved):
          try ask(source, adoption(moved, from: target, isArriving: false))
        case .finish: return nil
        case .fail(let refusal, let isFromOtherEnd):
          if !isFromOtherEnd { toTarget.append(.refuse(refusal)) }
          return nil
        }
        return .done
      } catch {
        return isKilled ? nil : .refused(error, isInUse: false)
      }
    }

    private mutating func perform(_ action: MoveTarget.Action) throws -> MoveTarget.Event? {
      do throws(MoveRefusal) {
        switch action {
        case .channel(.send(let line)): toSource.append(line)
        case .channel(.readLine): return .line(toTarget.removeFirst())
        case .check(let offer):
          return .checked(fence: try offer.fence(besides: target.session?.summary))
        case .channel(.copyFiles), .write: break
        case .adopt(let moved, let isArriving):
          let reply = try ask(target, adoption(moved, from: source, isArriving: isArriving))
          return .adopted(
            MoveArrival(name: reply.name, generation: moved.generation), isNew: reply.adopted)
        case .finish: return nil
        case .fail(let refusal, let isFromOtherEnd):
          if !isFromOtherEnd { toSource.append(.refuse(refusal)) }
          return nil
        }
        return .done
      } catch {
        return isKilled ? nil : .refused(error)
      }
    }

    /// Whether the broker was killed during the last request.
    private var isKilled: Bool { requests == killedRequest?.number }

    @discardableResult
    private mutating func ask<Message: RequestMessage>(
      _ host: SimulatedHost, _ message: Message
    ) throws(MoveRefusal) -> Message.Reply {
      requests += 1
      if isKilled { host.recordLimit = killedRequest?.recordCount }
      return try host.ask(message)
    }

    private func identifier() throws(MoveRefusal) -> SessionIdentifier {
      guard let session = source.session else { throw MoveRefusal("no session") }
      return session.summary.session
    }

    private func content(_ details: SessionDetails, _ fence: Int64) -> MovedSession {
      var moved = MovedSession()
      moved.sceneSession = details.sceneSession
      moved.generation = details.summary.generation
      moved.fence = fence
      moved.files = [MovedFile(name: "history", content: [1])]
      return moved
    }

    private func adoption(
      _ moved: MovedSession, from host: SimulatedHost, isArriving: Bool
    ) -> SessionAdopt {
      SessionAdopt(
        sceneSession: moved.sceneSession, generation: moved.generation, fence: moved.fence,
        from: host.name, arriving: isArriving)
    }
  }

  private func hosts() throws -> (SimulatedHost, SimulatedHost) {
    let (laptop, desktop) = (SimulatedHost("laptop"), SimulatedHost("desktop"))
    var session = SceneSessionRecord()
    session.persistentIdentifier = SessionIdentifier(random: 5, 6)
    session.name = "notes"
    session.stateRestorationActivity = Activity(
      unchecked: try RawJSON(
        validating: #"{"activityType":"com.example.note","userInfo":{"line":137}}"#.utf8))
    try laptop.ask(SessionAdopt(sceneSession: session, generation: 12, fence: 1, from: "server"))
    return (laptop, desktop)
  }

  @Test("after each kill the session is present at most once, and the same command finishes")
  func kills() throws {
    let (laptop, desktop) = try hosts()
    var clean = Run(laptop, desktop)
    #expect(try clean.play())
    #expect(clean.steps > 10)
    for step in 1...clean.steps {
      for isAfter in [false, true] {
        for victim in Victim.allCases {
          let (laptop, desktop) = try hosts()
          var first = Run(laptop, desktop)
          first.kill = (step, isAfter, victim)
          _ = try first.play()
          let place: Comment = "step \(step), after: \(isAfter), \(victim)"
          try expectFinish(laptop, desktop, place)
        }
      }
    }
  }

  @Test("after a kill between two records of a request, the same command finishes the move")
  func killsBetweenRecords() throws {
    let (laptop, desktop) = try hosts()
    var clean = Run(laptop, desktop)
    #expect(try clean.play())
    #expect(clean.requests == 4)
    for request in 1...clean.requests {
      for count in 0...4 {
        let (laptop, desktop) = try hosts()
        var first = Run(laptop, desktop)
        first.killedRequest = (request, count)
        _ = try first.play()
        try expectFinish(laptop, desktop, "request \(request), \(count) records")
      }
    }
  }

  @Test("after --force a session is present again, and a move never replaces a present one")
  func force() throws {
    var outcomes: Set<Bool> = []
    for step in 1...20 {
      let (laptop, desktop) = try hosts()
      var first = Run(laptop, desktop)
      first.kill = (step, true, .connection)
      _ = try first.play()
      guard let details = laptop.session, let away = details.summary.away else { continue }
      try laptop.ask(
        SessionAdopt(
          sceneSession: details.sceneSession, generation: details.summary.generation,
          fence: away.fence + 1, from: away.to))
      let isTwice = desktop.session.map { $0.summary.away == nil } ?? false
      outcomes.insert(isTwice)
      var second = Run(laptop, desktop)
      #expect(try second.play() == !isTwice, "step \(step)")
      for host in [laptop, desktop] {
        #expect(host.session?.sceneSession == details.sceneSession, "step \(step)")
        #expect(host.session?.summary.generation == 12, "step \(step)")
      }
      #expect((laptop.session?.summary.away == nil) == isTwice, "step \(step)")
    }
    #expect(outcomes == [false, true])
  }

  /// Expects that the session is present once at most, and that the same command finishes the move.
  private func expectFinish(
    _ laptop: SimulatedHost, _ desktop: SimulatedHost, _ place: Comment
  ) throws {
    let present = [laptop, desktop].count { $0.session.map { $0.summary.away == nil } ?? false }
    #expect(present <= 1, place)
    var second = Run(laptop, desktop)
    #expect(try second.play(), place)
    #expect(laptop.session?.summary.away?.isConfirmed == true, place)
    let arrived = try #require(desktop.session, place)
    #expect(arrived.summary.away == nil, place)
    #expect(arrived.sceneSession == laptop.session?.sceneSession, place)
    #expect(arrived.summary.generation == 12, place)
  }

  @Test("a session goes to and fro, and each fence exceeds the last one")
  func toAndFro() throws {
    var (here, there) = try hosts()
    var fences: [Int64] = []
    for _ in 1...6 {
      var run = Run(here, there)
      #expect(try run.play())
      fences.append(there.session?.summary.fence ?? 0)
      (here, there) = (there, here)
    }
    #expect(fences == [2, 3, 4, 5, 6, 7])
  }
}
