import SceneClient
import ScenePlatform
import SceneTesting
import Testing

/// Opened content in a Swift delegate.
@Suite("Opening, in Swift")
struct OpeningTests {
  private final class Delegate: SceneDelegate {
    let lines: ConditionMutex<[String]>

    init(_ lines: ConditionMutex<[String]>) { self.lines = lines }

    private func note(_ line: String) { lines.withLock { $0.append(line) } }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws {
      let urls = options.urlContexts.map(\.url)
      let rest = [
        options.handoffUserActivityType, options.notificationResponse?.actionIdentifier,
        options.shortcutItem?.type, options.sourceApplication,
      ].compactMap { $0 }
      note("connect \(options.reason) \((urls + rest).joined(separator: " "))")
    }
    func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
      note("will continue \(type)")
    }
    func scene(_ scene: Scene, continue activity: UserActivity) {
      note("continue \(activity.userInfo ?? [:])")
      scene.userActivity = nil
    }
    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
      UserActivity(activityType: "note", userInfo: ["state": "\(scene.activationState)"])
    }
    func scene(_ scene: Scene, didUpdate activity: UserActivity) {
      note("update \(activity.userInfo ?? [:])")
    }
    func scene(_ scene: Scene, openURLContexts contexts: Set<OpenURLContext>) {
      for context in contexts {
        let options = context.options
        note("open \(context.url) \(options.openInPlace) \(options.annotation ?? "")")
      }
    }
    func windowScene(
      _ windowScene: WindowScene, performActionFor item: ApplicationShortcutItem
    ) -> Bool {
      note("perform \(item.type) \(item.localizedTitle ?? "")")
      return true
    }
    func scene(_ scene: Scene, didReceive response: NotificationResponse) {
      note("receive \(response.actionIdentifier ?? "") \(response.userInfo ?? [:])")
    }
  }

  @Test("F54–F58: opened content arrives unchanged, with and without a connected scene")
  func everything() async throws {
    try await withBroker { broker in
      let lines = ConditionMutex<[String]>([])
      let application = try await broker.application(
        "notes", delegates: ["*": { Delegate(lines) }], request: SceneRequest(.named("packing")))
      func said() -> [String] {
        lines.withLock { said in
          defer { said = [] }
          return said
        }
      }
      #expect(said() == ["connect launch "])
      var options = OpenURLContext.Options()
      options.openInPlace = true
      options.sourceApplication = "mail"
      options.annotation = "[1.50, 9007199254740993]"
      let context = try OpenURLContext(url: "note:packing", options: options)
      let item = ApplicationShortcutItem(type: "new", localizedTitle: "New")
      let response = NotificationResponse(actionIdentifier: "reply", userInfo: ["message": 7])
      let activity = UserActivity(activityType: "note", userInfo: ["line": 42])
      for content in [
        .urls([context]), .shortcutItem(item), .notificationResponse(response),
        .userActivity(activity),
      ] as [SceneApplication.Content] {
        try await application.open(content)
      }
      try await broker.scenectl("background", "packing")
      #expect(
        said() == [
          "open note:packing true [1.50, 9007199254740993]", "perform new New",
          #"receive reply {"message":7}"#, "will continue note", #"continue {"line":42}"#,
          #"update {"state":"background"}"#,
        ])
      for content in [
        .urls([context]), .handoff(activity), .notificationResponse(response), .shortcutItem(item),
      ] as [SceneApplication.Content] {
        try await broker.scenectl("background", "packing")
        try await broker.scenectl("reclaim", "packing")
        lines.withLock { $0 = [] }
        let session = try await application.open(content)
        try await broker.settle()
        #expect(session == application.connectedScenes.first?.session.persistentIdentifier)
        let first = said()
        switch content {
        case .urls: #expect(first == ["connect url note:packing mail"])
        case .handoff:
          #expect(
            first == ["connect continuation note", "will continue note", #"continue {"line":42}"#])
        case .notificationResponse: #expect(first == ["connect notification reply"])
        case .shortcutItem: #expect(first == ["connect shortcut new"])
        case .userActivity: break
        }
      }
    }
  }

  @Test("F59: activation conditions are stored with the session and have one grammar")
  func conditions() async throws {
    typealias Predicate = Scene.ActivationConditions.Predicate
    let predicate = Predicate(format: "self=='note/1'||self LIKE 'list/*'")
    #expect(predicate.predicateFormat == #"self == "note/1" OR self LIKE "list/*""#)
    try await withBroker { broker in
      let lines = ConditionMutex<[String]>([])
      let application = try await broker.application(
        "notes", delegates: ["*": { Delegate(lines) }], request: SceneRequest(.named("packing")))
      let scene = try #require(application.connectedScenes.first)
      #expect(scene.activationConditions == Scene.ActivationConditions())
      var conditions = scene.activationConditions
      conditions.prefersToActivateForTargetContentIdentifierPredicate = predicate
      conditions.canActivateForTargetContentIdentifierPredicate = Predicate(value: false)
      scene.activationConditions = conditions
      let other = try await application.connectScene(SceneRequest(.named("other")))
      try await broker.scenectl("route", "list/2")
      let routed = try await application.open(
        .shortcutItem(ApplicationShortcutItem(type: "a")), targetContentIdentifier: "list/2")
      #expect(routed == scene.session.persistentIdentifier)
      var options = Scene.ActivationRequestOptions()
      options.targetContentIdentifier = "note/2"
      #expect(
        try await application.requestSceneSessionActivation(nil, options: options) == other)
      // A process for any class accepts one unrequested scene at a time.
      try await broker.scenectl("discard", "other")
      try await broker.scenectl("background", "packing")
      try await broker.scenectl("reclaim", "packing")
      try await broker.scenectl("activate", "packing")
      #expect(application.connectedScenes.contains { $0.activationConditions == conditions })
    }
  }
}
