/// A manifest's member. The raw value is its short name, for JSON.
enum ManifestKey: String {
  case supportsMultipleScenes, preferredDefaultRole, configurations
  case name, delegateClass, sceneClass, storyboard
  // Property lists have no name for these members, because UIKit decides them in the system.
  case kind, handles, reopen, retry, restart, launch, command, environment, terminal
  case unresponsive, after, then
  case policies, foreground, reclaim, count, age, pressure, trash, budgets, topics, durable, keep
  case applicationDelegate, updateEnvironment, classic
  case bundleName, bundleVersion

  /// The name in a property list: UIKit's, or else the short name.
  var inPropertyList: String {
    switch self {
    case .supportsMultipleScenes: "UIApplicationSupportsMultipleScenes"
    case .preferredDefaultRole: "UIApplicationPreferredDefaultSceneSessionRole"
    case .configurations: "UISceneConfigurations"
    case .name: "UISceneConfigurationName"
    case .delegateClass: "UISceneDelegateClassName"
    case .sceneClass: "UISceneClassName"
    case .storyboard: "UISceneStoryboardFile"
    case .bundleName: "CFBundleName"
    case .bundleVersion: "CFBundleShortVersionString"
    default: rawValue
    }
  }

  /// The members of a manifest.
  static let ofManifest: [ManifestKey] = [
    .supportsMultipleScenes, .preferredDefaultRole, .configurations, .policies, .budgets, .topics,
    .applicationDelegate, .classic, .updateEnvironment,
  ]
  /// The member of a property list with the manifest. Without it, the application is classic.
  static let sceneManifest = "UIApplicationSceneManifest"
}
