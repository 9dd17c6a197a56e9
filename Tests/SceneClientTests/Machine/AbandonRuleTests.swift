import SceneModel
import Testing

@testable import SceneClient

/// The rules for a request whose task was cancelled.
struct AbandonRuleTests {
  private static let list = ClientRequest(SessionList(limit: 1))

  @Test("an unsent request is dropped")
  func unsent() {
    var harness = MachineHarness(waitsForBroker: true)
    let token = harness.token()
    harness.take(.started)
    harness.take(.requested(token, Self.list))
    let actions = harness.take(.abandoned(token))
    #expect(actions.finished[token]?.code == .cancelled)
    #expect(!harness.meet().asked.contains(Self.list))
  }

  @Test("the fate of a sent request is unknown, and it is not sent again")
  func sent() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    #expect(harness.take(.requested(token, Self.list)).asked == [Self.list])
    let finished = harness.take(.abandoned(token)).finished[token]
    #expect(finished?.code == .cancelled)
    guard case .failure(let error)? = finished else { return }
    #expect(error.message == "the request was cancelled: the broker may have carried it out")
    #expect(!harness.meetNext().asked.contains(Self.list))
  }

  @Test("the late reply to an abandoned request has no completion")
  func late() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    let number = harness.take(.requested(token, Self.list)).requests[0].number
    harness.take(.abandoned(token))
    let actions = harness.take(.replied(number, .success(BrokerReply(SessionList.Reply()))))
    #expect(actions.finished.isEmpty)
  }

  @Test("a scene that connects after its request was abandoned has its life cycle")
  func connected() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    let request = ClientRequest(SceneConnect(name: "packing"))
    let number = harness.take(.requested(token, request)).requests[0].number
    harness.take(.abandoned(token))
    let reply = SceneConnect.Reply(session: packing, isNew: true, reason: .launch, hold: 1)
    harness.take(.replied(number, .success(BrokerReply(reply))))
    #expect(harness.call(.willConnect(packing)).callbacks == [.willConnect(packing)])
  }

  @Test("an abandoned connect is not repeated while another scene ends")
  func refused() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    let request = ClientRequest(SceneConnect(name: "packing"))
    let connect = harness.take(.requested(token, request))
    harness.take(.abandoned(token))
    #expect(harness.refuse(connect, .sessionInUse, retry: .now).wakes.isEmpty)
  }

  @Test("an abandoned request is not sent to the broker after one that rejected the client")
  func rejected() {
    var harness = MachineHarness()
    harness.take(.started)
    let initialize = harness.take(.opened)
    let token = harness.token()
    #expect(harness.take(.requested(token, Self.list)).asked == [Self.list])
    harness.take(.abandoned(token))
    _ = harness.refuse(initialize, .tooMany, retry: .later)
    #expect(!harness.meetAgain().asked.contains(Self.list))
  }

  private func begin(_ harness: inout MachineHarness, _ number: Int64) -> Int64? {
    let token = harness.token()
    let request = BeginAssertion(session: packing, name: "upload", seconds: 30)
    let begin = harness.take(.requested(token, ClientRequest(request)))
    let actions = harness.reply(to: begin, BeginAssertion.Reply(assertion: number))
    guard case .success(let reply)? = actions.finished[token],
      let reply = reply.content as? BeginAssertion.Reply
    else { return nil }
    return reply.assertion
  }

  @Test("after a loss of the connection, the end of an old assertion ends no other one")
  func oldAssertion() throws {
    var harness = MachineHarness.with()
    let old = try #require(begin(&harness, 1))
    harness.meetNext()
    let new = try #require(begin(&harness, 1))
    let ending = { ClientEvent.requested(nil, ClientRequest(EndAssertion(assertion: $0))) }
    #expect(harness.take(ending(old)).asked.isEmpty)
    let expected = ClientRequest(EndAssertion(assertion: 1))
    #expect(harness.take(ending(new)).asked == [expected])
    #expect(!harness.meetNext().asked.contains(expected), "the end is not sent to the next broker")
  }

  @Test("an assertion that begins after its request was abandoned is ended")
  func assertion() {
    var harness = MachineHarness.with()
    let token = harness.token()
    let request = BeginAssertion(session: packing, name: "upload", seconds: 30)
    let begin = harness.take(.requested(token, ClientRequest(request)))
    harness.take(.abandoned(token))
    let actions = harness.reply(to: begin, BeginAssertion.Reply(assertion: 7))
    #expect(actions.asked == requests(EndAssertion(assertion: 7)))
  }

  @Test("a save stays queued, and is sent")
  func save() {
    var harness = MachineHarness.with()
    harness.take(.lost())
    let token = harness.token()
    harness.take(.saveRequested(packing, note(1), token))
    let finished = harness.take(.abandoned(token)).finished[token]
    #expect(finished?.code == .cancelled)
    guard let message = harness.meetAgain().asked.last?.message as? SceneConnect else {
      Issue.record("the client does not resume its scene")
      return
    }
    #expect(message.activity == note(1))
  }

  @Test("a token that has finished is ignored")
  func unknown() {
    var harness = MachineHarness.ready()
    #expect(harness.take(.abandoned(harness.token())).isEmpty)
  }
}
