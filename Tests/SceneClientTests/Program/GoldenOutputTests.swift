import SceneClient
import SceneJSON
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneTool

/// The exact output of a scene for each event, for people and for scripts.
struct GoldenOutputTests {
  private let session = SessionIdentifier(high: 0x5B1A_0C7E_3B7C_4C3F, low: 0x9D5E_0A1B_2C3D_4E5F)
  private let activity = Activity(
    unchecked: raw(#"{"activityType":"com.example.note","userInfo":{"line": 9007199254740993}}"#))
  private let page = Activity(
    unchecked: raw(
      #"{"activityType":"web","title":"Notes\u001b","webpageURL":"https://a.b/c","userInfo":{}}"#))
  private let context = SceneModel.OpenURLContext(
    unchecked: raw(
      #"{"url":"a:\u001b","options":{"openInPlace":true,"sourceApplication":"mail","#
        + #""annotation":1.0}}"#))
  private let item = ShortcutItem(
    unchecked: raw(#"{"type":"new","localizedTitle":"New","userInfo":{"a":1.0}}"#))
  private let response = SceneModel.NotificationResponse(
    unchecked: raw(#"{"actionIdentifier":"reply","userInfo":{"m":7}}"#))

  private static func raw(_ text: String) -> RawJSON {
    RawJSON(unchecked: ContiguousArray(text.utf8))
  }

  private func connection(
    _ reason: ConnectReason, isNew: Bool = false, name: String? = "packing",
    activity: Activity? = nil, options: SceneModel.ConnectionOptions = .none
  ) -> WillConnect {
    var message = WillConnect()
    message.session = session
    message.sceneSession.persistentIdentifier = session
    message.sceneSession.name = name
    message.sceneSession.configuration = SceneConfiguration(name: "Default Configuration")
    message.sceneSession.stateRestorationActivity = activity
    (message.isNew, message.reason, message.hold) = (isNew, reason, 1)
    message.options = options
    return message
  }

  private var opened: WillConnect {
    var options = SceneModel.ConnectionOptions.none
    options.urlContexts = [context]
    options.handoffUserActivityType = "note"
    options.sourceApplication = "mail"
    return connection(.url, isNew: true, options: options)
  }

  private var titled: WillConnect {
    var message = connection(.activation)
    message.sceneSession.title = "For\u{1B} Rome"
    return message
  }

  private var posted: EventPosted {
    var event = EventPosted()
    (event.topic, event.kind) = ("news", "added\u{1B}")
    event.payload = OpaqueObject(unchecked: Self.raw(#"{"n":1.50}"#))
    event.position = EventPosition(origin: "a", number: 3)
    return event
  }

  private var details: SessionDetails {
    var details = SessionDetails()
    details.summary.session = session
    details.summary.name = "packing"
    details.summary.state = .background
    details.summary.target = .foregroundActive
    details.summary.generation = 3
    details.summary.title = "A\u{1B}[2J"
    return details
  }

  private func callback(
    _ kind: CallbackKind, _ message: (any CallbackMessage)? = nil, answer: CallAnswer? = .done,
    isClassic: Bool = false
  ) -> SceneTool.SceneEvent {
    .callback(
      message.map { Callback(kind, $0) } ?? Callback(kind, of: session), answer,
      isClassic: isClassic)
  }

  private func ended(
    _ reason: DisconnectReason, _ callback: CallbackKind? = nil, isUnknown: Bool = false
  ) -> SceneTool.SceneEvent {
    .ended(
      SceneTermination(session: session, reason: reason, callback: callback, isUnknown: isUnknown))
  }

  private var callbacks: [SceneTool.SceneEvent] {
    let connections = [
      connection(.launch, isNew: true), connection(.launch, isNew: true, name: nil),
      connection(.launch), connection(.recover, activity: activity),
      connection(.restore, name: nil), opened,
      connection(.activation, options: ConnectionOptions(userActivities: [activity])),
    ]
    let content: [(CallbackKind, any CallbackMessage)] = [
      (.openURLContexts, OpenURLContexts(session: session, urlContexts: [context])),
      (
        .performActionForShortcutItem,
        PerformActionForShortcutItem(session: session, shortcutItem: item)
      ),
      (
        .didReceiveNotificationResponse,
        DidReceiveNotificationResponse(session: session, notificationResponse: response)
      ),
      (.didUpdateUserActivity, UserActivityMessage(session: session, userActivity: activity)),
      (.didDisconnect, DidDisconnect(session: session, reason: .watchdog)),
    ]
    return connections.map { callback(.willConnect, $0) } + content.map { callback($0, $1) } + [
      callback(
        .didUpdateUserActivity, UserActivityMessage(session: session, userActivity: page)),
      callback(.willConnect, connections[0], isClassic: true),
      callback(.willEnterForeground), callback(.willEnterForeground, isClassic: true),
      callback(.willResignActive, answer: nil),
      callback(.stateRestorationActivity, answer: .activity(.value(activity))),
      callback(.stateRestorationActivity, answer: .activity(.absent)),
    ]
  }

  private var replies: [SceneTool.SceneEvent] {
    [
      .replied(.activity, Self.raw("1.0"), BrokerReply(SaveActivity.Reply(generation: 4))),
      .replied(.title, nil, .empty), .replied(.status, nil, BrokerReply(details)),
      .replied(.background, nil, BrokerReply(SceneTransition.Reply(state: .foregroundActive))),
      .replied(.background, nil, BrokerReply(SceneTransition.Reply(state: .background))),
      .replied(.activate, nil, BrokerReply(SceneTransition.Reply(state: .background))),
      .failed(.activate, nil, SceneError(.sessionInUse, "held")),
      .failed(.title, nil, SceneError(.tooLarge, "title: too\nlarge")),
      .failed(.activity, nil, SceneError(.tooLarge, "activity: too large")),
      .failed(
        .conditions, nil,
        SceneError(.invalidPredicate, "activationConditions.prefersToActivate: at character 8")),
      .failed(nil, nil, SceneError(.invalidParams, "not JSON")), .postponed(.close),
      .explained(.title, nil), .hanging(.willResignActive, nil), .hanging(nil, nil),
    ]
  }

  private var changes: [SceneTool.SceneEvent] {
    [
      .posted(posted), .gap("news"), .noticed(.significantTimeChange),
      .noticed(.significantTimeChange, isClassic: true), .waiting, .connected, .resumed(session),
      .unanswered(nil), .unanswered("no\nroom"), .idle(session, .reclaimed),
      .idle(session, .shutdown), .idle(session, .discarded),
      .idle(session, .discarded, isUnknown: true), .exchanged(titled),
      .exchanged(connection(.activation, name: nil)), ended(.discarded),
      ended(.discarded, isUnknown: true), ended(.clientRequest), ended(.replaced),
      ended(.watchdog), ended(.watchdog, .didEnterBackground), ended(.slowReader),
      .ended(SceneTermination(session: session, reason: .clientRequest, host: "desktop")),
    ]
  }

  @Test("the last line of a moved scene states where the session is")
  func places() {
    func line(_ away: SessionAway?, hasAgent: Bool = false) -> String {
      var summary = SessionSummary()
      (summary.session, summary.away) = (session, away)
      return Suggestion(options: " -a x").place(
        of: session, summary, movedTo: "desktop", hasAgent: hasAgent)
    }
    let way = "; take it back with: scenectl -a x move 5b1a0c7e --from desktop"
    #expect(line(SessionAway(to: "desktop", fence: 1)) == "the session moves to desktop" + way)
    #expect(
      line(SessionAway(to: "desktop", fence: 1, isConfirmed: true, remote: "s -S b"))
        == "the session is at desktop" + way + " --remote 's -S b'")
    #expect(
      line(SessionAway(to: "desktop", fence: 1, isConfirmed: true), hasAgent: true)
        == "the session is at desktop; take it back with: scenectl -a x handoff take 5b1a0c7e")
    #expect(
      line(nil) == "the session has not moved to desktop; open it with: scene -a x --session "
        + "\(session)")
    #expect(
      Suggestion().place(of: session, nil, movedTo: "desktop", hasAgent: false)
        == "the session moves to desktop; see: scenectl show 5b1a0c7e")
  }

  @Test("F26, F54–F58, F73: each event has its text for people, and its JSON for scripts")
  func events() throws {
    let blocks = (callbacks + replies + changes).map { event in
      (TextLines().lines(for: event) + JSONLines().lines(for: event)).joined(separator: "\n")
    }
    try GoldenFile.expect(blocks.joined(separator: "\n\n") + "\n", equals: "scene/events.txt")
  }
}
