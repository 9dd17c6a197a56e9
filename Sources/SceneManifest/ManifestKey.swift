/// What a manifest's members are called: short in JSON, and as UIKit calls them in a property list.
struct ManifestKey: Equatable {
  let short: String
  let inPropertyList: String

  private init(_ short: String, _ inPropertyList: String? = nil) {
    self.short = short
    self.inPropertyList = inPropertyList ?? short
  }

  static let supportsMultipleScenes = ManifestKey(
    "supportsMultipleScenes", "UIApplicationSupportsMultipleScenes")
  static let configurations = ManifestKey("configurations", "UISceneConfigurations")
  static let name = ManifestKey("name", "UISceneConfigurationName")
  static let delegateClass = ManifestKey("delegateClass", "UISceneDelegateClassName")
  static let sceneClass = ManifestKey("sceneClass", "UISceneClassName")
  static let storyboard = ManifestKey("storyboard", "UISceneStoryboardFile")
  // What UIKit keeps in the system has no name there.
  static let kind = ManifestKey("kind")
  static let launch = ManifestKey("launch")
  static let command = ManifestKey("command")
  static let environment = ManifestKey("environment")
  static let policies = ManifestKey("policies")
  static let foreground = ManifestKey("foreground")
  static let reclaim = ManifestKey("reclaim")
  static let count = ManifestKey("count")
  static let age = ManifestKey("age")
  static let budgets = ManifestKey("budgets")
  static let topics = ManifestKey("topics")
  static let durable = ManifestKey("durable")
  static let keep = ManifestKey("keep")
  static let applicationDelegate = ManifestKey("applicationDelegate")
  static let classic = ManifestKey("classic")
  static let bundleName = ManifestKey("bundleName", "CFBundleName")
  static let bundleVersion = ManifestKey("bundleVersion", "CFBundleShortVersionString")

  /// What stands in a manifest itself.
  static let ofManifest = [
    supportsMultipleScenes, configurations, policies, budgets, topics, applicationDelegate, classic,
  ]
  /// The members of a short manifest that a property list has beside its scene manifest.
  static let ofBundle = [bundleName, bundleVersion]

  /// Where a property list has its manifest. An application without it is a classic one.
  static let sceneManifest = "UIApplicationSceneManifest"
}

/// In which words a manifest is written.
enum ManifestDialect {
  case short
  case propertyList

  func name(_ key: ManifestKey) -> String {
    switch self {
    case .short: key.short
    case .propertyList: key.inPropertyList
    }
  }

  /// Property lists say much that is not for us; what is hardly anything else than a word of ours is
  /// no such thing.
  var allowsUnknownMembers: Bool { self == .propertyList }
}
