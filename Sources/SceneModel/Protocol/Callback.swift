package import SceneJSON

/// The kind of a scene's callback.
package enum CallbackKind: String, CaseIterable, Sendable {
  case willConnect
  case willEnterForeground
  case didBecomeActive
  case willResignActive
  case didEnterBackground
  case stateRestorationActivity
  case didDisconnect
  case openURLContexts
  case willContinueUserActivity
  case continueUserActivity
  case didUpdateUserActivity
  case performActionForShortcutItem
  case didReceiveNotificationResponse
  case refresh

  package var method: StaticString {
    switch self {
    case .willConnect: "scene/willConnect"
    case .willEnterForeground: "scene/willEnterForeground"
    case .didBecomeActive: "scene/didBecomeActive"
    case .willResignActive: "scene/willResignActive"
    case .didEnterBackground: "scene/didEnterBackground"
    case .stateRestorationActivity: "scene/stateRestorationActivity"
    case .didDisconnect: "scene/didDisconnect"
    case .openURLContexts: "scene/openURLContexts"
    case .willContinueUserActivity: "scene/willContinueUserActivity"
    case .continueUserActivity: "scene/continueUserActivity"
    case .didUpdateUserActivity: "scene/didUpdateUserActivity"
    case .performActionForShortcutItem: "scene/performActionForShortcutItem"
    case .didReceiveNotificationResponse: "scene/didReceiveNotificationResponse"
    case .refresh: "scene/refresh"
    }
  }

  /// The state of a scene after the callback; nil if the callback does not change the state.
  package var arrival: ActivationState? {
    switch self {
    case .willConnect, .didEnterBackground: .background
    case .willEnterForeground, .willResignActive: .foregroundInactive
    case .didBecomeActive: .foregroundActive
    case .didDisconnect: .unattached
    case .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      nil
    }
  }
}

/// A request of the broker to a scene; the reply is the acknowledgement.
package enum Callback: Equatable, Sendable {
  case willConnect(WillConnect)
  case willEnterForeground(SceneReference)
  case didBecomeActive(SceneReference)
  case willResignActive(SceneReference)
  case didEnterBackground(SceneReference)
  /// The reply carries the activity.
  case stateRestorationActivity(SceneReference)
  case didDisconnect(DidDisconnect)
  case openURLContexts(OpenURLContexts)
  case willContinueUserActivity(WillContinueUserActivity)
  case continueUserActivity(ContinueUserActivity)
  case didUpdateUserActivity(DidUpdateUserActivity)
  case performActionForShortcutItem(PerformActionForShortcutItem)
  case didReceiveNotificationResponse(DidReceiveNotificationResponse)
  /// The content of the scene may be out of date.
  case refresh(SceneReference)

  package var kind: CallbackKind {
    switch self {
    case .willConnect: .willConnect
    case .willEnterForeground: .willEnterForeground
    case .didBecomeActive: .didBecomeActive
    case .willResignActive: .willResignActive
    case .didEnterBackground: .didEnterBackground
    case .stateRestorationActivity: .stateRestorationActivity
    case .didDisconnect: .didDisconnect
    case .openURLContexts: .openURLContexts
    case .willContinueUserActivity: .willContinueUserActivity
    case .continueUserActivity: .continueUserActivity
    case .didUpdateUserActivity: .didUpdateUserActivity
    case .performActionForShortcutItem: .performActionForShortcutItem
    case .didReceiveNotificationResponse: .didReceiveNotificationResponse
    case .refresh: .refresh
    }
  }

  package var session: SessionIdentifier {
    switch self {
    case .willConnect(let message): message.session
    case .willEnterForeground(let message), .didBecomeActive(let message),
      .willResignActive(let message), .didEnterBackground(let message),
      .stateRestorationActivity(let message), .refresh(let message):
      message.session
    case .didDisconnect(let message): message.session
    case .openURLContexts(let message): message.session
    case .willContinueUserActivity(let message): message.session
    case .continueUserActivity(let message): message.session
    case .didUpdateUserActivity(let message): message.session
    case .performActionForShortcutItem(let message): message.session
    case .didReceiveNotificationResponse(let message): message.session
    }
  }

  package func writeParams(to writer: inout JSONWriter) {
    switch self {
    case .willConnect(let message): message.write(to: &writer)
    case .willEnterForeground(let message), .didBecomeActive(let message),
      .willResignActive(let message), .didEnterBackground(let message),
      .stateRestorationActivity(let message), .refresh(let message):
      message.write(to: &writer)
    case .didDisconnect(let message): message.write(to: &writer)
    case .openURLContexts(let message): message.write(to: &writer)
    case .willContinueUserActivity(let message): message.write(to: &writer)
    case .continueUserActivity(let message): message.write(to: &writer)
    case .didUpdateUserActivity(let message): message.write(to: &writer)
    case .performActionForShortcutItem(let message): message.write(to: &writer)
    case .didReceiveNotificationResponse(let message): message.write(to: &writer)
    }
  }

  /// Nil for an unknown callback.
  package init?(method: JSONValue, params: JSONValue) throws(MemberError) {
    guard let kind = CallbackKind.allCases.first(where: { method.equals($0.method) }) else {
      return nil
    }
    try self.init(kind: kind, params: params)
  }

  package init(kind: CallbackKind, params: JSONValue) throws(MemberError) {
    switch kind {
    case .willConnect: self = .willConnect(try WillConnect(reading: params))
    case .willEnterForeground: self = .willEnterForeground(try SceneReference(reading: params))
    case .didBecomeActive: self = .didBecomeActive(try SceneReference(reading: params))
    case .willResignActive: self = .willResignActive(try SceneReference(reading: params))
    case .didEnterBackground: self = .didEnterBackground(try SceneReference(reading: params))
    case .stateRestorationActivity:
      self = .stateRestorationActivity(try SceneReference(reading: params))
    case .didDisconnect: self = .didDisconnect(try DidDisconnect(reading: params))
    case .openURLContexts: self = .openURLContexts(try OpenURLContexts(reading: params))
    case .willContinueUserActivity:
      self = .willContinueUserActivity(try WillContinueUserActivity(reading: params))
    case .continueUserActivity:
      self = .continueUserActivity(try ContinueUserActivity(reading: params))
    case .didUpdateUserActivity:
      self = .didUpdateUserActivity(try DidUpdateUserActivity(reading: params))
    case .performActionForShortcutItem:
      self = .performActionForShortcutItem(try PerformActionForShortcutItem(reading: params))
    case .didReceiveNotificationResponse:
      self = .didReceiveNotificationResponse(try DidReceiveNotificationResponse(reading: params))
    case .refresh: self = .refresh(try SceneReference(reading: params))
    }
  }
}
