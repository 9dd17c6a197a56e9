import JSON
import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// Finding the broker, losing it, and what becomes of what was asked.
struct LinkRuleTests {
  private static let nobody = SceneError(.brokerUnavailable, "nobody listens", retry: .later)

  @Test("says who it is as soon as there is a connection")
  func introduction() {
    var harness = MachineHarness()
    #expect(harness.take(.started) == [.tell(.connection(.connecting)), .open])
    let introduction = Initialize(
      client: ClientName(name: "test", version: "1"), as: .scene, hosts: ["Note"])
    #expect(harness.take(.opened) == [.send(.request(1, .initialize(introduction)))])
  }

  @Test("what is wanted already goes out behind the introduction, without waiting for its reply")
  func pipelined() {
    var harness = MachineHarness()
    let connect = ClientRequest.connect(SceneConnect(name: "packing"))
    harness.take(.requested(harness.ticket(), connect))
    harness.take(.started)
    let actions = harness.take(.opened)
    #expect(actions.asked.dropFirst() == [connect])
    #expect(harness.take(.requested(nil, .ping(Ping()))).asked == [.ping(Ping())])
  }

  @Test("what must not be done twice goes out when the broker has answered, and all behind it")
  func held() {
    var harness = MachineHarness()
    let new = ClientRequest.connect(SceneConnect(new: true))
    harness.take(.requested(harness.ticket(), new))
    harness.take(.requested(nil, .ping(Ping())))
    harness.take(.started)
    let actions = harness.take(.opened)
    #expect(actions.asked.count == 1)
    let reply = harness.reply(to: actions, .initialized(Initialize.Reply()))
    #expect(reply.asked == [new, .ping(Ping())])
  }

  @Test("what has not gone out by the time the broker is lost goes out to the next")
  func heldAndLost() {
    var harness = MachineHarness()
    let ticket = harness.ticket()
    let new = ClientRequest.connect(SceneConnect(new: true))
    harness.take(.requested(ticket, new))
    harness.take(.started)
    harness.take(.opened)
    #expect(harness.take(.lost).finished == [:])
    #expect(harness.meetAgain().asked == [new])
  }

  @Test("what was sent along with an introduction that is refused is sent with the next")
  func refusedTogether() {
    var harness = MachineHarness.with()
    let ticket = harness.ticket()
    harness.take(.lost)
    harness.take(.requested(ticket, .connect(SceneConnect(name: "itinerary"))))
    harness.take(.saved(packing, note(1), nil))
    harness.take(.due(.reconnect))
    let opened = harness.take(.opened)
    #expect(opened.asked.count == 3)
    let refusal = SceneError(.tooMany, "no", retry: .later)
    let refused = harness.take(.replied(opened.requests[0].number, .failure(refusal)))
    #expect(refused.finished == [:])
    for request in opened.requests.dropFirst() {
      let error = SceneError(SceneError.Code(rawValue: "notInitialized"), "no")
      #expect(harness.take(.replied(request.number, .failure(error))) == [])
    }
    #expect(harness.meetAgain().asked == Array(opened.asked.dropFirst()))
  }

  @Test("a broker that is not there at the start is an error for who does not wait")
  func noBroker() {
    var harness = MachineHarness()
    harness.take(.started)
    #expect(
      harness.take(.notOpened(Self.nobody))
        == [.close, .tell(.connection(.stopped)), .stop(Self.nobody)])
  }

  @Test("a broker that is not there at the start is waited for by who does")
  func waiting() {
    var harness = MachineHarness(waitsForBroker: true)
    harness.take(.started)
    let actions = harness.take(.notOpened(Self.nobody))
    #expect(actions.news == [.connection(.waiting)])
    #expect(actions.contains { if case .wake(.reconnect, _) = $0 { true } else { false } })
    #expect(harness.take(.due(.reconnect)) == [.open])
  }

  @Test("a path that can never be one is an error even for who waits")
  func hopeless() {
    var harness = MachineHarness(waitsForBroker: true)
    harness.take(.started)
    let error = SceneError(.brokerUnavailable, "the path is too long")
    #expect(harness.take(.notOpened(error)).last == .stop(error))
  }

  @Test("the broker's not being there later is no error")
  func goneForLong() {
    var harness = MachineHarness.ready()
    harness.take(.lost)
    harness.take(.due(.reconnect))
    let actions = harness.take(.notOpened(Self.nobody))
    #expect(harness.machine.link == .pausing)
    #expect(actions.count == 1, "it was told once that the broker is gone")
  }

  @Test("a broker of another protocol ends it")
  func otherProtocol() {
    var harness = MachineHarness()
    harness.take(.started)
    let actions = harness.refuse(harness.take(.opened), .unsupportedProtocol)
    #expect(actions.last == .stop(SceneError(.unsupportedProtocol, "no")))
  }

  @Test("a broker that has no room now is tried again")
  func noRoom() {
    var harness = MachineHarness()
    harness.take(.started)
    let actions = harness.refuse(harness.take(.opened), .tooMany, retry: .later)
    #expect(actions.first == .close)
    #expect(actions.news.contains(.turnedAway(SceneError(.tooMany, "no", retry: .later))))
    #expect(harness.machine.link == .pausing)
  }

  @Test("who is sent away for good before saying anything does not come again")
  func dismissed() {
    var harness = MachineHarness(waitsForBroker: true)
    harness.take(.started)
    harness.take(.opened)
    let error = SceneError(.notPermitted, "this broker belongs to user 7")
    #expect(harness.take(.dismissed(error)).last == .stop(error))
  }

  @Test(
    "why there is no connection says whether there may be one later",
    arguments: [
      (.connectionRefused, "brokerUnavailable", .later), (.notFound, "brokerUnavailable", .later),
      (.notASocket, "brokerUnavailable", .never), (.nameTooLong, "brokerUnavailable", .never),
      (.permissionDenied, "notPermitted", .never), (.tryAgain, "tooMany", .later),
    ] as [(ErrorCode, String, SceneError.Retry)])
  func reasons(code: ErrorCode, name: String, retry: SceneError.Retry) {
    let error = SceneError(SystemError(call: "connect", path: "/x", code: code))
    #expect(error.code.rawValue == name)
    #expect(error.retry == retry)
  }

  @Test("who is sent away for now comes again, as does who had been let in")
  func dismissedForNow() {
    var harness = MachineHarness()
    harness.take(.started)
    harness.take(.opened)
    harness.take(.dismissed(SceneError(.shuttingDown, "it ends", retry: .later)))
    #expect(harness.machine.link == .pausing)
    var known = MachineHarness.ready()
    #expect(known.take(.dismissed(SceneError(.invalidRequest, "what?"))).first == .close)
    #expect(known.machine.link == .pausing)
  }

  @Test("what is asked while the broker is away waits, in its order")
  func requestsWait() {
    var harness = MachineHarness.ready()
    harness.take(.lost)
    let first = harness.ticket()
    #expect(harness.take(.requested(first, .ping(Ping()))) == [])
    #expect(harness.take(.requested(harness.ticket(), .status(ApplicationStatus()))) == [])
    let actions = harness.meetAgain()
    #expect(actions.asked == [.ping(Ping()), .status(ApplicationStatus())])
  }

  @Test("what was asked and not answered is asked again, before what came later")
  func repeated() {
    var harness = MachineHarness.ready()
    harness.take(.requested(harness.ticket(), .connect(SceneConnect(name: "packing"))))
    harness.take(.lost)
    harness.take(.requested(nil, .ping(Ping())))
    let actions = harness.meetAgain()
    #expect(actions.asked == [.connect(SceneConnect(name: "packing")), .ping(Ping())])
  }

  @Test(
    "what must not be done twice is not asked twice",
    arguments: [
      ClientRequest.connect(SceneConnect(new: true)), .activate(RequestActivation()),
      .extend(SceneExtend(session: packing, seconds: 1)),
    ])
  func notRepeated(request: ClientRequest) {
    var harness = MachineHarness.ready()
    let ticket = harness.ticket()
    harness.take(.requested(ticket, request))
    #expect(harness.take(.lost).finished[ticket]?.code == .connectionLost)
    #expect(harness.meetAgain().asked == [])
  }

  @Test("a destruction that was carried out before the broker was lost is a success")
  func destroyedBefore() {
    var harness = MachineHarness.ready()
    let ticket = harness.ticket()
    harness.take(.requested(ticket, .destroy(RequestDestruction(sessions: [packing]))))
    harness.take(.lost)
    let actions = harness.refuse(harness.meetAgain(), .sessionNotFound)
    #expect(actions.finished[ticket] == .success(.empty))
  }

  @Test("a session whose scene is just ending is asked for again, for as long as that may take")
  func overtaken() {
    var harness = MachineHarness.ready()
    let ticket = harness.ticket()
    let connect = ClientRequest.connect(SceneConnect(name: "packing"))
    var actions = harness.take(.requested(ticket, connect))
    for _ in 0..<120 {
      let number = actions.requests[0].number
      actions = harness.refuse(actions, .sessionInUse, retry: .now)
      #expect(actions == [.wake(.repeatRequest(number), after: .milliseconds(50))])
      actions = harness.take(.due(.repeatRequest(number)))
      #expect(actions.asked == [connect])
    }
    actions = harness.refuse(actions, .sessionInUse, retry: .now)
    #expect(actions.finished[ticket]?.code == .sessionInUse)
  }

  @Test("whoever waits for a session whose scene is just ending learns when the client stops")
  func overtakenStop() {
    var harness = MachineHarness.ready()
    let ticket = harness.ticket()
    let actions = harness.take(.requested(ticket, .connect(SceneConnect(name: "packing"))))
    _ = harness.refuse(actions, .sessionInUse, retry: .now)
    #expect(harness.take(.stopped).finished[ticket]?.code == .applicationStopped)
  }

  @Test("at most 128 requests are in flight; the next goes out with a reply")
  func inFlight() {
    var harness = MachineHarness.ready()
    var sent: [ClientAction] = []
    for _ in 0..<200 { sent += harness.take(.requested(nil, .ping(Ping()))) }
    #expect(sent.requests.count == 128)
    let actions = harness.take(.replied(sent.requests[0].number, .success(.empty)))
    #expect(actions.asked == [.ping(Ping())])
  }

  @Test("beyond 1024 waiting requests the next is refused")
  func waitingLimit() {
    var harness = MachineHarness.ready()
    harness.take(.lost)
    for _ in 0..<1024 { harness.take(.requested(nil, .ping(Ping()))) }
    let ticket = harness.ticket()
    #expect(harness.take(.requested(ticket, .ping(Ping()))).finished[ticket]?.code == .tooMany)
  }

  @Test("of titles that wait only the newest is sent")
  func titlesMerge() {
    var harness = MachineHarness.ready()
    harness.take(.lost)
    for title in ["a", "b", "c"] {
      harness.take(.requested(nil, .update(SceneUpdate(session: packing, title: .value(title)))))
    }
    harness.take(.requested(nil, .update(SceneUpdate(session: packing, subtitle: .null))))
    harness.take(.requested(nil, .update(SceneUpdate(session: itinerary, title: .value("x")))))
    #expect(
      harness.meetAgain().asked == [
        .update(SceneUpdate(session: packing, title: .value("c"), subtitle: .null)),
        .update(SceneUpdate(session: itinerary, title: .value("x"))),
      ])
  }

  @Test("a title of 1024 bytes goes out, one of 1025 does not")
  func titleLimit() {
    var harness = MachineHarness.ready()
    for (count, isSent) in [(1024, true), (1025, false)] {
      let title = String(repeating: "x", count: count)
      let ticket = harness.ticket()
      let actions = harness.take(
        .requested(ticket, .update(SceneUpdate(session: packing, title: .value(title)))))
      #expect(actions.asked.isEmpty != isSent)
      #expect(actions.finished[ticket]?.code == (isSent ? nil : .tooLarge))
    }
  }

  @Test("the phase is told when it changes")
  func phase() {
    var harness = MachineHarness.ready()
    #expect(harness.take(.notified(.phaseChanged(.active))) == [.tell(.phase(.active))])
    #expect(harness.take(.notified(.phaseChanged(.active))) == [])
  }

  @Test("a request this version does not know is answered")
  func unknownCallback() {
    var harness = MachineHarness.ready()
    #expect(
      harness.take(.calledUnknown(.number(7), method: "scene/dance"))
        == [.send(.unknown(.number(7), method: "scene/dance"))])
  }
}

struct BackoffTests {
  @Test("waits double up to two seconds, each shortened by chance to no less than half")
  func growth() {
    var backoff = Backoff()
    var random = SplitMix(seed: 7)
    for attempt in 0..<12 {
      let whole = min(20_000_000 << attempt, 2_000_000_000)
      let wait = backoff.next(&random).nanoseconds
      #expect((Int64(whole / 2)...Int64(whole)).contains(wait), "attempt \(attempt)")
    }
  }

  @Test("the same seed gives the same waits, another seed others")
  func seeds() {
    func waits(_ seed: UInt64) -> [Interval] {
      var backoff = Backoff()
      var random = SplitMix(seed: seed)
      return (0..<8).map { _ in backoff.next(&random) }
    }
    #expect(waits(1) == waits(1))
    #expect(waits(1) != waits(2))
  }

  /// Until the connection, or the session, is tried again.
  private func wait(for wanted: ClientTimer, _ actions: [ClientAction]) -> Int64 {
    for case .wake(wanted, let interval) in actions { return interval.nanoseconds }
    return 0
  }

  @Test("only a connection that lasts makes the next wait short again")
  func reset() {
    var harness = MachineHarness.ready()
    var waits: [Int64] = []
    for _ in 0..<10 {
      waits.append(wait(for: .reconnect, harness.take(.lost)))
      harness.meetAgain()
    }
    #expect(waits[9] >= 1_000_000_000)
    harness.take(.due(.steady))
    #expect(wait(for: .reconnect, harness.take(.lost)) <= 20_000_000)
  }

  @Test("a session that does not come back slows down neither the connection nor another session")
  func independence() {
    var harness = MachineHarness.with()
    harness.bring(itinerary, to: .background, hold: 2)
    harness.take(.lost)
    let both = harness.meetAgain()
    var resume = Array(both.prefix { $0 != both.last })
    var waits: [Int64] = []
    for _ in 0..<10 {
      waits.append(wait(for: .again(packing), harness.refuse(resume, .shuttingDown, retry: .later)))
      resume = harness.take(.due(.again(packing)))
    }
    #expect(waits[9] >= 1_000_000_000)
    let first = harness.refuse(Array(both.suffix(1)), .shuttingDown, retry: .later)
    #expect((1...20_000_000).contains(wait(for: .again(itinerary), first)))
    harness.take(.due(.steady))
    #expect((1...20_000_000).contains(wait(for: .reconnect, harness.take(.lost))))
  }

  @Test("a session that came back is tried soon when it is lost again")
  func sessionReset() {
    var harness = MachineHarness.with()
    harness.take(.lost)
    var resume = harness.meetAgain()
    for _ in 0..<10 {
      _ = harness.refuse(resume, .shuttingDown, retry: .later)
      resume = harness.take(.due(.again(packing)))
    }
    _ = harness.reply(
      to: resume, .connected(SceneConnect.Reply(session: packing, reason: .resume, hold: 1)))
    harness.take(.lost)
    let again = harness.refuse(harness.meetAgain(), .shuttingDown, retry: .later)
    #expect((1...20_000_000).contains(wait(for: .again(packing), again)))
  }
}

/// What the broker says, as the client reads it.
struct MessageReadingTests {
  private func read(_ text: String, method: ClientMethod? = nil) throws -> ClientEvent? {
    try MessageReader().read(ContiguousArray(text.utf8).span) { _ in method }
  }

  @Test(
    "an error keeps its name, and without one it is called by its number",
    arguments: [
      (
        #"{"code":1005,"message":"m","data":{"reason":"sessionInUse","retry":"now"}}"#,
        SceneError(.sessionInUse, "m", retry: .now)
      ),
      (
        #"{"code":1004,"message":"m"}"#,
        SceneError(SceneError.Code(rawValue: "error 1004"), "m")
      ),
      (
        #"{"code":4711,"data":{"reason":"ofTomorrow","retry":"perhaps"}}"#,
        SceneError(SceneError.Code(rawValue: "ofTomorrow"), "ofTomorrow")
      ),
      ("{}", SceneError(SceneError.Code(rawValue: "error 0"), "error 0")),
      ("null", SceneError(SceneError.Code(rawValue: "error 0"), "error 0")),
    ])
  func errors(text: String, error: SceneError) throws {
    #expect(
      try read(#"{"jsonrpc":"2.0","id":1,"error":\#(text)}"#) == .replied(1, .failure(error)))
  }

  @Test("a reply that is none is the failure of its request alone")
  func garbledReply() throws {
    let event = try read(#"{"jsonrpc":"2.0","id":1,"result":{}}"#, method: .saveActivity)
    guard case .replied(1, .failure(let error))? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(error.message.contains("generation"))
  }

  @Test(
    "what is not for this version is passed over",
    arguments: [
      #"{"jsonrpc":"2.0","method":"weather/changed","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"application/phaseChanged","params":{"phase":"asleep"}}"#,
      #"{"jsonrpc":"2.0","id":9,"result":{}}"#, #"{"jsonrpc":"2.0","id":"x","result":{}}"#,
    ])
  func passedOver(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test(
    "a callback that cannot be read is answered as unknown",
    arguments: [
      #""method":"scene/dance","params":{}"#, #""method":"scene/didBecomeActive""#,
      #""method":"scene/didBecomeActive","params":{"session":"x"}"#,
    ])
  func unknownCallbacks(members: String) throws {
    let event = try read("{\"jsonrpc\":\"2.0\",\"id\":3,\(members)}")
    guard case .calledUnknown(.number(3), _)? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
  }

  @Test("of a callback's name only so much is kept as can be answered")
  func longName() throws {
    let name = String(repeating: "\\u0001", count: 100_000)
    let event = try read("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\(name)\",\"params\":{}}")
    guard case .calledUnknown(.number(3), let method)? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(method.utf8.count < 110)
  }

  @Test("nonsense is not followed", arguments: ["", "[]", "{}", "{", #"{"jsonrpc":"2.0"}"#])
  func nonsense(text: String) {
    #expect(throws: ConversationError.self) { try read(text) }
  }
}
