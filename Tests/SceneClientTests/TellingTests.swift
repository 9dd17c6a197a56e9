import JSON
import SceneClient
import SceneModel
import Testing

@testable import scene

/// How a scene tells what happens: exactly so.
struct TellingTests {
  private static let session = SessionIdentifier(
    high: 0x5B1A_0C7E_3B7C_4C3F, low: 0x9D5E_0A1B_2C3D_4E5F)
  private static let reference = SceneReference(session: session)
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
    return .willConnect(message)
  }

  private static var details: SessionDetails {
    var summary = SessionSummary()
    summary.session = session
    summary.name = "packing"
    summary.state = .background
    summary.target = .foregroundActive
    summary.generation = 3
    summary.title = "A\u{1B}[2J"
    return SessionDetails(sceneSession: SceneSessionRecord(), summary: summary, snapshot: nil)
  }

  @Test(
    "to people",
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
        ["packing has its first scene (5b1a0c7e)", "  willConnect          launch"]
      ),
      (
        .failed(.activate, nil, SceneError(.sessionInUse, "held")),
        ["error: held; leave with Ctrl-C, and take it with: scene --take-over"]
      ),
      (
        .ended(Ending(session: session, reason: .discarded, isUnknown: true)),
        [
          "the broker does not know this session: it was discarded meanwhile, or this broker keeps "
            + "its state elsewhere"
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
      (.callback(.willEnterForeground(reference), .done), ["  willEnterForeground"]),
      (.callback(.willResignActive(reference), nil), ["  willResignActive     not answered"]),
      (
        .callback(.stateRestorationActivity(reference), .activity(.value(activity))),
        [#"  stateRestorationActivity com.example.note {"line": 9007199254740993}"#]
      ),
      (
        .callback(.stateRestorationActivity(reference), .activity(.absent)),
        ["  stateRestorationActivity"]
      ),
      (
        .callback(.didDisconnect(DidDisconnect(session: session, reason: .reclaimed)), .done),
        ["  didDisconnect        reclaimed"]
      ),
      (
        .replied(.activity, nil, .saved(SaveActivity.Reply(generation: 1))),
        ["saved, generation 1"]
      ),
      (.replied(.title, nil, .empty), []),
      (
        .replied(.status, nil, .shown(details)),
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
        .failed(.activity, nil, SceneError(.tooLarge, "activity: too large")),
        ["error: activity: too large; the scene stays at what was saved before"]
      ),
      (.waiting, ["the broker is gone; waiting for it to come back (Ctrl-C leaves)"]),
      (.idle(session, .reclaimed), ["waiting to be activated; Ctrl-C leaves"]),
      (
        .unanswered(nil),
        [
          "the broker takes connections but does not answer; is it stopped? waiting for it "
            + "(Ctrl-C leaves)"
        ]
      ),
      (.unanswered("no\nroom"), ["no room; trying again (Ctrl-C leaves)"]),
      (.hanging(.willResignActive, nil), ["willResignActive will not be answered any more"]),
      (.hanging(nil, nil), ["no callback will be answered any more"]),
      (
        .replied(.background, nil, .moved(SceneTransition.Reply(state: .foregroundActive))),
        ["the scene goes to the background"]
      ),
      (
        .replied(.background, nil, .moved(SceneTransition.Reply(state: .background))),
        ["the scene is in the background"]
      ),
      (
        .replied(.activate, nil, .moved(SceneTransition.Reply(state: .background))),
        ["the scene comes to the foreground"]
      ),
      (.ended(Ending(session: session, reason: .discarded)), ["the session was discarded"]),
      (.ended(Ending(session: session, reason: .clientRequest)), []),
      (
        .ended(Ending(session: session, reason: .watchdog, callback: .didEnterBackground)),
        ["disconnected: didEnterBackground was not answered in time"]
      ),
      (
        .ended(Ending(session: session, reason: .watchdog)),
        ["disconnected: a callback was not answered in time"]
      ),
    ] as [(Happening, [String])])
  func text(happening: Happening, lines: [String]) {
    #expect(TextLines().lines(for: happening) == lines)
  }

  private static let identifier = "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F"
  private static let saved =
    #"{"activityType":"com.example.note","userInfo":{"line": 9007199254740993}}"#

  @Test(
    "to scripts",
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
        .callback(.willResignActive(reference), nil),
        #"{"callback":"willResignActive","session":"\#(identifier)","answered":false}"#
      ),
      (
        .callback(.stateRestorationActivity(reference), .activity(.value(activity))),
        #"{"callback":"stateRestorationActivity","session":"\#(identifier)","answer":\#(saved)}"#
      ),
      (
        .callback(.didDisconnect(DidDisconnect(session: session, reason: .watchdog)), .done),
        #"{"callback":"didDisconnect","session":"\#(identifier)","reason":"watchdog"}"#
      ),
      (
        .replied(
          .activity, RawJSON(unchecked: ContiguousArray("1.0".utf8)),
          .saved(SaveActivity.Reply(generation: 4))),
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
        .idle(session, .reclaimed),
        #"{"state":"idle","session":"\#(identifier)","reason":"reclaimed"}"#
      ),
      (
        .ended(Ending(session: session, reason: .discarded)),
        #"{"state":"ended","session":"\#(identifier)","reason":"discarded"}"#
      ),
      (
        .ended(Ending(session: session, reason: .watchdog, callback: .willConnect)),
        #"{"state":"ended","session":"\#(identifier)","reason":"watchdog","#
          + #""unanswered":"willConnect"}"#
      ),
      (.hanging(nil, nil), #"{"reply":{},"do":"hang"}"#),
      (.unanswered(nil), #"{"state":"unanswered"}"#),
      (.unanswered("no room"), #"{"state":"unanswered","message":"no room"}"#),
    ] as [(Happening, String)])
  func json(happening: Happening, line: String) {
    #expect(JSONLines().lines(for: happening) == [line])
  }
}
