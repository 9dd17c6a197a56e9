import SceneClient
import SceneJSON
import SceneModel
import Testing

@testable import SceneTool

/// The exact output of a scene for each event.
struct OutputFormatterTests {
  private static let session = SessionIdentifier(
    high: 0x5B1A_0C7E_3B7C_4C3F, low: 0x9D5E_0A1B_2C3D_4E5F)
  private static let activity = Activity(
    unchecked: RawJSON(
      unchecked: ContiguousArray(
        #"{"activityType":"com.example.note","userInfo":{"line": 9007199254740993}}"#.utf8)))

  private static func willConnect(
    _ reason: ConnectReason, isNew: Bool = false, name: String? = "packing",
    activity: Activity? = nil, options: [Activity] = []
  ) -> Callback {
    var message = WillConnect()
    message.session = session
    message.sceneSession.persistentIdentifier = session
    message.sceneSession.name = name
    message.sceneSession.configuration = SceneConfiguration(name: "Default Configuration")
    message.sceneSession.stateRestorationActivity = activity
    message.isNew = isNew
    message.reason = reason
    message.hold = 1
    message.options.userActivities = options
    return Callback(.willConnect, message)
  }

  private static func opened() -> Callback {
    guard var message = willConnect(.url, isNew: true).message as? WillConnect else {
      preconditionFailure("another callback was made")
    }
    message.options.urlContexts = [context]
    message.options.handoffUserActivityType = "note"
    message.options.sourceApplication = "mail"
    return Callback(.willConnect, message)
  }

  private static func raw(_ text: String) -> RawJSON {
    RawJSON(unchecked: ContiguousArray(text.utf8))
  }

  private static let context = SceneModel.OpenURLContext(
    unchecked: raw(
      #"{"url":"a:\u001b","options":{"openInPlace":true,"sourceApplication":"mail","#
        + #""annotation":1.0}}"#))
  private static let item = ShortcutItem(
    unchecked: raw(#"{"type":"new","localizedTitle":"New","userInfo":{"a":1.0}}"#))
  private static let response = SceneModel.NotificationResponse(
    unchecked: raw(#"{"actionIdentifier":"reply","userInfo":{"m":7}}"#))

  private static let delivered: [Callback] = [
    Callback(.openURLContexts, OpenURLContexts(session: session, urlContexts: [context])),
    Callback(
      .performActionForShortcutItem,
      PerformActionForShortcutItem(session: session, shortcutItem: item)),
    Callback(
      .didReceiveNotificationResponse,
      DidReceiveNotificationResponse(session: session, notificationResponse: response)),
    Callback(
      .didUpdateUserActivity, DidUpdateUserActivity(session: session, userActivity: activity)),
  ]

  @Test("the output describes the session of a later scene; for scripts the callback does")
  func exchanged() {
    guard var message = Self.willConnect(.activation).message as? WillConnect else { return }
    message.sceneSession.title = "For\u{1B} Rome"
    #expect(
      TextLines().lines(for: .exchanged(message)) == [
        "another session: packing (\(Self.identifier)), Default Configuration, windowApplication, "
          + #""For\u{1b} Rome""#
      ])
    message.sceneSession.name = nil
    message.sceneSession.title = nil
    #expect(
      TextLines().lines(for: .exchanged(message)) == [
        "another session: unnamed (\(Self.identifier)), Default Configuration, "
          + "windowApplication"
      ])
    #expect(JSONLines().lines(for: .exchanged(message)) == [])
  }

  @Test("F54–F58: people see opened content in words, and scripts get its original JSON")
  func opening() {
    func lines(_ formatter: any OutputFormatter) -> [String] {
      ([Self.opened()] + Self.delivered).flatMap {
        formatter.lines(for: .callback($0, .done))
      }
    }
    #expect(
      lines(TextLines()) == [
        #"  willConnect          new, url, to open a:\u{1b} in place from mail with 1.0, "#
          + "note follows",
        #"  openURLContexts      a:\u{1b} in place from mail with 1.0"#,
        #"  performActionForShortcutItem new "New" {"a":1.0}"#,
        #"  didReceiveNotificationResponse reply {"m":7}"#,
        #"  didUpdateUserActivity com.example.note {"line": 9007199254740993}"#,
      ])
    let json = lines(JSONLines())
    #expect(json[0].contains(#""options":{"urlContexts":[\#(Self.context.json)]"#))
    #expect(json[1].hasPrefix(#"{"callback":"openURLContexts","session":"#))
    #expect(json[1].hasSuffix(#""urlContexts":[\#(Self.context.json)]}"#))
    #expect(json[2].hasSuffix(#""shortcutItem":\#(Self.item.json)}"#))
    #expect(json[3].hasSuffix(#""notificationResponse":\#(Self.response.json)}"#))
  }

  @Test("F73: people see events and gaps in words, and scripts get their original JSON")
  func events() {
    var event = EventPosted()
    event.topic = "news"
    event.kind = "added\u{1B}"
    event.payload = OpaqueObject(unchecked: Self.raw(#"{"n":1.50}"#))
    event.position = EventPosition(origin: "a", number: 3)
    #expect(
      TextLines().lines(for: .posted(event)) == [
        #"  posted               news added\u{1b} {"n":1.50}"#
      ])
    #expect(
      JSONLines().lines(for: .posted(event)) == [
        #"{"event":"posted","topic":"news","kind":"added\u001b","payload":{"n":1.50},"position":"a-3"}"#
      ])
    #expect(
      TextLines().lines(for: .gap("news"))
        == ["events of news are missing: the broker no longer stores them"])
    #expect(JSONLines().lines(for: .gap("news")) == [#"{"event":"gap","topic":"news"}"#])
  }

  private static var details: SessionDetails {
    var details = SessionDetails()
    details.summary.session = session
    details.summary.name = "packing"
    details.summary.state = .background
    details.summary.target = .foregroundActive
    details.summary.generation = 3
    details.summary.title = "A\u{1B}[2J"
    return details
  }

  @Test("F26: a classic application gets the names of its own calls")
  func classic() {
    let callback = Callback(.willEnterForeground, of: Self.session)
    #expect(
      TextLines().lines(for: .callback(callback, .done, isClassic: true))
        == ["  applicationWillEnterForeground"])
    #expect(
      TextLines().lines(
        for: .callback(Self.willConnect(.launch, isNew: true), .done, isClassic: true))
        == ["packing is new (5b1a0c7e)", "  didFinishLaunchingWithOptions new, launch"])
    let lines = JSONLines().lines(for: .callback(callback, .done, isClassic: true))
    #expect(
      lines[0].hasPrefix(
        #"{"callback":"willEnterForeground","classic":"applicationWillEnterForeground","session":"#)
    )
    let notice = SceneTool.SceneEvent.noticed(.significantTimeChange, isClassic: true)
    #expect(TextLines().lines(for: notice) == ["  applicationSignificantTimeChange"])
    #expect(
      JSONLines().lines(for: notice)
        == [#"{"notice":"significantTimeChange","classic":"applicationSignificantTimeChange"}"#])
  }

  @Test(
    "every event has its text for people",
    arguments: [
      (
        .callback(willConnect(.launch, isNew: true), .done),
        ["packing is new (5b1a0c7e)", "  willConnect          new, launch"]
      ),
      (
        .callback(willConnect(.recover, activity: activity), .done),
        [
          "packing recovered (5b1a0c7e)",
          #"  willConnect          recover, com.example.note {"line": 9007199254740993}"#,
        ]
      ),
      (
        .callback(willConnect(.launch, isNew: true, name: nil), .done),
        ["a new session (5b1a0c7e)", "  willConnect          new, launch"]
      ),
      (
        .callback(willConnect(.launch), .done),
        ["packing is connected for the first time (5b1a0c7e)", "  willConnect          launch"]
      ),
      (
        .failed(.activate, nil, SceneError(.sessionInUse, "held")),
        ["error: held; press Ctrl-C, then run: scene --take-over"]
      ),
      (
        .ended(SceneTermination(session: session, reason: .discarded, isUnknown: true)),
        [
          "the broker does not know this session: the session was discarded, or the broker "
            + "has another state directory"
        ]
      ),
      (
        .callback(willConnect(.restore, name: nil), .done),
        ["a session restored (5b1a0c7e)", "  willConnect          restore"]
      ),
      (
        .callback(willConnect(.activation, options: [activity]), .done),
        [
          "  willConnect          activation, to continue com.example.note "
            + #"{"line": 9007199254740993}"#
        ]
      ),
      (.callback(Callback(.willEnterForeground, of: session), .done), ["  willEnterForeground"]),
      (
        .callback(Callback(.willResignActive, of: session), nil),
        ["  willResignActive     not answered"]
      ),
      (
        .callback(Callback(.stateRestorationActivity, of: session), .activity(.value(activity))),
        [#"  stateRestorationActivity com.example.note {"line": 9007199254740993}"#]
      ),
      (
        .callback(Callback(.stateRestorationActivity, of: session), .activity(.absent)),
        ["  stateRestorationActivity"]
      ),
      (
        .callback(
          Callback(.didDisconnect, DidDisconnect(session: session, reason: .reclaimed)), .done),
        ["  didDisconnect        reclaimed"]
      ),
      (
        .replied(.activity, nil, BrokerReply(SaveActivity.Reply(generation: 1))),
        ["saved, generation 1"]
      ),
      (.replied(.title, nil, .empty), []),
      (
        .replied(.status, nil, BrokerReply(details)),
        [
          "packing (5b1a0c7e): background, on its way to foregroundActive, \"A\\u{1b}[2J\", "
            + "generation 3"
        ]
      ),
      (
        .failed(.title, nil, SceneError(.tooLarge, "title: too\nlarge")),
        ["error: title: too large"]
      ),
      (
        .failed(
          .conditions, nil,
          SceneError(
            .invalidPredicate,
            "activationConditions.prefersToActivate: at character 8: expected a text")),
        ["error: conditions prefers: at character 8: expected a text"]
      ),
      (
        .failed(.activity, nil, SceneError(.tooLarge, "activity: too large")),
        ["error: activity: too large; the last saved activity stays"]
      ),
      (.waiting, ["the broker is gone; waiting for the next broker (Ctrl-C ends scene)"]),
      (.postponed(.close), ["close waits for the next broker (Ctrl-C ends scene at once)"]),
      (.idle(session, .reclaimed), ["waiting to be activated (Ctrl-C ends scene)"]),
      (
        .idle(session, .discarded),
        ["the session (5b1a0c7e) was discarded; waiting for another session (Ctrl-C ends scene)"]
      ),
      (
        .idle(session, .discarded, isUnknown: true),
        [
          "the broker does not know this session: the session was discarded, or the broker "
            + "has another state directory; waiting for another session (Ctrl-C ends scene)"
        ]
      ),
      (
        .explained(.title, nil),
        [
          "  title TEXT           set the title; null removes it",
          "  as in: title Packing for Rome",
        ]
      ),
      (
        .unanswered(nil),
        [
          "the broker accepts connections but does not answer; waiting for its answer "
            + "(Ctrl-C ends scene)"
        ]
      ),
      (.unanswered("no\nroom"), ["no room; trying again (Ctrl-C ends scene)"]),
      (.hanging(.willResignActive, nil), ["scene no longer answers willResignActive"]),
      (.hanging(nil, nil), ["scene no longer answers callbacks"]),
      (
        .replied(.background, nil, BrokerReply(SceneTransition.Reply(state: .foregroundActive))),
        ["the scene goes to the background"]
      ),
      (
        .replied(.background, nil, BrokerReply(SceneTransition.Reply(state: .background))),
        ["the scene is in the background"]
      ),
      (
        .replied(.activate, nil, BrokerReply(SceneTransition.Reply(state: .background))),
        ["the scene comes to the foreground"]
      ),
      (
        .ended(SceneTermination(session: session, reason: .discarded)),
        ["the session was discarded"]
      ),
      (.ended(SceneTermination(session: session, reason: .clientRequest)), []),
      (
        .ended(
          SceneTermination(session: session, reason: .watchdog, callback: .didEnterBackground)),
        ["disconnected: didEnterBackground was not answered in time"]
      ),
      (
        .ended(SceneTermination(session: session, reason: .watchdog)),
        ["disconnected: a callback was not answered in time"]
      ),
    ] as [(SceneTool.SceneEvent, [String])])
  func text(event: SceneTool.SceneEvent, lines: [String]) {
    #expect(TextLines().lines(for: event) == lines)
  }

  private static let identifier = "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F"
  private static let saved =
    #"{"activityType":"com.example.note","userInfo":{"line": 9007199254740993}}"#

  @Test(
    "every event has its JSON for scripts",
    arguments: [
      (
        .callback(willConnect(.recover, activity: activity), .done),
        #"{"callback":"willConnect","session":"\#(identifier)","sceneSession":{"#
          + #""persistentIdentifier":"\#(identifier)","name":"packing","role":"windowApplication","#
          + #""configuration":{"name":"Default Configuration"},"userInfo":{},"#
          + #""stateRestorationActivity":\#(saved),"title":null},"#
          + #""isNew":false,"reason":"recover","hold":1,"options":{}}"#
      ),
      (
        .callback(Callback(.willResignActive, of: session), nil),
        #"{"callback":"willResignActive","session":"\#(identifier)","answered":false}"#
      ),
      (
        .callback(Callback(.stateRestorationActivity, of: session), .activity(.value(activity))),
        #"{"callback":"stateRestorationActivity","session":"\#(identifier)","answer":\#(saved)}"#
      ),
      (
        .callback(
          Callback(.didDisconnect, DidDisconnect(session: session, reason: .watchdog)), .done),
        #"{"callback":"didDisconnect","session":"\#(identifier)","reason":"watchdog"}"#
      ),
      (
        .replied(
          .activity, RawJSON(unchecked: ContiguousArray("1.0".utf8)),
          BrokerReply(SaveActivity.Reply(generation: 4))),
        #"{"reply":{"generation":4},"do":"activity","id":1.0}"#
      ),
      (
        .failed(.title, nil, SceneError(.tooLarge, "too large")),
        #"{"error":{"reason":"tooLarge","message":"too large","retry":"never"},"do":"title"}"#
      ),
      (
        .failed(nil, nil, SceneError(.invalidParams, "not JSON")),
        #"{"error":{"reason":"invalidParams","message":"not JSON","retry":"never"}}"#
      ),
      (.waiting, #"{"state":"waiting"}"#), (.connected, #"{"state":"connected"}"#),
      (.resumed(session), #"{"state":"resumed","session":"\#(identifier)"}"#),
      (
        .idle(session, .discarded, isUnknown: true),
        #"{"state":"idle","session":"\#(identifier)","reason":"discarded","unknown":true}"#
      ),
      (
        .explained(.cease, nil),
        #"{"reply":{"commands":[{"do":"cease","topic":"NewMessage"}]},"do":"help"}"#
      ),
      (
        .idle(session, .reclaimed),
        #"{"state":"idle","session":"\#(identifier)","reason":"reclaimed"}"#
      ),
      (
        .ended(SceneTermination(session: session, reason: .discarded)),
        #"{"state":"ended","session":"\#(identifier)","reason":"discarded"}"#
      ),
      (
        .ended(SceneTermination(session: session, reason: .watchdog, callback: .willConnect)),
        #"{"state":"ended","session":"\#(identifier)","reason":"watchdog","#
          + #""unanswered":"willConnect"}"#
      ),
      (.hanging(nil, nil), #"{"reply":{},"do":"hang"}"#),
      (.unanswered(nil), #"{"state":"unanswered"}"#),
      (.unanswered("no room"), #"{"state":"unanswered","message":"no room"}"#),
    ] as [(SceneTool.SceneEvent, String)])
  func json(event: SceneTool.SceneEvent, line: String) {
    #expect(JSONLines().lines(for: event) == [line])
  }
}
