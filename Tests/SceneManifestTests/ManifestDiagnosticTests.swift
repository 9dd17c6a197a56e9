import SceneManifest
import SceneModel
import Testing

/// All problems of manifests and their messages.
struct ManifestDiagnosticTests {
  private func problems(_ text: String) -> [String] {
    problems(ContiguousArray(text.utf8))
  }

  private func problems(
    _ bytes: ContiguousArray<UInt8>, defining defined: [String: String] = [:]
  ) -> [String] {
    do throws(ManifestError) {
      _ = try ManifestFile.read(
        bytes, named: "app",
        variables: ManifestVariables(defined: defined, application: "notes"))
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  /// The same without lines and columns, for other tests.
  private func unplaced(_ text: String) -> [String] {
    problems(text).map { $0.replacing(#/line \d+, column \d+: /#, with: "") }
  }

  @Test(
    "a manifest whose printed form is too long for a message is rejected",
    arguments: [("x", 100, false), ("x", 150, true), ("\u{1}", 21, false), ("\u{1}", 24, true)])
  func tooLong(character: String, count: Int, isTooLong: Bool) {
    let words = Array(repeating: #""$(X)""#, count: count).joined(separator: ",")
    let found = problems(
      ContiguousArray(
        #"{"configurations": {"windowApplication": [{"name": "A", "launch": [\#(words)]}]}}"#.utf8),
      defining: ["X": String(repeating: character, count: 60_000)])
    let problem =
      "app: the manifest has more than 8000000 bytes with all defaults and the values of "
      + "variables; shorten the values, or divide the application"
    #expect(found == (isTooLong ? [problem] : []))
  }

  @Test("F8: an error lists all diagnostics, each with its file and path")
  func atOnce() {
    let found = problems(
      """
      {"supportsMultipleScenes": "yes",
       "configuration": {},
       "configurations": {
         "windowApplication": [
           {"name": "Note"}, {"name": "Note"}, {"name": ""}, {"delegateClass": "X"}, 5,
           {"name": "$(NOPE) $(", "kind": "grup", "launch": []},
           {"name": "A", "name": "B"}
         ],
         "UIWindowSceneSessionRoleAplication": [], "": [], "r": {}
       },
       "policies": {"foreground": 0, "reclaim": {"count": -1, "age": 0}},
       "budgets": {"didEnterBackgroud": 5, "connect": "5s"},
       "topics": {"t": {"keep": 1.5, "durable": 1}},
       "applicationDelegate": "maybe"}
      """)
    #expect(
      found == [
        "app: line 1, column 28: supportsMultipleScenes: expected true or false, found a string",
        "app: line 2, column 19: configuration: unknown key; expected one of "
          + "supportsMultipleScenes, configurations, policies, budgets, topics, "
          + "applicationDelegate, classic, updateEnvironment, bundleName, bundleVersion; did you mean configurations?",
        "app: line 5, column 33: configurations.windowApplication[1].name: duplicate configuration name "
          + "\"Note\" in this role",
        "app: line 5, column 51: configurations.windowApplication[2].name: must not be empty",
        "app: line 5, column 80: configurations.windowApplication[4]: expected an object, found an integer",
        "app: line 6, column 15: configurations.windowApplication[5].name: $(NOPE) has no value; give it one with "
          + "--define NOPE=VALUE, or in the environment",
        "app: line 6, column 55: configurations.windowApplication[5].launch: must name a program",
        "app: line 7, column 28: configurations.windowApplication[6].name: duplicate key",
        "app: line 9, column 42: configurations.UIWindowSceneSessionRoleAplication: unknown UIKit role; "
          + "expected one of "
          + "UIWindowSceneSessionRoleApplication, UIWindowSceneSessionRoleExternalDisplay, "
          + "UIWindowSceneSessionRoleExternalDisplayNonInteractive, "
          + "UIWindowSceneSessionRoleVolumetricApplication; "
          + "did you mean UIWindowSceneSessionRoleApplication?",
        "app: line 9, column 50: configurations[\"\"]: a role must not be empty",
        "app: line 9, column 59: configurations.r: expected an array of configurations, found an object",
        "app: line 11, column 29: policies.foreground: expected a whole number from 1 to 100000, found 0",
        "app: line 11, column 53: policies.reclaim.count: expected a whole number from 0 to 1000000, found -1",
        "app: line 11, column 64: policies.reclaim.age: expected seconds, from 0.001 to 31536000; found 0.0",
        "app: line 12, column 35: budgets.didEnterBackgroud: unknown callback; expected one of "
          + Budgets.names.joined(separator: ", ") + "; did you mean didEnterBackground?",
        "app: line 12, column 49: budgets.connect: expected a number of seconds, found a string",
        "app: line 13, column 27: topics.t.keep: expected a whole number from 1 to 1000000, found a number",
        "app: line 13, column 43: topics.t.durable: expected true or false, found an integer",
        "app: line 14, column 25: applicationDelegate: unknown value \"maybe\"; expected one of builtIn, optional, required",
      ])
  }

  private static let twice = """
    <?xml version="1.0"?>
    <!-- <array> & so on -->
    <plist version="1.0"><dict>
      <key>A &amp; B</key><array><integer>1</integer><dict/></array>
      <key>UIApplicationSceneManifest</key><dict>
        <key>UISceneConfigurations</key><dict>
          <key>UIWindowSceneSessionRoleApplication</key><array>
            <dict><key>UISceneConfigurationName</key><string>Note</string></dict>
            <dict>
              <key>UISceneConfigurationName</key>
              <string>Note</string>
            </dict>
            <dict><key>UISceneConfigurationName</key><string/></dict>
          </array>
        </dict>
      </dict>
    </dict></plist>
    """

  @Test("F8: in an XML property list a duplicate or empty name has its line and column")
  func placesInXML() {
    let path =
      "UIApplicationSceneManifest.UISceneConfigurations.UIWindowSceneSessionRoleApplication"
    #expect(
      problems(Self.twice) == [
        "app: line 11, column 11: \(path)[1].UISceneConfigurationName: duplicate "
          + "configuration name \"Note\" in this role",
        "app: line 13, column 50: \(path)[2].UISceneConfigurationName: must not be empty",
      ])
  }

  @Test(
    "the foreground limit is a word or a number",
    arguments: [
      (
        #""splt""#,
        #"unknown value "splt"; expected one of split, exclusive or a number; did you mean split?"#
      ),
      ("true", "expected split, exclusive or a number, found a boolean"),
    ])
  func foreground(value: String, problem: String) {
    let found = unplaced(#"{"policies": {"foreground": \#(value)}}"#)
    #expect(found == ["app: policies.foreground: \(problem)"])
  }

  @Test("a classic application has one window")
  func classic() {
    let found = unplaced(#"{"classic": true, "supportsMultipleScenes": true}"#)
    #expect(
      found.count == 1 && found[0].hasPrefix("app: classic: a classic application "), "\(found)")
    #expect(problems(#"{"classic": true}"#) == [])
  }

  @Test("F8: members beside the scene manifest of a property list are warnings")
  func strays() {
    let found = unplaced(
      """
      {"CFBundleName": "notes", "applicationDelegate": "required", "UISceneConfigurations": {},
       "UIApplicationSceneManifest": {
         "polices": {}, "CPSupportsDashboardNavigationScene": true,
         "UISceneConfigurations": {"UIWindowSceneSessionRoleApplication": [
           {"UISceneConfigurationName": "Note", "UISceneStoryboardFil": "Main", "Own": 1}]}}}
      """)
    let inside = "is allowed only inside UIApplicationSceneManifest; move it there"
    #expect(
      found == [
        "app: applicationDelegate: \(inside)",
        "app: UISceneConfigurations: \(inside)",
        "app: UIApplicationSceneManifest.polices: unknown key; "
          + "expected one of UIApplicationSupportsMultipleScenes, UISceneConfigurations, policies, "
          + "budgets, topics, applicationDelegate, classic, updateEnvironment; did you mean policies?",
        "app: UIApplicationSceneManifest.UISceneConfigurations."
          + "UIWindowSceneSessionRoleApplication[0].UISceneStoryboardFil: unknown key; "
          + "expected one of UISceneConfigurationName, UISceneDelegateClassName, "
          + "UISceneClassName, UISceneStoryboardFile, kind, reopen, launch; "
          + "did you mean UISceneStoryboardFile?",
      ])
    #expect(
      unplaced("<plist><dict><key>policies</key><dict/></dict></plist>")
        == ["app: policies: \(inside)"])
  }

  @Test("a file that is no manifest is rejected")
  func nothing() {
    #expect(
      problems("") == [
        "app: the file is empty; a pipe can be read only once"
      ])
    #expect(problems("{\n \"a\": }").first?.hasPrefix("app: line 2, column 7: ") == true)
    #expect(problems("[1]") == ["app: expected an object, found an array"])
    #expect(problems("<plist><array/></plist>") == ["app: expected an object, found an array"])
    #expect(problems("<html>").count == 1)
    #expect(problems("bplist00").count == 1)
  }

  @Test(
    "a wrong property list reports line and column",
    arguments: [
      ("<dict>\n<key>a</key><fals/>\n</dict>", 4, 13, "a property list has no element <fals>"),
      ("<dict>\n<key>a</key>\n</dict>", 5, 1, "the last key before this has no value"),
      (
        "<dict>\n\n  <string>x</string></dict>", 5, 3,
        "expected a <key> before this value, found <string>"
      ),
      ("<dict>\n<key>a</key><array>\n</dict>", 5, 1, "expected </array>, found </dict>"),
      (
        "<dict>\n<key>a</key><string>x\n<true/></string></dict>", 5, 1,
        "expected </string>, found <true>"
      ),
      ("<dict><key>a</key><string>\nx & y</string></dict>", 4, 3, "expected &amp;, found &"),
      ("<dict>\nx</dict>", 4, 1, "expected an element, found text"),
      ("<!-- <dict>\n</dict>", 3, 1, "unclosed comment"),
    ])
  func place(_ body: String, line: Int, column: Int, problem: String) {
    let text = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n\(body)</plist>"
    #expect(
      problems(text)
        == ["app: line \(line), column \(column): invalid property list: \(problem)"])
  }

  @Test("a truncated property list names the open element")
  func cut() {
    #expect(
      problems("<plist>\n<dict>\n  <key>a</key>\n  <array>\n    <string>x</string>\n") == [
        "app: line 4, column 3: invalid property list: <array> is not closed"
      ])
  }

  @Test("a text has a maximum length")
  func longTexts() {
    func name(_ count: Int) -> String {
      #"{"configurations": {"r": [{"name": "\#(String(repeating: "a", count: count))"}]}}"#
    }
    #expect(unplaced(name(256)) == [])
    #expect(
      unplaced(name(257)) == [
        "app: configurations.r[0].name: has 257 bytes; the limit is 256"
      ])
    #expect(
      unplaced(#"{"configurations": {"r": [{"name": "\u0000"}]}}"#) == [
        "app: configurations.r[0].name: must not contain a zero byte"
      ])
  }

  @Test("a launch is a list of words, or an object with a command")
  func launches() {
    func launch(_ value: String) -> [String] {
      unplaced(#"{"configurations": {"r": [{"name": "a", "launch": \#(value)}]}}"#)
    }
    let path = "app: configurations.r[0].launch"
    #expect(launch(#"["a", "b c"]"#) == [])
    #expect(
      launch(#""a b""#) == [
        "\(path): expected an array: the program and its arguments, found a string"
      ])
    #expect(launch(#"{"environment": []}"#) == ["\(path): has no command"])
    #expect(
      launch(#"{"command": ["a"], "terminal": "xterm"}"#) == [
        "\(path).terminal: expected true or false, found a string"
      ])
    #expect(launch(#"["a", 5]"#) == ["\(path)[1]: expected a string, found an integer"])
    func variable(_ name: String) -> [String] {
      launch(#"{"command": ["a"], "environment": ["EDITOR", "MY_*", "\#(name)"]}"#)
    }
    #expect(variable("A") == [])
    for name in ["A=B", "*A", "A*B"] {
      #expect(
        variable(name) == [
          "\(path).environment[2]: must be a variable name, or a prefix with a * after it"
        ])
    }
    #expect(
      variable("SCENE_SOCKET")
        == ["\(path).environment[2]: names that begin with SCENE_ are reserved for the broker"])
  }

  @Test("the variables of a login have names without a prefix, and at most 64")
  func loginVariables() {
    func variables(_ names: [String]) -> [String] {
      let list = names.map { "\"\($0)\"" }.joined(separator: ",")
      return unplaced(#"{"updateEnvironment": [\#(list)]}"#)
    }
    #expect(variables(["DISPLAY", "KRB5CCNAME"]) == [])
    let path = "app: updateEnvironment"
    #expect(
      variables(["A*"]) == ["\(path)[0]: must be the name of a variable; a * is not allowed here"])
    #expect(
      variables((0..<65).map { "A\($0)" }) == ["\(path): has 65 names; the limit is 64"])
  }
}

/// Hostile property lists.
struct HostilePropertyListTests {
  private func problem(_ bytes: ContiguousArray<UInt8>) -> String? {
    do throws(ManifestError) {
      _ = try ManifestFile.read(
        bytes, named: "app", variables: ManifestVariables(application: "notes"))
      return nil
    } catch {
      return error.flaws.first?.problem
    }
  }

  /// A binary property list of these values. The first one is the outermost.
  private func binary(_ values: [[UInt8]]) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray("bplist00".utf8)
    var offsets: [Int] = []
    for value in values {
      offsets.append(bytes.count)
      bytes += value
    }
    let table = bytes.count
    func append(_ number: Int, _ size: Int) {
      for shift in (0..<size).reversed() { bytes.append(UInt8(number >> (8 * shift) & 0xFF)) }
    }
    for offset in offsets { append(offset, 4) }
    append(0, 6)
    append(4, 1)
    append(2, 1)
    append(values.count, 8)
    append(0, 8)
    append(table, 8)
    return bytes
  }

  /// An array of other values.
  private func array(_ values: Int...) -> [UInt8] {
    [0xA0 | UInt8(values.count)] + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  @Test("a property list with a cycle is rejected")
  func cycle() {
    #expect(problem(binary([array(0)]))?.contains("levels deep, or contain themselves") == true)
  }

  @Test("a deep property list is rejected", arguments: [63, 64, 60_000])
  func deep(count: Int) {
    let values = (0..<count).map { array($0 + 1) } + [[0x08]]
    let isTooDeep = problem(binary(values))?.contains("more than 64 levels deep") == true
    #expect(isTooDeep == (count > 63))
    let open = String(repeating: "<array>", count: count)
    let close = String(repeating: "</array>", count: count)
    let text = problem(ContiguousArray("<plist>\(open)\(close)</plist>".utf8))
    #expect((text?.contains("more than 64 levels deep") == true) == (count > 63))
  }

  @Test("a property list with exponential references is rejected")
  func laughter() {
    let values = (0..<12).map { index in
      array(index + 1, index + 1, index + 1, index + 1, index + 1, index + 1, index + 1)
    }
    #expect(problem(binary(values + [[0x08]]))?.contains("more than 100000 values") == true)
  }

  @Test("a changed byte of a property list causes no crash")
  func garbled() throws {
    let whole = binary([[0xD1, 0, 1, 0, 2], [0x51, 0x61], array(3, 4), [0x09], [0x10, 0x05]])
    #expect(problem(whole) == nil)
    for index in whole.indices {
      for value: UInt8 in [0, 1, 0x0F, 0x5F, 0xA1, 0xDF, 0xFF] {
        var bytes = whole
        bytes[index] = value
        _ = problem(bytes)
      }
      _ = problem(ContiguousArray(whole[..<index]))
    }
  }
}
