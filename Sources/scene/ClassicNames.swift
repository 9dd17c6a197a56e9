import SceneClient
import SceneModel

extension CallbackKind {
  /// What an application of before scenes, which has one window, knows it as: a call of its application
  /// delegate.
  var classicName: String {
    switch self {
    case .willConnect: "didFinishLaunchingWithOptions"
    case .willEnterForeground: "applicationWillEnterForeground"
    case .didBecomeActive: "applicationDidBecomeActive"
    case .willResignActive: "applicationWillResignActive"
    case .didEnterBackground: "applicationDidEnterBackground"
    case .didDisconnect: "applicationWillTerminate"
    case .stateRestorationActivity: "willEncodeRestorableState"
    case .openURLContexts: "openURL"
    // These were called alike, or there was nothing like them.
    case .willContinueUserActivity, .continueUserActivity, .didUpdateUserActivity,
      .performActionForShortcutItem, .didReceiveNotificationResponse, .refresh:
      rawValue
    }
  }
}

extension SceneApplication.Notice {
  /// The method of UIKit's application delegate that this notice calls.
  var classicName: String { "application" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
