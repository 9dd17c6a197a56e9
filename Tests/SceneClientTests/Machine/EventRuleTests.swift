import SceneModel
import Testing

@testable import SceneClient

/// Observations of topics continue with the next broker.
struct EventRuleTests {
  private let news = EventSource(topic: "news")
  private let tied = EventSource(topic: "news", session: packing)

  private func at(_ number: Int64, _ origin: String = "A") -> EventPosition {
    EventPosition(origin: origin, number: number)
  }

  private func event(
    _ number: Int64, _ source: EventSource, gap: Bool = false
  ) -> BrokerNotification {
    var event = EventPosted()
    event.topic = source.topic
    event.session = source.session
    event.position = at(number)
    event.gap = gap
    return .posted(event)
  }

  private func observe(_ source: EventSource, after position: EventPosition? = nil) -> ClientRequest
  {
    ClientRequest(EventObserve(topic: source.topic, after: position, session: source.session))
  }

  private func began(_ number: Int64, gap: Bool = false) -> BrokerReply {
    BrokerReply(EventObserve.Reply(position: at(number), gap: gap))
  }

  @Test("an observation is requested from the broker, and the program gets its events")
  func observes() {
    var harness = MachineHarness.ready()
    let actions = harness.take(.observed(news, after: nil))
    #expect(actions.asked == [observe(news)])
    #expect(harness.reply(to: actions, began(3)).delivered == [.began(at(3))])
    guard case .posted(let posted) = event(4, news) else { return }
    #expect(harness.take(.notified(.posted(posted))).delivered == [.event(posted)])
    #expect(harness.take(.notified(event(1, tied))).delivered == [], "no scene observes that topic")
  }

  @Test("with the next broker an observation continues at its position, and reports a gap")
  func returns() {
    var harness = MachineHarness.ready()
    _ = harness.reply(to: harness.take(.observed(news, after: nil)), began(3))
    harness.take(.notified(event(4, news)))
    harness.take(.lost())
    harness.take(.due(.reconnect))
    let actions = harness.take(.opened)
    #expect(actions.asked.last == observe(news, after: at(4)))
    #expect(harness.reply(to: actions, began(9, gap: true)).delivered == [.began(at(9)), .gap])
  }

  @Test("an observation without a reply is requested again, and so is one that began meanwhile")
  func unanswered() {
    var harness = MachineHarness.ready()
    harness.take(.observed(news, after: nil))
    harness.take(.lost())
    harness.take(.observed(EventSource(topic: "chat"), after: at(1)))
    harness.take(.due(.reconnect))
    #expect(
      harness.take(.opened).asked.suffix(2) == [
        observe(EventSource(topic: "chat"), after: at(1)), observe(news),
      ])
  }

  @Test("an observation of a scene waits until the scene resumes")
  func tiedReturns() {
    var harness = MachineHarness.with(packing)
    _ = harness.reply(to: harness.take(.observed(tied, after: nil)), began(3))
    harness.take(.lost())
    harness.take(.due(.reconnect))
    let actions = harness.take(.opened)
    #expect(!actions.asked.contains(observe(tied, after: at(3))))
    let resumed = harness.reply(to: actions, .resumed)
    #expect(resumed.asked == [observe(tied, after: at(3))])
  }

  @Test("an observation that begins during a resume waits for its end")
  func tiedMeanwhile() {
    var harness = MachineHarness.with(packing)
    let resume = harness.meetNext()
    #expect(harness.take(.observed(tied, after: nil)).asked == [])
    let resumed = harness.reply(to: resume, .resumed)
    #expect(resumed.asked == [observe(tied)])
  }

  @Test("an observation of a scene ends with the scene")
  func ends() {
    var harness = MachineHarness.with(packing)
    harness.take(.observed(tied, after: nil))
    harness.take(.observed(news, after: nil))
    let actions = harness.call(.didDisconnect(packing, .reclaimed))
    #expect(actions.contains(.deliver(tied, .ended)))
    #expect(!actions.contains(.deliver(news, .ended)))
    #expect(harness.take(.observed(tied, after: nil)) == [.deliver(tied, .ended)])
  }

  @Test("an observation that the broker refuses reports the error and ends")
  func refused() {
    var harness = MachineHarness.ready()
    let actions = harness.refuse(harness.take(.observed(news, after: nil)), .tooMany)
    #expect(actions.delivered == [.refused(SceneError(.tooMany, "no")), .ended])
    #expect(harness.take(.notified(event(1, news))).delivered == [])
  }

  @Test("an observation that was ceased gets no more events, and can begin again")
  func ceases() {
    var harness = MachineHarness.ready()
    _ = harness.reply(to: harness.take(.observed(news, after: nil)), began(3))
    #expect(harness.take(.ceased(news)).asked == requests(EventCease(topic: "news")))
    #expect(harness.take(.notified(event(4, news))).delivered == [])
    #expect(harness.take(.observed(news, after: nil)).asked == [observe(news)])
  }

  @Test("all observations end with the client")
  func stops() {
    var harness = MachineHarness.ready()
    harness.take(.observed(news, after: nil))
    #expect(harness.take(.stopped()).contains(.deliver(news, .ended)))
    #expect(harness.take(.observed(news, after: nil)) == [.deliver(news, .ended)])
  }

  @Test("a reply that was lost with its broker can mean lost events, so a gap is reported")
  func unconfirmed() {
    var harness = MachineHarness.ready()
    harness.take(.observed(news, after: nil))
    for _ in 0..<2 {
      harness.take(.lost())
      harness.take(.due(.reconnect))
    }
    let actions = harness.take(.opened)
    #expect(actions.asked.last == observe(news))
    #expect(harness.reply(to: actions, began(9)).delivered == [.began(at(9)), .gap])
    // From here on, the client knows the position.
    harness.take(.lost())
    harness.take(.due(.reconnect))
    let again = harness.take(.opened)
    #expect(again.asked.last == observe(news, after: at(9)))
    #expect(harness.reply(to: again, began(9)).delivered == [.began(at(9))])
  }

  @Test("an observation that began without a broker, or at a position, reports no gap")
  func confirmed() {
    var harness = MachineHarness.ready()
    harness.take(.observed(EventSource(topic: "chat"), after: at(2)))
    harness.take(.lost())
    harness.take(.observed(news, after: nil))
    harness.take(.due(.reconnect))
    let actions = harness.take(.opened)
    #expect(actions.asked.suffix(2).count == 2)
    #expect(harness.reply(to: actions, began(2)).delivered == [.began(at(2))])
  }
}

/// The changes of sessions that this client does not hold.
struct SessionNewsTests {
  @Test("a discard that the lost broker carried out is a success")
  func destroyedBefore() {
    var harness = MachineHarness.ready()
    let token = harness.request(RequestDestruction(sessions: [packing])).token
    let actions = harness.refuse(harness.meetNext(), .sessionNotFound)
    #expect(actions.finished[token] == .success(BrokerReply(RequestDestruction.Reply())))
  }

  @Test("a discard of a missing session fails")
  func destroyedByOthers() {
    var harness = MachineHarness.ready()
    let (token, discard) = harness.request(RequestDestruction(sessions: [packing]))
    #expect(harness.refuse(discard, .sessionNotFound).finished[token]?.code == .sessionNotFound)
  }

  @Test("an observer of sessions learns of a discard")
  func discarded() {
    var harness = MachineHarness.ready()
    let session = SessionIdentifier(high: 1, low: 2)
    #expect(
      harness.take(.notified(.sessionDiscarded(session))) == [.update(.discarded(session))])
    #expect(harness.take(.notified(.sessionChanged(SessionSummary()))) == [])
  }
}

extension [ClientAction] {
  fileprivate var delivered: [ObservationUpdate] {
    compactMap { if case .deliver(_, let update) = $0 { update } else { nil } }
  }
}
