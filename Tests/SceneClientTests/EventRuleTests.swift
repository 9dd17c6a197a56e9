import JSON
import SceneModel
import Testing

@testable import SceneClient

/// Observing topics survives the broker.
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
    .observeEvents(EventObserve(topic: source.topic, after: position, session: source.session))
  }

  private func began(_ number: Int64, gap: Bool = false) -> BrokerReply {
    .observed(EventObserve.Reply(position: at(number), gap: gap))
  }

  @Test("the broker is asked, and what it sends is handed on")
  func observes() {
    var harness = MachineHarness.ready()
    let actions = harness.take(.observed(news, after: nil))
    #expect(actions.asked == [observe(news)])
    #expect(harness.reply(to: actions, began(3)).delivered == [.began(at(3))])
    guard case .posted(let posted) = event(4, news) else { return }
    #expect(harness.take(.notified(.posted(posted))).delivered == [.event(posted)])
    #expect(harness.take(.notified(event(1, tied))).delivered == [], "no scene observes that topic")
  }

  @Test("with the next broker it goes on where it was, and a gap is told")
  func returns() {
    var harness = MachineHarness.ready()
    _ = harness.reply(to: harness.take(.observed(news, after: nil)), began(3))
    harness.take(.notified(event(4, news)))
    harness.take(.lost)
    harness.take(.due(.reconnect))
    let actions = harness.take(.opened)
    #expect(actions.asked.last == observe(news, after: at(4)))
    #expect(harness.reply(to: actions, began(9, gap: true)).delivered == [.began(at(9)), .gap])
  }

  @Test("one that was not answered is asked for again, and one that was begun meanwhile asked for")
  func unanswered() {
    var harness = MachineHarness.ready()
    harness.take(.observed(news, after: nil))
    harness.take(.lost)
    harness.take(.observed(EventSource(topic: "chat"), after: at(1)))
    harness.take(.due(.reconnect))
    #expect(
      harness.take(.opened).asked.suffix(2) == [
        observe(EventSource(topic: "chat"), after: at(1)), observe(news),
      ])
  }

  @Test("what is tied to a scene waits until that goes on")
  func tiedReturns() {
    var harness = MachineHarness.with(packing)
    _ = harness.reply(to: harness.take(.observed(tied, after: nil)), began(3))
    harness.take(.lost)
    harness.take(.due(.reconnect))
    let actions = harness.take(.opened)
    #expect(!actions.asked.contains(observe(tied, after: at(3))))
    let resumed = harness.reply(
      to: actions, .connected(SceneConnect.Reply(session: packing, reason: .resume, hold: 1)))
    #expect(resumed.asked == [observe(tied, after: at(3))])
  }

  @Test("it ends with the scene that it is tied to")
  func ends() {
    var harness = MachineHarness.with(packing)
    harness.take(.observed(tied, after: nil))
    harness.take(.observed(news, after: nil))
    let actions = harness.call(.didDisconnect(packing, .reclaimed))
    #expect(actions.contains(.deliver(tied, .ended)))
    #expect(!actions.contains(.deliver(news, .ended)))
    #expect(harness.take(.observed(tied, after: nil)) == [.deliver(tied, .ended)])
  }

  @Test("what the broker refuses is told, and ends")
  func refused() {
    var harness = MachineHarness.ready()
    let actions = harness.refuse(harness.take(.observed(news, after: nil)), .tooMany)
    #expect(actions.delivered == [.refused(SceneError(.tooMany, "no")), .ended])
    #expect(harness.take(.notified(event(1, news))).delivered == [])
  }

  @Test("who ceases is sent nothing more, and can begin anew")
  func ceases() {
    var harness = MachineHarness.ready()
    _ = harness.reply(to: harness.take(.observed(news, after: nil)), began(3))
    #expect(
      harness.take(.ceased(news)).asked == [.ceaseEvents(EventCease(topic: "news"))])
    #expect(harness.take(.notified(event(4, news))).delivered == [])
    #expect(harness.take(.observed(news, after: nil)).asked == [observe(news)])
  }

  @Test("everything ends with the client")
  func stops() {
    var harness = MachineHarness.ready()
    harness.take(.observed(news, after: nil))
    #expect(harness.take(.stopped).contains(.deliver(news, .ended)))
    #expect(harness.take(.observed(news, after: nil)) == [.deliver(news, .ended)])
  }

  @Test("what came while the answer was on its way from a broker that died may be missing")
  func unconfirmed() {
    var harness = MachineHarness.ready()
    harness.take(.observed(news, after: nil))
    for _ in 0..<2 {
      harness.take(.lost)
      harness.take(.due(.reconnect))
    }
    let actions = harness.take(.opened)
    #expect(actions.asked.last == observe(news))
    #expect(harness.reply(to: actions, began(9)).delivered == [.began(at(9)), .gap])
    // From here on it is known where it was.
    harness.take(.lost)
    harness.take(.due(.reconnect))
    let again = harness.take(.opened)
    #expect(again.asked.last == observe(news, after: at(9)))
    #expect(harness.reply(to: again, began(9)).delivered == [.began(at(9))])
  }

  @Test("what was begun between two brokers, or said where it was, misses nothing")
  func confirmed() {
    var harness = MachineHarness.ready()
    harness.take(.observed(EventSource(topic: "chat"), after: at(2)))
    harness.take(.lost)
    harness.take(.observed(news, after: nil))
    harness.take(.due(.reconnect))
    let actions = harness.take(.opened)
    #expect(actions.asked.suffix(2).count == 2)
    #expect(harness.reply(to: actions, began(2)).delivered == [.began(at(2))])
  }
}

/// What becomes of sessions that this client need not have.
struct SessionNewsTests {
  @Test("who observes sessions is told of one that was discarded")
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
    compactMap { action in
      guard case .deliver(_, let update) = action else { return nil }
      return update
    }
  }
}
