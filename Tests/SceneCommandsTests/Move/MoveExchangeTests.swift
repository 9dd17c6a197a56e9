import SceneHandoff
import SceneModel
import Testing

@testable import SceneCommands

@Suite("the exchange of a move")
struct MoveExchangeTests {
  private let offer: MoveOffer = {
    var offer = MoveOffer()
    offer.host = "laptop"
    offer.target = "desktop"
    offer.session = SessionIdentifier(high: 1, low: 2)
    offer.name = "notes"
    offer.fence = 4
    return offer
  }()
  private let arrival = MoveArrival(name: "notes", generation: 12)
  private let refusal = MoveRefusal("no room")

  private func content(_ fence: Int64, files: [MovedFile]? = nil) -> MovedSession {
    var session = MovedSession()
    session.fence = fence
    session.files = files
    return session
  }

  /// The action after these events.
  private func action(
    of source: MoveSource, _ events: MoveSource.Event...
  ) throws(MemberError) -> MoveSource.Action {
    var source = source
    var action = source.start()
    for event in events { action = try source.handle(event) }
    return action
  }

  @Test("the source releases only after the target has accepted")
  func order() throws {
    let source = MoveSource(offer, hasScene: true)
    let accept = MoveSource.Event.line(.accept(MoveAcceptance()))
    #expect(try action(of: source) == .send(.offer(offer)))
    #expect(try action(of: source, .done) == .readLine)
    #expect(try action(of: source, .done, accept) == .disconnect)
    #expect(try action(of: source, .done, accept, .done) == .release(fence: 5))
    let session = content(5)
    #expect(
      try action(of: source, .done, accept, .done, .content(session)) == .send(.session(session)))
    #expect(
      try action(
        of: source, .done, accept, .done, .content(session), .done, .line(.adopted(arrival)))
        == .confirm(fence: 5))
    #expect(
      try action(
        of: source, .done, accept, .done, .content(session), .done, .line(.adopted(arrival)), .done)
        == .finish(arrival))
  }

  @Test("the fence exceeds those of both copies")
  func fence() throws {
    let source = MoveSource(offer, hasScene: false)
    let accept = MoveSource.Event.line(.accept(MoveAcceptance(fence: 9)))
    #expect(try action(of: source, .done, accept) == .release(fence: 10))
  }

  @Test("a second attempt keeps the fence, and ends no scene")
  func again() throws {
    var offer = offer
    offer.isAway = true
    let source = MoveSource(offer, hasScene: false)
    let accept = MoveSource.Event.line(.accept(MoveAcceptance(fence: 4)))
    #expect(try action(of: source, .done, accept) == .release(fence: 4))
    #expect(source.isUnconfirmed)
    offer.hasArrived = true
    #expect(!MoveSource(offer, hasScene: false).isUnconfirmed)
  }

  @Test("a client that connects meanwhile makes the source repeat both requests, three times")
  func inUse() throws {
    var source = MoveSource(offer, hasScene: false)
    _ = source.start()
    _ = try source.handle(.done)
    _ = try source.handle(.line(.accept(MoveAcceptance())))
    for _ in 1...3 {
      #expect(try source.handle(.refused(refusal, isInUse: true)) == .disconnect)
      #expect(try source.handle(.done) == .release(fence: 5))
    }
    #expect(
      try source.handle(.refused(refusal, isInUse: true))
        == .fail(refusal, isFromOtherEnd: false))
  }

  @Test("a session that the target refuses after the release becomes present again")
  func takeBack() throws {
    var source = MoveSource(offer, hasScene: false)
    _ = source.start()
    _ = try source.handle(.done)
    _ = try source.handle(.line(.accept(MoveAcceptance())))
    _ = try source.handle(.content(content(5)))
    #expect(source.isUnconfirmed)
    _ = try source.handle(.done)
    #expect(try source.handle(.line(.refuse(refusal))) == .takeBack(content(6)))
    #expect(try source.handle(.done) == .fail(refusal, isFromOtherEnd: true))
    #expect(!source.isUnconfirmed)
  }

  @Test("an away session is not taken back: another end of the first attempt can adopt it")
  func refusedAgain() throws {
    var offer = offer
    offer.isAway = true
    let accept = MoveSource.Event.line(.accept(MoveAcceptance(fence: 4)))
    #expect(
      try action(
        of: MoveSource(offer, hasScene: false), .done, accept, .content(content(4)), .done,
        .line(.refuse(refusal))) == .fail(refusal, isFromOtherEnd: true))
  }

  @Test("a copy is neither released nor confirmed")
  func copy() throws {
    var offer = offer
    offer.isCopy = true
    let source = MoveSource(offer, hasScene: true)
    let accept = MoveSource.Event.line(.accept(MoveAcceptance()))
    #expect(try action(of: source, .done, accept) == .show)
    #expect(
      try action(
        of: source, .done, accept, .content(content(1)), .done, .line(.adopted(arrival)))
        == .finish(arrival))
  }

  @Test("the documents are copied before the release")
  func files() throws {
    var offer = offer
    offer.files = ["/a"]
    let source = MoveSource(offer, hasScene: false)
    let accept = MoveSource.Event.line(.accept(MoveAcceptance()))
    #expect(try action(of: source, .done, accept) == .copyFiles(["/a"]))
    #expect(try action(of: source, .done, accept, .done) == .release(fence: 5))
    #expect(
      try action(of: source, .done, accept, .refused(refusal, isInUse: false))
        == .fail(refusal, isFromOtherEnd: false))
  }

  /// The action of a target after these events.
  private func action(
    of target: MoveTarget = MoveTarget(), _ events: MoveTarget.Event...
  ) throws(MemberError) -> MoveTarget.Action {
    var target = target
    var action = target.start()
    for event in events { action = try target.handle(event) }
    return action
  }

  @Test("the target makes the session present after its files are written")
  func arriving() throws {
    let files = [MovedFile(name: "a", content: [1])]
    let session = content(5, files: files)
    let accepted: [MoveTarget.Event] = [.line(.offer(offer)), .checked(fence: 0), .done]
    var target = MoveTarget()
    #expect(target.start() == .readLine)
    #expect(try target.handle(accepted[0]) == .check(offer))
    #expect(try target.handle(accepted[1]) == .send(.accept(MoveAcceptance())))
    #expect(try target.handle(accepted[2]) == .readLine)
    #expect(!target.isUnconfirmed)
    #expect(try target.handle(.line(.session(session))) == .adopt(session, isArriving: true))
    // The broker can have adopted the session, although its reply is lost.
    #expect(target.isUnconfirmed)
    var present = target
    #expect(try target.handle(.adopted(arrival, isNew: true)) == .write(files))
    #expect(try target.handle(.done) == .adopt(session, isArriving: false))
    #expect(try target.handle(.adopted(arrival, isNew: true)) == .send(.adopted(arrival)))
    #expect(try target.handle(.done) == .finish(offer, arrival))
    // A present session keeps its files.
    #expect(try present.handle(.adopted(arrival, isNew: false)) == .send(.adopted(arrival)))
  }

  @Test("--anyway removes the program at the target, if the program cannot run there")
  func anyway() throws {
    var offer = offer
    offer.leavesProgram = true
    var session = content(5)
    session.sceneSession.program = SessionProgram(arguments: ["vim"], directory: "/")
    var bare = session
    bare.sceneSession.program = nil
    #expect(
      try action(
        of: MoveTarget(leavesProgram: true), .line(.offer(self.offer)),
        .checked(fence: 0, canRun: false), .done, .line(.session(session)))
        == .adopt(bare, isArriving: false))
    let events: [MoveTarget.Event] = [.done, .line(.session(session))]
    for canRun in [false, true] {
      var target = MoveTarget()
      _ = try target.handle(.line(.offer(offer)))
      _ = try target.handle(.checked(fence: 0, canRun: canRun))
      _ = try target.handle(events[0])
      #expect(
        try target.handle(events[1]) == .adopt(canRun ? session : bare, isArriving: false))
      var arrived = arrival
      arrived.leavesProgram = !canRun
      #expect(
        try target.handle(.adopted(arrival, isNew: true)) == .send(.adopted(arrived)))
    }
  }

  @Test("a refused check is told to the source, and ends the exchange")
  func refused() throws {
    #expect(
      try action(.line(.offer(offer)), .refused(refusal)) == .fail(refusal, isFromOtherEnd: false))
    #expect(
      try action(.line(.offer(offer)), .checked(fence: 0), .done, .line(.refuse(refusal)))
        == .fail(refusal, isFromOtherEnd: true))
  }

  @Test("an unknown version of the exchange is refused")
  func version() throws {
    var offer = offer
    offer.version = 2
    guard case .fail(let refusal, isFromOtherEnd: false) = try action(.line(.offer(offer))) else {
      Issue.record("the version is accepted")
      return
    }
    #expect(refusal.status == 65)
    #expect(refusal.message.hasPrefix("version 2 of the exchange is unknown"))
  }

  @Test("a line out of order is an error at both ends")
  func disorder() throws {
    let adopted = MoveLine.adopted(arrival)
    #expect(throws: MemberError(problem: "unexpected line \"adopted\"")) {
      try action(of: MoveSource(offer, hasScene: false), .done, .line(adopted))
    }
    #expect(throws: MemberError(problem: "unexpected line \"adopted\"")) {
      try action(.line(adopted))
    }
  }
}
