import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The connection to the broker, its loss, and the requests of both.
struct LinkRuleTests {
  private static let unavailable = SceneError(.brokerUnavailable, "no broker", retry: .later)

  @Test("a client sends initialize as soon as it is connected")
  func initialize() {
    var harness = MachineHarness()
    #expect(harness.take(.started) == [.update(.connection(.connecting)), .open])
    let initialize = Initialize(
      client: ClientName(name: "test", version: "1"), as: .scene, hosts: ["Note"])
    #expect(harness.take(.opened) == [.send(.request(1, ClientRequest(initialize)))])
  }

  @Test("a launched client sends its token until a broker has received it")
  func launched() {
    var harness = MachineHarness()
    harness.machine.launch = "token"
    var initialize = Initialize(
      client: ClientName(name: "test", version: "1"), as: .scene, hosts: ["Note"], launch: "token")
    harness.take(.started)
    #expect(harness.take(.opened).asked == [ClientRequest(initialize)])
    harness.take(.lost())
    harness.take(.due(.reconnect))
    let again = harness.take(.opened)
    #expect(again.asked == [ClientRequest(initialize)])
    _ = harness.reply(to: again, Initialize.Reply())
    harness.take(.lost())
    harness.take(.due(.reconnect))
    initialize.launch = nil
    #expect(harness.take(.opened).asked == [ClientRequest(initialize)])
  }

  @Test("waiting requests follow initialize without waiting for its reply")
  func pipelined() {
    var harness = MachineHarness()
    let connect = ClientRequest(SceneConnect(name: "packing"))
    harness.take(.requested(harness.token(), connect))
    harness.take(.started)
    let actions = harness.take(.opened)
    #expect(actions.asked.dropFirst() == [connect])
    #expect(harness.send(Ping()).asked == requests(Ping()))
  }

  @Test("a request that must not be repeated, and each later one, waits for initialize")
  func held() {
    var harness = MachineHarness()
    let new = ClientRequest(SceneConnect(new: true))
    harness.take(.requested(harness.token(), new))
    harness.send(Ping())
    harness.take(.started)
    let actions = harness.take(.opened)
    #expect(actions.asked.count == 1)
    let reply = harness.reply(to: actions, Initialize.Reply())
    #expect(reply.asked == [new, ClientRequest(Ping())])
  }

  @Test("a request that was not sent before a loss is sent to the next broker")
  func heldAndLost() {
    var harness = MachineHarness()
    let token = harness.token()
    let new = ClientRequest(SceneConnect(new: true))
    harness.take(.requested(token, new))
    harness.take(.started)
    harness.take(.opened)
    #expect(harness.take(.lost()).finished == [:])
    #expect(harness.meetAgain().asked == [new])
  }

  @Test("after a loss, a post that left may be done, and one that did not leave is sent again")
  func unsent() {
    var harness = MachineHarness.ready()
    let (sent, unsent) = (harness.token(), harness.token())
    let posts = (1...2).map { ClientRequest(EventPost(topic: "news", kind: "\($0)")) }
    harness.take(.requested(sent, posts[0]))
    let last = harness.take(.requested(unsent, posts[1])).requests.map(\.number)
    let finished = harness.take(.lost(unsent: Set(last))).finished
    #expect(finished.mapValues(\.code) == [sent: .connectionLost])
    #expect(harness.meetAgain().asked == [posts[1]])
  }

  @Test("a request that a broker refuses because of its upgrade is sent to the next one")
  func upgraded() {
    var harness = MachineHarness.ready()
    let open = ClientRequest(RequestActivation(userActivity: note(1)))
    let request = harness.take(.requested(harness.token(), open)).requests[0].number
    let refusal = SceneError(.shuttingDown, "no", retry: .now)
    #expect(harness.take(.replied(request, .failure(refusal))).finished == [:])
    #expect(harness.take(.lost()).finished == [:])
    #expect(harness.take(.due(.repeatRequest(request))) == [])
    #expect(harness.meetAgain().asked == [open])
  }

  @Test("requests after a refused initialize are sent again with the next one")
  func refusedTogether() {
    var harness = MachineHarness.with()
    let token = harness.token()
    harness.take(.lost())
    harness.take(.requested(token, ClientRequest(SceneConnect(name: "itinerary"))))
    harness.take(.saveRequested(packing, note(1), nil))
    harness.take(.due(.reconnect))
    let opened = harness.take(.opened)
    #expect(opened.asked.count == 3)
    let refusal = SceneError(.tooMany, "no", retry: .later)
    let refused = harness.take(.replied(opened.requests[0].number, .failure(refusal)))
    #expect(refused.finished == [:])
    for request in opened.requests.dropFirst() {
      let error = SceneError(named: "notInitialized", "no")
      #expect(harness.take(.replied(request.number, .failure(error))) == [])
    }
    #expect(harness.meetAgain().asked == Array(opened.asked.dropFirst()))
  }

  @Test("a missing broker at the start is an error for a client that does not wait")
  func noBroker() {
    var harness = MachineHarness()
    harness.take(.started)
    #expect(
      harness.take(.notOpened(Self.unavailable))
        == [.close, .update(.connection(.stopped(Self.unavailable))), .stop(Self.unavailable)])
  }

  @Test("a client can wait for a missing broker at the start")
  func waiting() {
    var harness = MachineHarness(waitsForBroker: true)
    harness.take(.started)
    let actions = harness.take(.notOpened(Self.unavailable))
    #expect(actions.updates == [.connection(.waiting)])
    #expect(actions.contains { if case .wake(.reconnect, _) = $0 { true } else { false } })
    #expect(harness.take(.due(.reconnect)) == [.open])
  }

  @Test("an impossible path is an error even for a client that waits")
  func hopeless() {
    var harness = MachineHarness(waitsForBroker: true)
    harness.take(.started)
    let error = SceneError(.brokerUnavailable, "the path is too long")
    #expect(harness.take(.notOpened(error)).last == .stop(error))
  }

  @Test("a missing broker is no error later")
  func goneForLong() {
    var harness = MachineHarness.ready()
    harness.take(.lost())
    harness.take(.due(.reconnect))
    let actions = harness.take(.notOpened(Self.unavailable))
    #expect(harness.machine.link == .pausing)
    #expect(actions.count == 1, "the program learns once that the broker is gone")
  }

  @Test("a broker with another protocol ends the client")
  func otherProtocol() {
    var harness = MachineHarness()
    harness.take(.started)
    let actions = harness.refuse(harness.take(.opened), .unsupportedProtocol)
    #expect(actions.last == .stop(SceneError(.unsupportedProtocol, "no")))
  }

  @Test("a client tries again if the broker is full")
  func noRoom() {
    var harness = MachineHarness()
    harness.take(.started)
    let actions = harness.refuse(harness.take(.opened), .tooMany, retry: .later)
    #expect(actions.first == .close)
    #expect(actions.updates.contains(.rejected(SceneError(.tooMany, "no", retry: .later))))
    #expect(harness.machine.link == .pausing)
  }

  @Test("a client that the broker refuses for good does not try again")
  func dismissed() {
    var harness = MachineHarness(waitsForBroker: true)
    harness.take(.started)
    harness.take(.opened)
    let error = SceneError(.notPermitted, "this broker belongs to user 7")
    #expect(harness.take(.dismissed(error)).last == .stop(error))
  }

  @Test(
    "the error of a failed connection states whether to try again",
    arguments: [
      (.connectionRefused, "brokerUnavailable", .later), (.notFound, "brokerUnavailable", .later),
      (.notASocket, "brokerUnavailable", .never), (.nameTooLong, "brokerUnavailable", .never),
      (.permissionDenied, "notPermitted", .never), (.tryAgain, "tooMany", .later),
    ] as [(ErrorCode, String, SceneError.Retry)])
  func reasons(code: ErrorCode, name: String, retry: SceneError.Retry) {
    let error = SceneError(SystemError(call: "connect", path: "/x", code: code))
    #expect(error.name == name)
    #expect(error.retry == retry)
  }

  @Test("a client tries again after a temporary refusal, and after any end of a working connection")
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

  @Test("requests without a broker wait in their order")
  func requestsWait() {
    var harness = MachineHarness.ready()
    harness.take(.lost())
    let first = harness.token()
    #expect(harness.take(.requested(first, ClientRequest(Ping()))) == [])
    #expect(harness.request(ApplicationStatus()).actions == [])
    let actions = harness.meetAgain()
    #expect(actions.asked == requests(Ping(), ApplicationStatus()))
  }

  @Test("a request without a reply is sent again, before later requests")
  func repeated() {
    var harness = MachineHarness.ready()
    harness.request(SceneConnect(name: "packing"))
    harness.take(.lost())
    harness.send(Ping())
    let actions = harness.meetAgain()
    #expect(actions.asked == requests(SceneConnect(name: "packing"), Ping()))
  }

  @Test(
    "a request that must not be repeated is not sent again",
    arguments: [
      ClientRequest(SceneConnect(new: true)), ClientRequest(RequestActivation()),
      ClientRequest(SceneExtend(session: packing, seconds: 1)),
    ])
  func notRepeated(request: ClientRequest) {
    var harness = MachineHarness.ready()
    let token = harness.token()
    harness.take(.requested(token, request))
    #expect(harness.take(.lost()).finished[token]?.code == .connectionLost)
    #expect(harness.meetAgain().asked == [])
  }

  @Test("a request for a session whose scene is ending is repeated for as long as the end can take")
  func superseded() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    let connect = ClientRequest(SceneConnect(name: "packing"))
    var actions = harness.take(.requested(token, connect))
    for _ in 0..<120 {
      let number = actions.requests[0].number
      actions = harness.refuse(actions, .sessionInUse, retry: .now)
      #expect(actions == [.wake(.repeatRequest(number), after: .milliseconds(50))])
      actions = harness.take(.due(.repeatRequest(number)))
      #expect(actions.asked == [connect])
    }
    actions = harness.refuse(actions, .sessionInUse, retry: .now)
    #expect(actions.finished[token]?.code == .sessionInUse)
  }

  @Test("a request for a session whose scene is ending fails when the client stops")
  func overtakenStop() {
    var harness = MachineHarness.ready()
    let (token, actions) = harness.request(SceneConnect(name: "packing"))
    _ = harness.refuse(actions, .sessionInUse, retry: .now)
    #expect(harness.take(.stopped()).finished[token]?.code == .applicationStopped)
  }

  @Test("at most 128 requests are in flight, and each reply lets another one go")
  func inFlight() {
    var harness = MachineHarness.ready()
    var sent: [ClientAction] = []
    for _ in 0..<200 { sent += harness.send(Ping()) }
    #expect(sent.requests.count == 128)
    let actions = harness.take(.replied(sent.requests[0].number, .success(.empty)))
    #expect(actions.asked == requests(Ping()))
  }

  @Test("beyond 1024 waiting requests the next is refused")
  func waitingLimit() {
    var harness = MachineHarness.ready()
    harness.take(.lost())
    for _ in 0..<1024 { harness.send(Ping()) }
    let token = harness.token()
    #expect(
      harness.take(.requested(token, ClientRequest(Ping()))).finished[token]?.code == .tooMany)
  }

  @Test("a request without a reply handler is not lost after 1024 waiting requests")
  func waitingBeyondLimit() {
    var harness = MachineHarness.ready()
    harness.take(.lost())
    for _ in 0..<1024 { harness.request(Ping()) }
    let more: [ClientRequest] = [
      ClientRequest(SceneUpdate(session: packing, title: .value("a"))),
      ClientRequest(SceneExtend(session: packing, seconds: 60)),
    ]
    for request in more { harness.take(.requested(nil, request)) }
    #expect(harness.machine.waiting.suffix(2).map { $0.message(of: harness.machine) } == more)
  }

  @Test("the longest of several waiting extensions is sent")
  func extensionsMerge() {
    var harness = MachineHarness.ready()
    harness.take(.lost())
    for seconds in [60.0, 600, 30] {
      harness.send(SceneExtend(session: packing, seconds: seconds))
    }
    #expect(harness.meetAgain().asked == requests(SceneExtend(session: packing, seconds: 600)))
  }

  @Test("a title is never sent after a newer title")
  func titlesInOrder() {
    var harness = MachineHarness.ready()
    func entitle(_ title: String) {
      harness.send(SceneUpdate(session: packing, title: .value(title)))
    }
    entitle("sent")
    for _ in 0..<128 { harness.send(Ping()) }
    entitle("waits")
    harness.take(.lost())
    entitle("newest")
    let waiting = harness.machine.waiting.map { $0.message(of: harness.machine) }
    let last = waiting.last { if $0.message is SceneUpdate { true } else { false } }
    #expect(last == ClientRequest(SceneUpdate(session: packing, title: .value("newest"))))
  }

  @Test("only the newest waiting title and process are sent")
  func titlesMerge() {
    var harness = MachineHarness.ready()
    harness.take(.lost())
    for title in ["a", "b", "c"] {
      harness.send(SceneUpdate(session: packing, title: .value(title)))
    }
    for name in ["vi", "vim"] {
      let process = ProgramProcess(name: name, pid: 4712)
      harness.send(SceneUpdate(session: packing, placement: .null, process: .value(process)))
    }
    harness.send(SceneUpdate(session: packing, subtitle: .null, program: .null))
    harness.send(SceneUpdate(session: itinerary, title: .value("x")))
    #expect(
      harness.meetAgain().asked
        == requests(
          SceneUpdate(
            session: packing, title: .value("c"), subtitle: .null, program: .null,
            placement: .null, process: .value(ProgramProcess(name: "vim", pid: 4712))),
          SceneUpdate(session: itinerary, title: .value("x"))))
  }

  @Test("F59: only the newest waiting conditions of each kind are sent")
  func conditionsMerge() {
    typealias Said = Patch<ActivationConditionTexts>
    let stories: [([Said], Said)] = [
      (
        [
          .value(.init(canActivate: .value("a"), prefersToActivate: .value("b"))),
          .value(.init(prefersToActivate: .value("c"))),
        ], .value(.init(canActivate: .value("a"), prefersToActivate: .value("c")))
      ),
      ([.value(.init(canActivate: .value("a"))), .null], .null),
      (
        [.null, .value(.init(canActivate: .value("a")))],
        .value(.init(canActivate: .value("a"), prefersToActivate: .null))
      ),
      (
        [.value(.init(canActivate: .value("a"))), .absent],
        .value(.init(canActivate: .value("a")))
      ),
    ]
    for (said, sent) in stories {
      var harness = MachineHarness.ready()
      harness.take(.lost())
      for conditions in said {
        harness.send(SceneUpdate(session: packing, activationConditions: conditions))
      }
      #expect(
        harness.meetAgain().asked
          == requests(SceneUpdate(session: packing, activationConditions: sent)))
    }
  }

  @Test("the program learns of each change of the phase")
  func phase() {
    var harness = MachineHarness.ready()
    #expect(harness.take(.notified(.phaseChanged(.active))) == [.update(.phase(.active))])
    #expect(harness.take(.notified(.phaseChanged(.active))) == [])
  }

  @Test("an unknown request gets an answer")
  func unknownCallback() {
    var harness = MachineHarness.ready()
    #expect(
      harness.take(.calledUnknown(.number(7), method: "scene/dance"))
        == [.send(.unknown(.number(7), method: "scene/dance"))])
  }
}
