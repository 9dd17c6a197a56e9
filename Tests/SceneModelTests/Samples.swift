import SceneJSON
import SceneModel

/// Samples of all values with a JSON form, with all members and with as few as possible.
enum Samples {
  static let session = SessionIdentifier(high: 0x5B1A_0C7E_3B7C_4C3F, low: 0x9D5E_0A1B_2C3D_4E5F)
  static let note = Activity(
    unchecked: raw(#"{"activityType":"note","userInfo":{"n":1.50,"é":"\u0041"},"title":"x"}"#))
  static let object = OpaqueObject(unchecked: raw(#"{ "a" : [1, 2.0e3, null] }"#))

  static func raw(_ text: String) -> RawJSON { RawJSON(unchecked: ContiguousArray(text.utf8)) }

  static let configuration = SceneConfiguration(
    name: "Note", delegateClass: "NoteDelegate", sceneClass: "S", storyboard: "Main", kind: .window,
    retry: 0.0010000000000000002)

  static var attributes: SessionAttributes {
    var attributes = SessionAttributes(
      identifier: session, name: "packing", role: .windowExternalDisplay,
      configuration: configuration, userInfo: object, title: "Packing", maker: "notes",
      created: 1_700_000_000_000)
    attributes.subtitle = "sub"
    attributes.snapshot = "snap"
    attributes.activationConditions = conditions
    attributes.program = program
    return attributes
  }

  static let program = SessionProgram(
    arguments: ["vim", "a b", "\"\u{1}"], directory: "/home/ann", resume: ["vim"],
    environment: ["A=\u{1}"], retry: 0.5, reopens: false, connects: true)

  static var conditions: ActivationConditions {
    ActivationConditions(
      canActivate: try? ActivationPredicate("self != \"\u{1}\""),
      prefersToActivate: try? ActivationPredicate("self IN {'a', 'b'}"))
  }

  static var route: ApplicationRoute.Reply {
    var candidate = RouteCandidate()
    candidate.session = session
    candidate.name = "\"packing\"\u{1}"
    candidate.state = .foregroundInactive
    (candidate.prefers, candidate.can) = (true, true)
    candidate.lastActive = 1_700_000_000_000
    candidate.activationConditions = ActivationConditionTexts(conditions)
    return ApplicationRoute.Reply(
      candidates: [candidate, RouteCandidate()], more: true, chosen: session)
  }

  static var hold: Hold {
    var hold = Hold(session: session)
    hold.number = 3
    hold.holder = ClientProcess(pid: 4711, startTime: 99)
    hold.end = DisconnectOutcome(reason: .watchdog, callback: "willConnect")
    hold.order = 7
    hold.used = 1_700_000_000_000
    hold.pinned = 5
    return hold
  }

  static let records: [Record] = [
    .session(attributes),
    .session(SessionAttributes(identifier: session, configuration: SceneConfiguration(name: ""))),
    .activity(Generation(session: session, number: 1, activity: note, saved: 5)),
    .activity(Generation(session: session, number: 2, activity: nil, saved: 5)),
    .held(hold), .held(Hold(session: session)), .discard(Discard(session: session)),
    .topic(
      TopicAttributes(
        name: "news", origin: "8c1f3e5a7b9d0c2e", after: .max, keep: 1_000_000,
        keepBytes: 1 << 30)),
    .event(event), .event(TopicEvent(topic: "news", number: 1, payload: .empty, posted: 0)),
    .topicEnd(TopicEnd(name: "news")),
    .discard(Discard(session: session, report: report, more: true)),
    .discardReported(DiscardReported(report: report)), .delegateKnown,
  ]

  static let event = TopicEvent(
    topic: "news", number: 7, kind: "\"added\"\u{1}", payload: object, posted: 1_700_000_000_000)
  static let position = EventPosition(origin: "8c1f-2e", number: 7)

  static var posted: EventPosted {
    var posted = EventPosted()
    posted.topic = "news"
    posted.kind = "added"
    posted.payload = object
    posted.position = position
    posted.session = session
    posted.gap = true
    return posted
  }

  static var summary: SessionSummary {
    var summary = SessionSummary()
    summary.session = session
    summary.name = "packing"
    summary.title = "\"Packing\"\u{1}"
    summary.configuration = "Note"
    summary.state = .foregroundInactive
    summary.target = .foregroundActive
    summary.client = ClientReference(name: "notes", pid: 4711)
    summary.client?.program = 4712
    summary.lastUsed = 1_700_000_000_000
    summary.generation = 4
    summary.disconnect = DisconnectOutcome(reason: .reclaimed, cause: .terminated)
    summary.program = SessionProgram(arguments: ["vim"], directory: "/")
    summary.created = 1_600_000_000_000
    summary.placement = object
    return summary
  }

  static var entry: TraceEntry {
    var entry = TraceEntry(.disconnected)
    entry.number = 5
    entry.time = 1_700_000_000_000
    entry.elapsed = 12
    entry.session = session
    entry.name = "packing"
    entry.client = ClientReference(name: "notes", pid: 1)
    entry.callback = "willConnect"
    entry.reason = "watchdog"
    entry.state = .background
    entry.generation = 3
    entry.hold = 2
    entry.withheld = .crashLoop
    entry.options = [TracedOption(.url, "note:packing"), TracedOption(.notification, nil)]
    entry.moreOptions = 2
    entry.topic = "news"
    entry.kind = "added"
    entry.position = position
    entry.by = ClientReference(name: "scenectl", pid: 7)
    entry.detail = "a\nb"
    return entry
  }

  static var willConnect: WillConnect {
    var message = WillConnect()
    message.session = session
    let stored = StoredSession(
      attributes: attributes,
      generations: [Generation(session: session, number: 1, activity: note, saved: 1)])
    message.sceneSession = SceneSessionRecord(stored)
    message.isNew = true
    message.reason = .activation
    message.hold = 2
    message.missingConfiguration = "Old"
    message.options = options
    message.environment = environment
    return message
  }

  static let context = OpenURLContext(
    unchecked: raw(
      #"{"url":"note:a","options":{"openInPlace":true,"annotation":[1.50]},"more":{"b":"\u0041"}}"#)
  )
  static let item = ShortcutItem(unchecked: raw(#"{"type":"new","userInfo":{"n":1.0}}"#))
  static let response = NotificationResponse(
    unchecked: raw(#"{"actionIdentifier":"reply","userInfo":{},"text":"yes"}"#))

  static var options: ConnectionOptions {
    var options = ConnectionOptions(userActivities: [note, note])
    options.urlContexts = [context, context]
    options.handoffUserActivityType = "note"
    options.notificationResponse = response
    options.shortcutItem = item
    options.sourceApplication = "files"
    return options
  }

  static let environment = LoginEnvironment(["DISPLAY": ":1", "\"\u{1}": nil])

  static var openings: [ApplicationOpen] {
    var first = ApplicationOpen(.urls([context]))
    first.targetContentIdentifier = "note/1"
    first.configuration = "Note"
    first.environment = environment
    return [
      first, ApplicationOpen(.activity(note)), ApplicationOpen(.handoff(note)),
      ApplicationOpen(.notification(response)), ApplicationOpen(.shortcut(item)),
      ApplicationOpen(),
    ]
  }

  static let report = ReportIdentifier(request: session, part: 2)

  static let handedOff = {
    var message = DidDisconnect(session: session, reason: .clientRequest)
    (message.host, message.dismissalAnimation) = ("desktop", .decline)
    return message
  }()

  static let callbacks: [Callback] = [
    Callback(.willConnect, willConnect), Callback(.willConnect, WillConnect()),
    Callback(.willEnterForeground, of: session),
    Callback(.didBecomeActive, of: session),
    Callback(.willResignActive, of: session),
    Callback(.didEnterBackground, of: session),
    Callback(.stateRestorationActivity, of: session),
    Callback(.didDisconnect, DidDisconnect(session: session, reason: .replaced)),
    Callback(.didDisconnect, handedOff),
    Callback(
      .willContinueUserActivity,
      WillContinueUserActivity(session: session, activityType: "note")),
    Callback(.continueUserActivity, UserActivityMessage(session: session, userActivity: note)),
    Callback(.openURLContexts, OpenURLContexts(session: session, urlContexts: [context, context])),
    Callback(.didUpdateUserActivity, UserActivityMessage(session: session, userActivity: note)),
    Callback(
      .performActionForShortcutItem,
      PerformActionForShortcutItem(session: session, shortcutItem: item)),
    Callback(
      .didReceiveNotificationResponse,
      DidReceiveNotificationResponse(session: session, notificationResponse: response)),
    Callback(.refresh, of: session), Callback(.ping, of: session),
    Callback(.willFinishLaunching, Empty()),
    Callback(.didFinishLaunching, DidFinishLaunching()),
    Callback(.didFinishLaunching, DidFinishLaunching(options: options)),
    Callback(.configurationForConnecting, ConfigurationForConnecting()),
    Callback(
      .configurationForConnecting,
      ConfigurationForConnecting(sceneSession: willConnect.sceneSession, options: options)),
    Callback(
      .didDiscardSceneSessions,
      DidDiscardSceneSessions(
        report: report, sceneSessions: [willConnect.sceneSession, SceneSessionRecord()],
        more: true)),
    Callback(
      .didDiscardSceneSessions,
      DidDiscardSceneSessions(report: report, sceneSessions: [], more: false)),
    Callback(.willTerminate, Empty()),
  ]

  static let notifications: [BrokerNotification] = [
    .sceneConnected(SceneConnected(session: session, isNew: true, reason: .url)),
    .sceneDisconnected(
      SceneDisconnected(
        session: session, end: DisconnectOutcome(reason: .watchdog, callback: "a"))),
    .sceneDisconnected(
      SceneDisconnected(session: session, end: DisconnectOutcome(reason: .shutdown))),
    .sceneExited(SceneExited(session: session, exit: ClientExit(status: 3))),
    .sessionChanged(summary), .sessionChanged(SessionSummary()), .sessionDiscarded(session),
    .phaseChanged(.inactive), .memoryWarning, .significantTimeChange, .activated(session),
    .posted(posted),
    .posted(EventPosted()), .trace(entry),
    .trace(TraceEntry(.joined)),
    .overran(DelegateOverrun(callback: .didFinishLaunching, id: 7)),
  ]

  static var replies: [(BrokerReply, any RequestMessage.Type)] {
    var initialized = Initialize.Reply()
    initialized.version = 1
    initialized.broker.instance = "8c1f"
    initialized.application.name = "default"
    initialized.limits.frameBytes = 1 << 20
    var status = ApplicationStatus.Reply()
    status.name = "default"
    status.scenes = 3
    status.pressure = "watched (kernel)"
    var details = SessionDetails()
    details.sceneSession = willConnect.sceneSession
    details.summary = summary
    details.snapshot = "#"
    return [
      (BrokerReply(initialized), Initialize.self), (.empty, Ping.self),
      (BrokerReply(RequestDestruction.Reply(until: 7)), RequestDestruction.self),
      (
        BrokerReply(SessionUndiscard.Reply(session: session, name: "a")), SessionUndiscard.self
      ),
      (
        BrokerReply(SceneConnect.Reply(session: session, isNew: true, reason: .launch, hold: 1)),
        SceneConnect.self
      ), (BrokerReply(SceneTransition.Reply(state: .background)), SceneTransition.self),
      (BrokerReply(SaveActivity.Reply(generation: 4)), SaveActivity.self),
      (BrokerReply(SaveActivity.Reply(generation: 4)), RestoreActivity.self),
      (BrokerReply(DataDirectory.Reply(path: "/a/b")), DataDirectory.self),
      (
        BrokerReply(SessionList.Reply(sessions: [summary], next: session)),
        SessionList.self
      ),
      (BrokerReply(details), SessionShow.self),
      (
        BrokerReply(
          SessionHistory.Reply(
            generations: [
              Generation(session: session, number: 1, activity: nil, saved: 2)
            ], reasons: [entry],
            withheld: Withholding(generation: 1, reason: .crashLoop))), SessionHistory.self
      ),
      (
        BrokerReply(RequestActivation.Reply(session: session, isNew: true)),
        RequestActivation.self
      ), (BrokerReply(status), ApplicationStatus.self), (BrokerReply(route), ApplicationRoute.self),
      (BrokerReply(Reclaim.Reply(sessions: [session])), Reclaim.self),
      (BrokerReply(object), Describe.self),
      (
        BrokerReply(
          SessionResolve.Reply(details: details, matches: [session], count: 2)),
        SessionResolve.self
      ), (BrokerReply(SessionResolve.Reply(count: 9)), SessionResolve.self),
    ]
  }

  static var requests: [any RequestMessage] {
    var initialize = Initialize(
      client: ClientName(name: "notes", version: "1.0"), as: .control, hosts: ["*", "Note"])
    initialize.protocolRange.max = 3
    return [
      initialize, Initialize(), SceneConnect(),
      SceneConnect(
        session: session, name: "packing", new: true,
        resume: Resume(state: .foregroundInactive, hold: 3), takeOver: true, background: true,
        role: .windowExternalDisplay, configuration: "Note", title: "", program: program,
        userInfo: object, activity: note, options: options),
      SceneDisconnect(session: session),
      SceneDisconnect(session: session, activity: .null),
      SceneDisconnect(session: session, activity: .value(note)),
      SceneTransition(session: session, to: .unattached, reason: .reclaimed),
      SceneTransition(session: session, to: .unattached, cause: .hangup),
      SceneTransition(session: session, to: .unattached, cause: .handedOff, host: "desktop"),
      SceneTransition(session: session, to: .foregroundActive),
      SceneUpdate(session: session, title: .value("a"), subtitle: .null, snapshot: .absent),
      SceneUpdate(session: session, activationConditions: .null, program: .null, process: .null),
      SceneUpdate(
        session: session, program: .value(program),
        process: .value(
          ProgramProcess(
            name: "vim", pid: 4712,
            terminal: KeptTerminal(attached: 0, detached: .hangup, since: 5))), problem: "a\nb"),
      SceneUpdate(
        session: session,
        activationConditions: .value(
          ActivationConditionTexts(canActivate: .null, prefersToActivate: .value("x")))),
      SceneExtend(session: session, seconds: 0.25),
      SaveActivity(session: session, activity: note),
      SaveActivity(session: session),
      SetUserInfo(session: session, userInfo: object),
      SetName(session: session, name: "a"), SetName(session: session),
      SessionList(),
      SessionList(
        state: .background, role: .windowApplication, configuration: "c", client: "n",
        wasOpen: true, matching: object, after: session, limit: 3),
      SessionShow(session: session), SessionShow(name: "a"),
      SessionResolve(word: "5b1a"),
      SessionHistory(session: session),
      RestoreActivity(session: session, generation: 2),
      DataDirectory(session: session), SessionObserve(),
      RequestActivation(),
      RequestActivation(
        session: session, name: "a", role: .windowApplication, configuration: "c",
        userActivity: note,
        options: ActivationOptions(
          requestingScene: session, targetContentIdentifier: "note/1", background: true),
        environment: environment),
      UpdateEnvironment(environment),
      ApplicationRoute(targetContentIdentifier: "note/1"),
      RequestDestruction(sessions: [session, .none]), RequestDestruction(),
      RequestDestruction(sessions: [session], now: true, dismissalAnimation: .commit),
      SessionUndiscard(session: session, name: "a"), SessionList(discarded: true),
      RequestRefresh(),
      RequestRefresh(sessions: [session], matching: object, open: true),
      EventPost(topic: "news"),
      EventPost(topic: "news", kind: "added", payload: object),
      EventObserve(topic: "news"),
      EventObserve(topic: "news", after: position, last: 3, session: session),
      EventCease(topic: "news"), TopicList(after: "news", limit: 2),
      EventCease(topic: "news", session: session),
      ApplicationStatus(), ApplicationManifest(), Reclaim(),
      Reclaim(sessions: [], dryRun: true), MemoryWarning(), MemoryWarning(pressure: true),
      SignificantTimeChange(),
      BeginAssertion(session: session, name: "upload", seconds: 30),
      EndAssertion(assertion: 3),
      SceneSignal(session: session, signal: "KILL"),
      SceneSignal(session: session, signal: "TERM", pid: 4711), Terminate(),
      TraceObserve(), TraceObserve(after: 7, deliveries: true), Ping(),
      Describe(), Settle(),
      Settle(except: [4711]),
      Reload(), AdvanceClock(seconds: 20),
      InjectFault(at: .replySent, .after),
      InjectFault(diskFull: true), ReturnError(reason: "noHost"),
    ] + openings
  }
}

extension RequestMessage {
  /// The parameters of the request, as JSON.
  var params: String { text(self) }
}
