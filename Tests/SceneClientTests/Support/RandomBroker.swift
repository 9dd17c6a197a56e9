import SceneJSON
import SceneModel
import SceneWire

@testable import SceneClient

/// A broker that sends valid messages in a random order.
struct RandomBroker {
  private(set) var random: SplitMix
  private var lastCallback: Int64 = 0

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
    choices.randomElement(using: &random) ?? choices[choices.startIndex]
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  mutating func session() -> SessionIdentifier { pick([packing, itinerary, .none]) }

  mutating func hold() -> Int64 { pick([1, 2, 3, 4, 5, 0, -1, .max, .min]) }

  private mutating func activity() -> Activity? { pick([note(number(0...9)), nil]) }

  mutating func callback() -> Callback {
    let session = session()
    let kind = pick(CallbackKind.ofScenes)
    switch kind {
    case .willConnect:
      let callback = Callback.willConnect(
        session, hold: hold(), activity: activity(), reason: pick([.launch, .activation]))
      guard var message = callback.message as? WillConnect else { return callback }
      message.options.userActivities = [activity()].compactMap { $0 }
      return Callback(.willConnect, message)
    case .didDisconnect:
      return .didDisconnect(session, pick([.shutdown, .replaced, .connectionLost, .reclaimed]))
    case .willContinueUserActivity:
      return Callback(
        .willContinueUserActivity,
        WillContinueUserActivity(session: session, activityType: "note"))
    case .continueUserActivity:
      return Callback(
        .continueUserActivity,
        UserActivityMessage(session: session, userActivity: note(number(0...9))))
    case .didUpdateUserActivity:
      return Callback(
        .didUpdateUserActivity,
        UserActivityMessage(session: session, userActivity: note(number(0...9))))
    case .openURLContexts:
      return Callback(.openURLContexts, OpenURLContexts(session: session, urlContexts: []))
    case .performActionForShortcutItem:
      return Callback(
        .performActionForShortcutItem,
        PerformActionForShortcutItem(
          session: session, shortcutItem: ShortcutItem(unchecked: .emptyObject)))
    case .didReceiveNotificationResponse:
      return Callback(
        .didReceiveNotificationResponse,
        DidReceiveNotificationResponse(
          session: session,
          notificationResponse: SceneModel.NotificationResponse(unchecked: .emptyObject)))
    default: return Callback(kind, of: session)
    }
  }

  mutating func callbackNumber() -> Int64 {
    lastCallback += 1
    return lastCallback
  }

  /// A reply that can match the request, or not.
  mutating func reply(to request: any RequestMessage.Type) -> BrokerReply {
    switch number(0...9) {
    case 0: return anyReply()
    default: break
    }
    switch request {
    case is Initialize.Type:
      var reply = Initialize.Reply()
      reply.limits.activityBytes = pick([1000, 256 << 10, 0, -1, .max])
      return BrokerReply(reply)
    case is SceneConnect.Type:
      return BrokerReply(
        SceneConnect.Reply(session: session(), isNew: false, reason: .launch, hold: hold()))
    case is SaveActivity.Type: return BrokerReply(SaveActivity.Reply(generation: hold()))
    case is SceneTransition.Type: return BrokerReply(SceneTransition.Reply(state: .background))
    case is EventObserve.Type:
      return BrokerReply(EventObserve.Reply(position: position(), gap: number(0...3) == 0))
    default: return .empty
    }
  }

  private mutating func anyReply() -> BrokerReply {
    pick([
      .empty, BrokerReply(SaveActivity.Reply(generation: 1)), BrokerReply(Initialize.Reply()),
      BrokerReply(SceneConnect.Reply(session: session(), reason: .resume, hold: hold())),
      BrokerReply(SceneTransition.Reply(state: .unattached)), BrokerReply(SessionList.Reply()),
    ])
  }

  mutating func reason() -> ErrorReason { pick(ErrorReason.all) }

  mutating func retry() -> Retry { pick([.never, .later, .now]) }

  mutating func notification() -> BrokerNotification {
    pick([
      .phaseChanged(.active), .phaseChanged(.background), .sessionDiscarded(session()),
      .sessionChanged(SessionSummary()), .trace(TraceEntry(.joined)), .posted(event()),
    ])
  }

  private mutating func position() -> EventPosition {
    EventPosition(origin: "A", number: pick([0, 1, 2, .max]))
  }

  private mutating func event() -> EventPosted {
    var event = EventPosted()
    event.topic = "news"
    event.position = position()
    event.session = pick([nil, session()])
    event.gap = number(0...3) == 0
    return event
  }

  mutating func source() -> EventSource {
    EventSource(topic: pick(["news", "chat"]), session: pick([nil, session()]))
  }
}
