import SceneManifest
import SceneModel
import Testing

/// Property lists with the shapes of real projects. Only invalid XML is an error of such a list.
struct XcodeListTests {
  /// A list, and what the broker makes of it.
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The members of `UIApplicationSceneManifest`, as XML.
    let members: String
    /// The members beside it.
    var others = ""
    /// The roles and their configurations.
    let roles: String
    var warnings: [String] = []
  }

  private static func key(_ name: String, _ value: String) -> String {
    "<key>\(name)</key>\(value)"
  }

  private static func text(_ name: String, _ value: String) -> String {
    key(name, "<string>\(value)</string>")
  }

  private static func roles(_ roles: (String, String)...) -> String {
    let content = roles.map { key($0.0, "<array>\($0.1)</array>") }.joined()
    return key("UISceneConfigurations", "<dict>\(content)</dict>")
  }

  private static func entry(_ name: String, _ more: String = "") -> String {
    "<dict>\(text("UISceneConfigurationName", name))\(more)</dict>"
  }

  private static let window = "UIWindowSceneSessionRoleApplication"
  private static let display = "UIWindowSceneSessionRoleExternalDisplay"

  static let shapes = [
    Shape(
      testDescription: "both names of the external display, with the same entry",
      members: roles(
        (window, entry("Main")), (display, entry("Show")),
        (display + "NonInteractive", entry("Show"))),
      roles: "windowApplication Main; windowExternalDisplay Show"),
    Shape(
      testDescription: "the newer name of the external display has precedence",
      members: roles((display, entry("Old")), (display + "NonInteractive", entry("New"))),
      roles: "windowExternalDisplay New"),
    Shape(
      testDescription: "the same entry twice",
      members: roles((window, entry("Main") + entry("Main"))), roles: "windowApplication Main"),
    Shape(
      testDescription: "two entries with one name",
      members: roles((window, entry("Main") + entry("Main", text("UISceneStoryboardFile", "B")))),
      roles: "windowApplication Main",
      warnings: [
        "duplicate configuration name \"Main\" in this role; the broker ignores this value"
      ]
    ),
    Shape(
      testDescription: "roles of other systems",
      members: roles(
        (window, entry("Main")), ("CPTemplateApplicationSceneSessionRoleApplication", entry("Car")),
        ("UIWindowSceneSessionRoleAssistiveAccessApplication", entry("Assist")),
        ("UISceneSessionRoleImmersiveSpaceApplication", entry("Space")),
        ("UIWindowSceneSessionRoleVolumetricApplication", entry("Volume"))),
      roles: """
        carTemplateApplication Car; immersiveSpaceApplication Space; \
        UIWindowSceneSessionRoleAssistiveAccessApplication Assist; windowApplication Main; \
        windowApplicationVolumetric Volume
        """,
      warnings: ["unknown UIKit role; scenes request it by this name"]),
    Shape(
      testDescription: "a SwiftUI project",
      members: key("UIApplicationSupportsMultipleScenes", "<true/>")
        + key("UISceneConfigurations", "<dict/>"),
      roles: "windowApplication Default Configuration"),
    Shape(
      testDescription: "a preferred role",
      members: text(
        "UIApplicationPreferredDefaultSceneSessionRole",
        "UISceneSessionRoleImmersiveSpaceApplication"),
      roles: "windowApplication Default Configuration; default immersiveSpaceApplication"),
    Shape(
      testDescription: "build settings that Xcode defines",
      members: roles(
        (
          window,
          entry(
            "$(TARGET_NAME)",
            text("UISceneDelegateClassName", "$(PRODUCT_NAME:c99extidentifier).SceneDelegate"))
        )),
      others: text("CFBundleShortVersionString", "$(MARKETING_VERSION)")
        + text("CFBundleVersion", "$(CURRENT_PROJECT_VERSION)")
        + text("CFBundleIdentifier", "$(PRODUCT_BUNDLE_IDENTIFIER)"),
      roles: "windowApplication my notes my_notes.SceneDelegate"),
    Shape(
      testDescription: "a build setting of the project",
      members: roles((window, entry("Main", text("UISceneDelegateClassName", "$(APP).Delegate")))),
      roles: "windowApplication Main",
      warnings: [
        "$(APP) has no value; give it one with --define APP=VALUE or in the environment, or write "
          + "$$(APP) for a literal text; the broker ignores this value"
      ]),
    Shape(
      testDescription: "the text of a shell",
      members: roles((window, entry("Main", text("UISceneDelegateClassName", "$(date +%s)")))),
      roles: "windowApplication Main",
      warnings: [
        "$(date +%s) is not a variable; expected a name, as in $(NAME), or write $$(date +%s) for "
          + "a literal text; the broker ignores this value"
      ]),
    Shape(
      testDescription: "empty texts and a value as a text",
      members: text("UIApplicationSupportsMultipleScenes", "YES")
        + roles((window, entry("Main", text("UISceneClassName", "")))),
      roles: "windowApplication Main",
      warnings: ["must not be empty; the broker ignores this value"]),
    Shape(
      testDescription: "values of a wrong kind",
      members: text("UIApplicationSupportsMultipleScenes", "maybe")
        + text("UISceneConfigurations", "none"),
      roles: "windowApplication Default Configuration",
      warnings: [
        "expected true or false, found a string; the broker ignores this value",
        "expected an object, found a string; the broker ignores this value",
      ]),
    Shape(
      testDescription: "a manifest beside its place, and members of next year",
      members: roles((window, entry("Main", text("UISceneMaterial", "glass")))),
      others: key("UISceneConfigurations", "<dict/>") + text("UILaunchStoryboardName", "Launch"),
      roles: "windowApplication Main",
      warnings: [
        "is allowed only inside UIApplicationSceneManifest; move it there; the broker ignores "
          + "this value"
      ]),
  ]

  @Test("F1, F98: a list that Xcode wrote is valid", arguments: shapes)
  func valid(_ shape: Shape) throws {
    let loaded = try load(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>\(shape.others)<key>UIApplicationSceneManifest</key>
      <dict>\(shape.members)</dict></dict></plist>
      """)
    let manifest = loaded.manifest
    var words = manifest.roles.sorted {
      $0.role.rawValue.lowercased() < $1.role.rawValue.lowercased()
    }
    .map { role in
      let configurations = role.configurations.map { configuration in
        [configuration.name, configuration.delegateClass].compactMap { $0 }.joined(separator: " ")
      }
      return "\(role.role) \(configurations.joined(separator: ", "))"
    }
    if manifest.defaultRole != .windowApplication {
      words.append("default \(manifest.defaultRole)")
    }
    #expect(words.joined(separator: "; ") == shape.roles)
    #expect(loaded.warnings.map(\.problem) == shape.warnings)
  }

  @Test("YES and NO of older lists are Booleans", arguments: [("YES", true), ("NO", false)])
  func olderBooleans(text: String, value: Bool) throws {
    let loaded = try load(
      """
      <plist version="1.0"><dict><key>UIApplicationSceneManifest</key>
      <dict>\(Self.text("UIApplicationSupportsMultipleScenes", text))</dict></dict></plist>
      """)
    #expect(loaded.manifest.supportsMultipleScenes == value)
  }
}
