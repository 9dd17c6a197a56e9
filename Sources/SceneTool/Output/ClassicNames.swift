import SceneClient
import SceneModel

extension CallbackKind {
  /// The name of the callback in a classic application with one window: a method of the application
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
    // The others have the same name, or no classic counterpart.
    default: rawValue
    }
  }
}

extension SceneApplication.Notice {
  /// The method of UIKit's application delegate that this notice calls.
  var classicName: String { "application" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
