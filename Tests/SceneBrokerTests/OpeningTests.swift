import SceneModel
import Testing

@testable import SceneBroker

/// F54–F58: what is opened reaches the scene it is for, wherever that is.
struct OpeningTests {
  /// What is opened, by its feature.
  struct Opened: CustomTestStringConvertible, Sendable {
    let feature: String
    let content: OpenedContent
    /// How a scene hears of it that connects because of it.
    let connected: String
    /// What a scene is handed that connects because of it.
    var following: [String] = []
    /// What a scene is handed that is connected.
    let delivered: [String]

    var testDescription: String { feature }
  }

  static let opened = [
    Opened(
      feature: "F55: URLs", content: .urls([url("note:a"), url("note:b")]),
      connected: "url 2 url note:a url note:b from files",
      delivered: ["openURLContexts S1 note:a note:b"]),
    Opened(
      feature: "F57: an activity", content: .activity(note(1)),
      connected: #"continuation 2 for note{"n":1}"#,
      delivered: ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#]),
    Opened(
      feature: "F56: an activity from another device", content: .handoff(note(1)),
      connected: "continuation 2 handoff note",
      following: ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#],
      delivered: ["willContinueUserActivity S1 note", #"continueUserActivity S1 note{"n":1}"#]),
    Opened(
      feature: "F58: a notification",
      content: .notification(notification(#"{"userInfo":{"n":1}}"#)),
      connected: #"notification 2 notification {"userInfo":{"n":1}}"#,
      delivered: [#"didReceiveNotificationResponse S1 {"userInfo":{"n":1}}"#]),
    Opened(
      feature: "F58: a shortcut", content: .shortcut(shortcut("new")),
      connected: "shortcut 2 shortcut new",
      delivered: ["performActionForShortcutItem S1 new"]),
  ]

  private func open(_ content: OpenedContent) -> ClientRequest { .open(ApplicationOpen(content)) }

  @Test("an active scene is handed it at once", arguments: opened)
  func active(_ opened: Opened) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    scene.become("packing")
    #expect(control.hears(open(opened.content)) == [])
    scene.acknowledgeAll()
    #expect(scene.heard == opened.delivered)
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("a scene in the background is handed it on its way up", arguments: opened)
  func background(_ opened: Opened) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    scene.become("packing", background: true)
    control.ask(open(opened.content))
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["willEnterForeground S1"] + opened.delivered + ["didBecomeActive S1"])
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("a scene that is interrupted, in the step to active", arguments: opened)
  func inactive(_ opened: Opened) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    scene.move(session, .foregroundInactive)
    scene.acknowledgeAll()
    scene.forget()
    control.ask(open(opened.content))
    scene.acknowledgeAll()
    #expect(scene.heard == ["didBecomeActive S1"] + opened.delivered)
  }

  @Test("a scene on its way to the background turns round and is handed it", arguments: opened)
  func goingDown(_ opened: Opened) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    control.ask(open(opened.content))
    scene.acknowledgeAll()
    #expect(scene.heard == ["willResignActive S1"] + opened.delivered + ["didBecomeActive S1"])
    #expect(control.heard == ["2 foregroundActive", "3 activated S1"])
  }

  @Test("an unattached session is connected with it", arguments: opened)
  func unattached(_ opened: Opened) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing", background: true)
    control.ask(.reclaim(Reclaim(sessions: [session])))
    scene.acknowledgeAll()
    scene.forget()
    control.forget()
    control.ask(open(opened.content))
    scene.acknowledgeAll()
    #expect(
      scene.heard == ["willConnect S1 \(opened.connected)"] + opened.following
        + ["willEnterForeground S1", "didBecomeActive S1"])
    #expect(control.heard == ["3 activated S1"])
  }

  @Test("a new session is made for it where there is none", arguments: opened)
  func new(_ opened: Opened) {
    let stage = Stage()
    let (host, control) = (stage.client(hosts: ["*"]), stage.control())
    control.ask(open(opened.content))
    host.acknowledgeAll()
    let connected = opened.connected.replacing(" 2 ", with: " 1 ", maxReplacements: 1)
    #expect(
      host.heard == ["willConnect S1 new \(connected)"] + opened.following
        + ["willEnterForeground S1", "didBecomeActive S1"])
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("a scene that is on its way to its end is waited for", arguments: opened)
  func leaving(_ opened: Opened) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    control.ask(open(opened.content))
    scene.acknowledgeAll()
    #expect(scene.heard.first == "willConnect S1 \(opened.connected)")
    #expect(control.heard == ["2 unattached", "3 activated S1"])
  }

  @Test("F56: a host that refuses hands what is to follow on to the next")
  func nextHost() {
    let stage = Stage()
    let (first, second) = (stage.client(hosts: ["*"]), stage.client(hosts: ["*"]))
    let control = stage.control()
    control.ask(open(.handoff(note(1))))
    first.acknowledge(.failed(message: "no"))
    second.acknowledgeAll()
    #expect(
      second.heard == [
        "willConnect S1 new continuation 2 handoff note", "willContinueUserActivity S1 note",
        #"continueUserActivity S1 note{"n":1}"#, "willEnterForeground S1", "didBecomeActive S1",
      ])
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("F59: it goes where its target content identifier is preferred, to a dead client's session")
  func routed() {
    let stage = Stage()
    let (scene, control) = (stage.client("gone"), stage.control())
    let session = scene.become("packing")
    scene.ask(
      .update(
        SceneUpdate(
          session: session,
          activationConditions: .value(
            ActivationConditionTexts(prefersToActivate: .value("self == 'note/1'"))))))
    scene.close()
    let host = stage.client(hosts: ["*"])
    stage.client().become("other")
    let item = ShortcutItem(
      unchecked: json(#"{"type":"edit","targetContentIdentifier":"note/1"}"#))
    control.ask(open(.shortcut(item)))
    host.acknowledgeAll()
    #expect(host.heard.first == "willConnect S1 shortcut 2 shortcut edit")
    // What the request says counts before what is opened says.
    var message = ApplicationOpen(.shortcut(item))
    message.targetContentIdentifier = "note/2"
    host.forget()
    let active = stage.client()
    active.become("third")
    control.forget()
    control.ask(.open(message))
    active.acknowledgeAll()
    #expect(active.heard == ["performActionForShortcutItem S3 edit"])
  }

  @Test("F55: one session is enough where there may be no second, unless it cannot take it")
  func onlyScene() {
    let manifest = Manifest(
      supportsMultipleScenes: false,
      roles: [
        RoleConfigurations(
          role: .windowApplication, configurations: [SceneConfiguration(name: "Only")])
      ])
    let stage = Stage(manifest)
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.ask(open(.urls([url("note:a")])))
    scene.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
    scene.ask(
      .update(
        SceneUpdate(
          session: session,
          activationConditions: .value(
            ActivationConditionTexts(canActivate: .value("FALSEPREDICATE"))))))
    var message = ApplicationOpen(.urls([url("note:b")]))
    #expect(control.hears(.open(message)) == [])
    scene.acknowledgeAll()
    message.targetContentIdentifier = "note/b"
    #expect(control.hears(.open(message)) == ["4 multipleScenesNotSupported"])
  }

  @Test("F13, F58: a configuration is for the session that has to be made")
  func configuration() {
    let stage = Stage(.hosting("Note", "Tool"))
    let (host, control) = (stage.client(hosts: ["Tool"]), stage.control())
    var message = ApplicationOpen(.notification(notification("{}")))
    message.configuration = "Tool"
    control.ask(.open(message))
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(
      stage.stored(SessionIdentifier(high: 0, low: 1))?.attributes.configuration.name == "Tool")
    message.configuration = nil
    message.targetContentIdentifier = nil
    #expect(control.hears(.open(message)) == [])
  }

  @Test("one thing at a time, and Handoff only with an activity")
  func form() {
    let stage = Stage()
    let control = stage.control()
    var both = ApplicationOpen(.shortcut(shortcut("new")))
    both.urlContexts = [url("a")]
    #expect(control.hears(.open(both)) == ["2 invalidParams"])
    #expect(control.hears(.open(ApplicationOpen())) == ["3 invalidParams"])
    var handoff = ApplicationOpen(.shortcut(shortcut("new")))
    handoff.handoff = true
    #expect(control.hears(.open(handoff)) == ["4 invalidParams"])
    #expect(control.hears(open(.shortcut(shortcut("new")))) == ["5 noHost later"])
  }

  @Test("what is opened may have 256 KiB, as options have", arguments: [0, 1])
  func limit(past: Int) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    scene.become("packing")
    let text = String(repeating: "x", count: (256 << 10) - #"{"type":""}"#.utf8.count + past)
    control.ask(open(.shortcut(shortcut(text))))
    #expect((control.lastError?.reason == .tooLarge) == (past == 1))
  }

  @Test("64 may wait for one scene; the next is refused")
  func waiting() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    scene.become("packing", background: true)
    for number in 1...64 { #expect(control.hears(open(.urls([url("n\(number)")]))) == []) }
    #expect(control.hears(open(.urls([url("n")]))) == ["66 tooMany later"])
    scene.acknowledgeAll()
    #expect(scene.heard.count == 2 + 64)
  }

  @Test("content that its scene misses is refused to its requester")
  func gone() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    scene.become("packing", background: true)
    control.ask(open(.shortcut(shortcut("new"))))
    scene.close()
    #expect(control.heard == ["2 sessionNotHeld now"])
  }

  @Test("F54: a client that connects by itself is given back the options it says")
  func ownOptions() {
    let stage = Stage()
    let scene = stage.client()
    var options = ConnectionOptions()
    options.urlContexts = [url("note:a")]
    options.handoffUserActivityType = "note"
    options.sourceApplication = "shell"
    scene.ask(.connect(SceneConnect(name: "packing", options: options)))
    #expect(
      scene.heard.last == "willConnect S1 new launch 1 url note:a handoff note from shell")
  }
}
