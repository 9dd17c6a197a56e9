import SceneClient
import SceneTesting
import Testing

/// A scene with the delegate of UIKit's spelling, and its broker.
struct SpelledScene: Sendable {
  let broker: TestBroker
  let application: SceneApplication
  let scene: Scene
  let log: CallLog

  init(of broker: TestBroker) async throws {
    let log = CallLog()
    self.broker = broker
    self.log = log
    application = try await broker.application(
      "notes", delegates: ["SceneDelegate": { SpelledSceneDelegate(log) }],
      request: SceneRequest(.named("packing")))
    scene = try #require(application.connectedScenes.first)
  }

  var identifier: String { scene.session.persistentIdentifier }

  /// The session as the broker stores it.
  var stored: SceneSession {
    get async throws { try await application.session(identifier) }
  }
}

/// The test of the counterpart of a name of UIKit. A program that `main` runs is a port instead.
enum UIKitNameCases {
  typealias Case = @Sendable (SpelledScene) async throws -> Void

  static let requests: [String: Case] = [
    "requestSceneSessionActivation(_:userActivity:options:errorHandler:)": { this in
      let activity = UserActivity(activityType: "photo", userInfo: ["number": 7])
      try await this.application.requestSceneSessionActivation(nil, userActivity: activity)
      try await this.broker.wait(for: "application sessions=2")
      #expect(this.application.connectedScenes.count == 2)
    },
    "activateSceneSession(for:errorHandler:)": { this in
      try await this.broker.background("packing")
      try await this.application.requestSceneSessionActivation(this.scene.session)
      try await this.broker.wait(for: "packing foregroundActive")
    },
    "UIScene.ActivationRequestOptions": { this in
      var options = Scene.ActivationRequestOptions()
      options.name = "beach"
      options.requestingScene = this.scene
      try await this.application.requestSceneSessionActivation(nil, options: options)
      try await this.broker.wait(for: "beach foregroundActive")
    },
    "requestSceneSessionRefresh(_:)": { this in
      try await this.application.requestSceneSessionRefresh(this.scene.session)
      try await this.broker.settle()
      let trace = try await this.broker.trace(of: "packing")
      #expect(trace.contains { $0.event == "callback" && $0.callback == "refresh" })
    },
    "requestSceneSessionDestruction(_:options:errorHandler:)": { this in
      try await this.application.requestSceneSessionDestruction(this.scene.session)
      try await this.broker.wait(for: "application sessions=0")
    },
    "UIScene.open(_:options:completionHandler:)": { this in
      let url = try OpenURLContext(url: "note:1")
      #expect(try await this.scene.open(.urls([url])) == this.identifier)
      try await this.broker.settle()
      #expect(this.log.details(of: "scene(_:openURLContexts:)") == ["note:1"])
    },
    "connectedScenes": { this in
      #expect(this.application.connectedScenes == [this.scene])
      try await this.broker.background("packing")
      try await this.broker.reclaim("packing")
      #expect(this.application.connectedScenes.isEmpty)
    },
    "openSessions": { this in
      try await this.broker.scenectl("new", "beach")
      let sessions = try await this.application.openSessions
      #expect(sessions.compactMap(\.name).sorted() == ["beach", "packing"])
      #expect(try await this.application.openSessions(where: ["type": "list"]).isEmpty)
      #expect(try await this.stored.name == "packing")
    },
  ]

  static let objects: [String: Case] = [
    "UIApplication": { this in
      #expect(this.application.phase.current == .active)
      #expect(this.scene.application === this.application)
    },
    "UIScene, UIWindowScene": { this in
      #expect(this.scene.activationState == .foregroundActive)
      let stored = try await this.stored
      #expect(this.scene.session == stored)
    },
    "UIScene.ActivationState": { this in
      try await this.broker.scenectl("interrupt", "packing")
      #expect(this.scene.activationState == .foregroundInactive)
      try await this.broker.background("packing")
      #expect(this.scene.activationState == .background)
      try await this.broker.reclaim("packing")
      #expect(this.scene.activationState == .unattached)
    },
    "UIWindow, rootViewController": { this in
      this.scene.title = "Packing"
      this.scene.subtitle = "3 bags"
      this.scene.snapshot = "bags"
      try await this.broker.wait(for: "packing title=Packing subtitle='3 bags'")
    },
    "UISceneSession": { this in
      let stored = try await this.stored
      #expect(this.scene.session.persistentIdentifier == stored.id)
      #expect(this.scene.session.name == "packing")
    },
    "UISceneSession.Role": { this in
      #expect(this.scene.session.role == .windowApplication)
      let stored = try await this.stored
      #expect(stored.role == .windowApplication)
    },
    "UISceneSession.userInfo": { this in
      this.scene.session.userInfo = ["color": "blue"]
      try await this.broker.wait(for: #"packing userInfo={"color":"blue"}"#)
      try await this.scene.session.setUserInfo(["color": "red"])
      #expect(try await this.stored.userInfo?["color"] as? String == "red")
    },
    "UISceneSession.stateRestorationActivity": { this in
      try await this.scene.save(UserActivity(activityType: "photo", userInfo: ["number": 7]))
      #expect(this.scene.session.stateRestorationActivity?.activityType == "photo")
      #expect(try await this.stored.stateRestorationActivity?.userInfo["number"] == 7)
    },
    #"userInfo["key"] as? String"#: { this in
      try await this.scene.session.setUserInfo(["color": "red", "count": 2])
      let userInfo = try await this.stored.userInfo
      #expect(userInfo?["color"] as? String == "red")
      let count: Int? = userInfo["count"]
      #expect(count == 2)
    },
    "addUserInfoEntries(from:)": { this in
      var activity = UserActivity(activityType: "photo", userInfo: ["number": 7])
      activity.addUserInfoEntries(from: ["place": "beach"])
      try await this.scene.save(activity)
      try await this.broker.expect(
        "packing activity.userInfo.number=7 activity.userInfo.place=beach")
    },
    "UIScene.userActivity": { this in
      this.scene.userActivity = UserActivity(activityType: "photo", userInfo: ["number": 7])
      try await this.broker.wait(for: "packing activity.userInfo.number=7")
    },
    "needsSave, becomeCurrent(), resignCurrent(), requiredUserInfoKeys": { this in
      this.scene.userActivity = UserActivity(activityType: "photo", userInfo: ["number": 7])
      try await this.broker.wait(for: "packing activity.userInfo.number=7")
      this.scene.userActivity = nil
      try await this.broker.wait(for: "packing activity=null")
    },
    "UISceneConfiguration": { this in
      let configuration = this.scene.session.configuration
      let stored = try await this.stored
      #expect(configuration == stored.configuration)
    },
    "UIScene.ConnectionOptions": { this in
      #expect(
        this.log.details(of: "scene(_:willConnectTo:options:)") == ["launch, new"])
    },
    "UIOpenURLContext": { this in
      let url = try OpenURLContext(url: "note:2")
      try await this.application.open(.urls([url]))
      try await this.broker.settle()
      #expect(this.log.details(of: "scene(_:openURLContexts:)") == ["note:2"])
    },
    "NSUserActivity": { this in
      try await this.application.open(.userActivity(UserActivity(activityType: "photo")))
      try await this.broker.settle()
      #expect(this.log.details(of: "scene(_:continue:)") == ["photo"])
    },
    "UISceneActivationConditions": { this in
      var conditions = Scene.ActivationConditions()
      conditions.canActivateForTargetContentIdentifierPredicate =
        Scene.ActivationConditions.Predicate(value: false)
      this.scene.activationConditions = conditions
      let url = try OpenURLContext(url: "note:1")
      let opened = try await this.application.open(.urls([url]), targetContentIdentifier: "note")
      #expect(opened != this.identifier)
    },
    "UIApplicationShortcutItem": { this in
      try await this.application.open(.shortcutItem(ApplicationShortcutItem(type: "compose")))
      try await this.broker.settle()
      #expect(
        this.log.details(of: "windowScene(_:performActionFor:completionHandler:)") == ["compose"])
    },
    "UNNotificationResponse": { this in
      let response = NotificationResponse(actionIdentifier: "reply", userInfo: [:])
      try await this.application.open(.notificationResponse(response))
      try await this.broker.settle()
      #expect(this.log.details(of: "scene(_:didReceive:)") == ["reply"])
    },
  ]
}
