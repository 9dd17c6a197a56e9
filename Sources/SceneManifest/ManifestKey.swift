/// The name of a manifest's member: short in JSON, UIKit's in a property list.
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
  // Property lists have no name for these members, because UIKit decides them in the system.
  static let kind = ManifestKey("kind")
  static let reopen = ManifestKey("reopen")
  static let retry = ManifestKey("retry")
  static let launch = ManifestKey("launch")
  static let command = ManifestKey("command")
  static let environment = ManifestKey("environment")
  static let terminal = ManifestKey("terminal")
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
  static let updateEnvironment = ManifestKey("updateEnvironment")
  static let classic = ManifestKey("classic")
  static let bundleName = ManifestKey("bundleName", "CFBundleName")
  static let bundleVersion = ManifestKey("bundleVersion", "CFBundleShortVersionString")

  /// The members of a manifest.
  static let ofManifest = [
    supportsMultipleScenes, configurations, policies, budgets, topics, applicationDelegate, classic,
    updateEnvironment,
  ]
  /// The member of a property list with the manifest. Without it, the application is classic.
  static let sceneManifest = "UIApplicationSceneManifest"
}

/// The vocabulary of a manifest.
enum ManifestDialect {
  case short
  case propertyList

  func name(_ key: ManifestKey) -> String {
    switch self {
    case .short: key.short
    case .propertyList: key.inPropertyList
    }
  }

  /// A property list has many members for other readers, so the reader ignores unknown members.
  var allowsUnknownMembers: Bool { self == .propertyList }
}
