import SceneJSON
import SceneManifest
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Reads a text as a manifest of the application "notes".
func read(_ text: String, defined: [String: String] = [:]) throws -> Manifest {
  try load(text, defined: defined).manifest
}

func load(_ text: String, defined: [String: String] = [:]) throws -> LoadedManifest {
  try ManifestFile.read(
    ContiguousArray(text.utf8), named: "app", variables: variables(defined: defined))
}

private func variables(defined: [String: String] = [:]) -> ManifestVariables {
  ManifestVariables(
    defined: defined, environment: ["DIR": "/from/environment"], application: "my notes")
}

private func readFile(_ name: String, defined: [String: String] = [:]) throws -> Manifest {
  let path = try Repository.file("Tests/SceneManifestTests/Files/\(name)")
  return try ManifestFile.read(
    File.read(path, limit: ManifestFile.byteLimit), named: name,
    variables: variables(defined: defined)
  ).manifest
}

struct ManifestFileTests {
  @Test("F1, F98: the property list of a new Xcode project is a valid manifest")
  func storyboard() throws {
    let expected = Manifest(roles: [
      RoleConfigurations(
        role: .windowApplication,
        configurations: [
          SceneConfiguration(
            name: "Default Configuration", delegateClass: "my_notes.SceneDelegate",
            storyboard: "Main")
        ])
    ])
    #expect(try readFile("storyboard.plist") == expected)
    let defined = try readFile("storyboard.plist", defined: ["PRODUCT_MODULE_NAME": "Notes"])
    #expect(defined.roles[0].configurations[0].delegateClass == "Notes.SceneDelegate")
  }

  @Test("F12: a property list without configurations has the default one")
  func generated() throws {
    #expect(
      try readFile("generated.plist") == Manifest(supportsMultipleScenes: true, roles: [.standard]))
  }

  @Test("F2: a property list without a scene manifest declares a classic application")
  func classic() throws {
    var expected = Manifest.classic
    expected.bundleName = "my notes"
    #expect(try readFile("classic.plist") == expected)
  }

  @Test(
    "F5, F7: a manifest declares roles and their configurations",
    arguments: ["plist", "binary.plist"])
  func twoRoles(ending: String) throws {
    let manifest = try readFile("two-roles.\(ending)")
    #expect(manifest.supportsMultipleScenes)
    #expect(
      manifest.configurations(for: .windowApplication) == [
        SceneConfiguration(name: "Note", delegateClass: "my_notes.NoteDelegate"),
        SceneConfiguration(
          name: "List", delegateClass: "my_notes.ListDelegate", sceneClass: "UIWindowScene",
          kind: .window),
      ])
    #expect(
      manifest.configurations(for: .windowExternalDisplay)
        == [SceneConfiguration(name: "Presentation")])
    #expect(
      manifest.policies
        == Policies(
          foreground: .atMost(2),
          reclaim: ReclaimPolicy(count: 4, age: .milliseconds(90_500))))
  }

  @Test("a time in the trash of 0 means no trash")
  func noTrash() throws {
    let manifest = try read(#"{"policies": {"trash": 0}}"#)
    #expect(manifest.policies.trash == .seconds(0))
  }

  @Test("a JSON manifest has the members that only a broker uses")
  func json() throws {
    let manifest = try readFile("notes.json", defined: ["PRODUCT_MODULE_NAME": "Notes"])
    var budgets = Budgets(connect: .seconds(10), standard: .milliseconds(2500))
    budgets.special = ["didEnterBackground": .seconds(8)]
    let expected = Manifest(
      supportsMultipleScenes: true,
      roles: [
        RoleConfigurations(
          role: .windowApplication,
          configurations: [
            SceneConfiguration(
              name: "Note", delegateClass: "Notes.NoteDelegate", storyboard: "Main"),
            SceneConfiguration(name: "List", kind: .window, retry: 90),
            SceneConfiguration(name: "Settings", kind: .settings),
          ],
          launches: [
            "List": LaunchCommand(words: ["notes", "--list", "/from/environment/list"]),
            "Settings": LaunchCommand(
              words: ["notes", "--settings"], environment: ["PATH"], hasTerminal: true),
          ]),
        RoleConfigurations(
          role: .windowExternalDisplay,
          configurations: [SceneConfiguration(name: "Presentation", sceneClass: "UIWindowScene")]),
        RoleConfigurations(role: Role(rawValue: "com.example.clock"), configurations: []),
      ],
      budgets: budgets,
      policies: Policies(
        foreground: .exclusive,
        reclaim: ReclaimPolicy(count: 4, age: .milliseconds(90_500), pressure: true)),
      topics: [
        "NewMessage": TopicDeclaration(isDurable: true, keep: 50), "typing": TopicDeclaration(),
      ],
      applicationDelegate: .optional)
    #expect(manifest == expected)
  }

  @Test("a written manifest is read as the same manifest")
  func roundTrip() throws {
    for manifest in [
      try readFile("notes.json"), try readFile("two-roles.plist"), .builtIn, .classic,
      try read(#"{"updateEnvironment": ["DISPLAY"]}"#),
      try read(
        """
        {"preferredDefaultRole": "immersiveSpaceApplication", "configurations": {"r": [
          {"name": "A", "handles": ["self = 'a'"], "reopen": false}]}}
        """),
    ] {
      var writer = JSONWriter()
      manifest.write(to: &writer)
      let text = String(decoding: writer.bytes, as: UTF8.self)
      #expect(try read(text) == manifest, "\(text)")
    }
  }

  @Test("missing members have UIKit's defaults")
  func defaults() throws {
    #expect(try read("{}") == Manifest(roles: [.standard]))
    #expect(try read(#"{"configurations": {}}"#) == Manifest(roles: []))
    #expect(
      try read(#"{"UIApplicationSceneManifest": {}}"#) == Manifest(roles: [.standard]))
  }

  @Test("F19: a connected application delegate is asked unless the manifest says otherwise")
  func delegateByDefault() throws {
    #expect(Manifest.builtIn.applicationDelegate == .optional)
    #expect(try read("{}").applicationDelegate == .optional)
    #expect(try readFile("storyboard.plist").applicationDelegate == .optional)
    #expect(try read(#"{"applicationDelegate": "builtIn"}"#).applicationDelegate == .builtIn)
  }

  @Test("F8: configurations without a name get unique ones by role and position, with a warning")
  func unnamed() throws {
    let loaded = try load(
      """
      {"UIApplicationSceneManifest": {"UISceneConfigurations": {
        "UIWindowSceneSessionRoleApplication": [
          {"UISceneConfigurationName": "windowExternalDisplay-1"}],
        "UIWindowSceneSessionRoleExternalDisplayNonInteractive": [
          {"launch": ["a"]}, {"launch": ["b"]}, {"UISceneClassName": "C"}]}}}
      """)
    let role = try #require(loaded.manifest.roles.first { $0.role == .windowExternalDisplay })
    #expect(
      role.configurations.map(\.name) == [
        "windowExternalDisplay-1-2", "windowExternalDisplay-2", "windowExternalDisplay-3",
      ])
    #expect(role.launches["windowExternalDisplay-1-2"]?.words == ["a"])
    #expect(role.launches["windowExternalDisplay-2"]?.words == ["b"])
    #expect(loaded.warnings.count == 3)
    #expect(
      loaded.warnings.last?.line
        == "line 5, column 43: UIApplicationSceneManifest.UISceneConfigurations."
        + "UIWindowSceneSessionRoleExternalDisplayNonInteractive[2]: has no "
        + "UISceneConfigurationName, so the broker names it \"windowExternalDisplay-3\"; give it "
        + "a UISceneConfigurationName")
  }

  @Test("F100: an unknown kind is read as group, with a warning")
  func unknownKind() throws {
    let loaded = try load(#"{"configurations": {"r": [{"name": "A", "kind": "grup"}]}}"#)
    #expect(loaded.manifest.roles[0].configurations == [SceneConfiguration(name: "A")])
    #expect(
      loaded.warnings.map(\.line) == [
        "line 1, column 49: configurations.r[0].kind: unknown value \"grup\"; expected one of group, window, settings; "
          + "the broker uses group; did you mean group?"
      ])
  }

  @Test("a configuration has pings only if it names them, by default after 30 s and for a report")
  func unresponsive() throws {
    func policy(_ member: String) throws -> UnresponsivePolicy? {
      try read(#"{"configurations": {"r": [{"name": "A"\#(member)}]}}"#)
        .unresponsive("A", for: Role(rawValue: "r"))
    }
    #expect(try policy("") == nil)
    #expect(
      try policy(#", "unresponsive": {}"#)
        == UnresponsivePolicy(after: .seconds(30), then: .report))
    #expect(
      try policy(#", "unresponsive": {"after": 5, "then": "disconnect"}"#)
        == UnresponsivePolicy(after: .seconds(5), then: .disconnect))
    #expect(try read(#"{"budgets": {"ping": 2}}"#).budgets.ping == .seconds(2))
  }

  @Test("the time of a retry is a text with a unit or a number of seconds, up to an hour")
  func retry() throws {
    func text(_ time: String) -> String {
      #"{"configurations": {"r": [{"name": "A", "reopen": {"retry": \#(time)}}]}}"#
    }
    #expect(try read(text("0.5")) == read(text(#""500ms""#)))
    for time in ["\"0\"", "\"2h\"", "\"soon\"", "3601"] {
      let error = #expect(throws: ManifestError.self) { try read(text(time)) }
      #expect(
        "\(try #require(error))".contains(
          "r[0].reopen.retry: expected a time such as \"5s\", or 0.001 to 3600 seconds"))
    }
  }

  @Test("the bundle's name and version describe the application")
  func bundle() throws {
    let manifest = try read(
      """
      <plist><dict><key>CFBundleName</key><string>${PRODUCT_NAME}</string>
      <key>CFBundleShortVersionString</key><string>1.2</string></dict></plist>
      """)
    #expect(manifest.bundleName == "my notes" && manifest.bundleVersion == "1.2")
    #expect(try read(#"{"bundleName": "A", "bundleVersion": "2"}"#).bundleVersion == "2")
    let built = try load(
      """
      {"UIApplicationSceneManifest": {}, "CFBundleShortVersionString": "$(MARKETING_VERSION)"}
      """)
    #expect(built.manifest.bundleVersion == nil && built.warnings.isEmpty)
    let loaded = try load(
      """
      {"UIApplicationSceneManifest": {}, "CFBundleName": "$(NOPE)",
       "CFBundleShortVersionString": 3}
      """)
    #expect(loaded.manifest.bundleName == nil && loaded.manifest.bundleVersion == nil)
    #expect(
      loaded.warnings.map(\.line) == [
        "line 1, column 52: CFBundleName: $(NOPE) has no value; give it one with --define "
          + "NOPE=VALUE or in the environment, or write $$(NOPE) for a literal text; the broker "
          + "ignores this value",
        "line 2, column 32: CFBundleShortVersionString: expected a string, found an integer; the "
          + "broker ignores this value",
      ])
  }

  @Test("F98: only a property list has variables in braces, and not in the words of a launch")
  func braces() throws {
    let listed = try read(
      """
      {"UIApplicationSceneManifest": {"UISceneConfigurations": {"r": [
        {"UISceneConfigurationName": "${DIR}:$(DIR)"}]}}}
      """)
    #expect(listed.roles[0].configurations[0].name == "/from/environment:/from/environment")
    let role = try read(
      #"{"configurations": {"r": [{"name": "${DIR}:$(DIR)", "launch": ["sh", "${X}$(DIR)"]}]}}"#
    ).roles[0]
    #expect(role.configurations[0].name == "${DIR}:/from/environment")
    #expect(role.launches.values.first?.words == ["sh", "${X}/from/environment"])
  }

  @Test("two dollars keep a parenthesis, and other dollars stay")
  func escapedVariables() throws {
    let role = try read(
      #"{"configurations": {"r": [{"name": "A", "launch": ["$$(x)$(DIR)", "$$((1+1)) $$ $$$(DIR)"]}]}}"#
    ).roles[0]
    #expect(
      role.launches["A"]?.words == ["$(x)/from/environment", "$((1+1)) $$ $$(DIR)"])
  }

  @Test("a launch that keeps its program is a warning")
  func keptLaunch() throws {
    for words in [#""/bin/scene", "--keep", "--", "a""#, #""scene", "--on-hangup=keep", "a""#] {
      let loaded = try load(
        #"{"configurations": {"r": [{"name": "A", "launch": [\#(words)]}]}}"#)
      #expect(loaded.warnings.map(\.problem).contains { $0.contains("omit --keep") })
    }
    let plain = try load(
      #"{"configurations": {"r": [{"name": "A", "launch": ["scene", "--", "x", "--keep"]}]}}"#)
    #expect(plain.warnings.isEmpty)
  }

  @Test("a configuration names the content that it handles, and whether it comes back")
  func policies() throws {
    let role = try read(
      """
      {"configurations": {"r": [
        {"name": "A", "handles": ["self BEGINSWITH 'a:'", "self == 'b'"], "reopen": false},
        {"name": "B", "reopen": true}]}}
      """
    ).roles[0]
    #expect(role.policies["A"]?.handles.map { $0.matches("a:1") } == [true, false])
    #expect(role.policies["A"]?.reopens == false && role.policies["B"] == nil)
    let error = #expect(throws: ManifestError.self) {
      try read(#"{"configurations": {"r": [{"name": "A", "handles": ["self"], "reopen": 1}]}}"#)
    }
    #expect(
      "\(try #require(error))" == """
        app: line 1, column 53: configurations.r[0].handles[0]: at character 5: expected ==, !=, \
        BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES or IN, found the end
        app: line 1, column 72: configurations.r[0].reopen: expected true, false or an object, \
        found an integer
        """)
  }

  @Test("a defined variable overrides the environment")
  func variableOrder() throws {
    let text = #"{"configurations": {"r": [{"name": "a$(DIR)b$(DIR)$"}]}}"#
    #expect(
      try read(text).roles[0].configurations[0].name == "a/from/environmentb/from/environment$")
    #expect(
      try read(text, defined: ["DIR": "$(X)"]).roles[0].configurations[0].name == "a$(X)b$(X)$")
  }

  @Test("the manifest on the manual page is valid, and the table names every property-list key")
  func manualPage() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Manifest.md")
    let shown = try #require(page.split(separator: "```").first { $0.hasPrefix("json\n{") })
    let manifest = try read(String(shown.dropFirst(5)))
    #expect(manifest.configurations(for: .windowApplication).map(\.name) == ["Note", "Settings"])
    #expect(manifest.policies.foreground == .exclusive)
    for name in [
      "UIApplicationSupportsMultipleScenes", "UISceneConfigurations", "UISceneConfigurationName",
      "UISceneDelegateClassName", "UISceneClassName", "UISceneStoryboardFile",
    ] {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
  }
}
