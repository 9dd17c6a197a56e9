package import SceneJSON

/// A request of the broker to a scene or to the application delegate; the reply is the
/// acknowledgement.
package struct Callback: Sendable {
  package let kind: CallbackKind
  package let message: any CallbackMessage

  package init(_ kind: CallbackKind, _ message: any CallbackMessage) {
    assert(type(of: message) == kind.message, "\(kind) has other parameters")
    self.kind = kind
    self.message = message
  }

  /// A callback that has only a session.
  package init(_ kind: CallbackKind, of session: SessionIdentifier) {
    self.init(kind, SceneReference(session: session))
  }

  package init(kind: CallbackKind, params: JSONValue) throws(MemberError) {
    self.init(kind, try kind.message.init(reading: params))
  }

  /// Nil for an unknown callback.
  package init?(method: JSONValue, params: JSONValue) throws(MemberError) {
    guard let kind = CallbackKind.allCases.first(where: { method.equals($0.method) }) else {
      return nil
    }
    try self.init(kind: kind, params: params)
  }

  package var session: SessionIdentifier { message.session }
}

extension Callback: Equatable {
  package static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.message.equals(other.message)
  }
}

/// The parameters of a callback.
package protocol CallbackMessage: JSONStructure, Equatable, Sendable {
  /// The session of the scene; `none` for a question to the application delegate.
  var session: SessionIdentifier { get }
  /// The reason and the hold that the trace names.
  var tracedReason: String? { get }
  var tracedHold: Int64? { get }
}

extension CallbackMessage {
  package var session: SessionIdentifier { .none }
  package var tracedReason: String? { nil }
  package var tracedHold: Int64? { nil }

  fileprivate func equals(_ other: any CallbackMessage) -> Bool { other as? Self == self }
}

/// The kind of a callback: its name, and the row with its properties.
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
  /// The content of the scene may be out of date.
  case refresh
  /// The broker asks whether the client answers. It can come while another callback runs.
  case ping
  case willFinishLaunching
  case didFinishLaunching
  case configurationForConnecting
  case didDiscardSceneSessions
  case willTerminate

  private var row: Row {
    switch self {
    case .willConnect: Row("scene/willConnect", WillConnect.self, to: .background)
    case .willEnterForeground: Row("scene/willEnterForeground", to: .foregroundInactive)
    case .didBecomeActive: Row("scene/didBecomeActive", to: .foregroundActive)
    case .willResignActive: Row("scene/willResignActive", to: .foregroundInactive)
    case .didEnterBackground: Row("scene/didEnterBackground", to: .background)
    case .stateRestorationActivity: Row("scene/stateRestorationActivity")
    case .didDisconnect: Row("scene/didDisconnect", DidDisconnect.self, to: .unattached)
    case .openURLContexts: Row("scene/openURLContexts", OpenURLContexts.self)
    case .willContinueUserActivity:
      Row("scene/willContinueUserActivity", WillContinueUserActivity.self)
    case .continueUserActivity: Row("scene/continueUserActivity", UserActivityMessage.self)
    case .didUpdateUserActivity: Row("scene/didUpdateUserActivity", UserActivityMessage.self)
    case .performActionForShortcutItem:
      Row("scene/performActionForShortcutItem", PerformActionForShortcutItem.self)
    case .didReceiveNotificationResponse:
      Row("scene/didReceiveNotificationResponse", DidReceiveNotificationResponse.self)
    case .refresh: Row("scene/refresh")
    case .ping: Row("scene/ping")
    case .willFinishLaunching: Row(delegate: "application/willFinishLaunching", Empty.self)
    case .didFinishLaunching:
      Row(delegate: "application/didFinishLaunching", DidFinishLaunching.self)
    case .configurationForConnecting:
      Row(delegate: "application/configurationForConnecting", ConfigurationForConnecting.self)
    case .didDiscardSceneSessions:
      Row(delegate: "application/didDiscardSceneSessions", DidDiscardSceneSessions.self)
    case .willTerminate: Row(delegate: "application/willTerminate", Empty.self)
    }
  }

  package var method: StaticString { row.method }
  /// The structure of the parameters.
  package var message: any CallbackMessage.Type { row.message }
  /// The state of a scene after the callback; nil if the callback does not change the state.
  package var arrival: ActivationState? { row.arrival }
  /// Whether the application delegate gets the callback, and no scene.
  package var isOfDelegate: Bool { row.isOfDelegate }

  package static let ofScenes = allCases.filter { !$0.isOfDelegate }
  package static let ofDelegate = allCases.filter(\.isOfDelegate)
}

private struct Row {
  let method: StaticString
  let message: any CallbackMessage.Type
  let arrival: ActivationState?
  let isOfDelegate: Bool

  init(
    _ method: StaticString, _ message: any CallbackMessage.Type = SceneReference.self,
    to arrival: ActivationState? = nil
  ) {
    (self.method, self.message, self.arrival, isOfDelegate) = (method, message, arrival, false)
  }

  init(delegate method: StaticString, _ message: any CallbackMessage.Type) {
    (self.method, self.message, arrival, isOfDelegate) = (method, message, nil, true)
  }
}
