import ScenePlatform
import SceneTestSupport
import Testing

/// Manifest files of `scened`.
struct ManifestTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func write(_ text: String, to name: String = "app.json") throws -> String {
    let path = workplace.file(name)
    try File.write(text.utf8, to: path)
    return path
  }

  private func scened(_ options: [String]) throws -> Outcome {
    try RunningProgram.run("scened", options)
  }

  private static let two = """
    {"supportsMultipleScenes": true, "configurations": {"windowApplication":
      [{"name": "Note", "storyboard": "Main"}, {"name": "List", "kind": "window"}]}}
    """

  @Test("F1: scened and scenectl check the manifest, and report all errors at once")
  func check() throws {
    let good = try write(Self.two)
    let told = "\(good): windowApplication has Note, List; no problems found\n"
    #expect(try scened(["--check", "--manifest", good]).output == told)
    #expect(try RunningProgram.run("scenectl", ["manifest", "check", good]).output == told)
    let bad = try write(#"{"topics": 5, "policies": {"foregroud": 1}}"#, to: "bad.json")
    for (name, outcome) in [
      ("scened: error", try scened(["--check", "--manifest", bad])),
      ("scened: error", try scened(["--manifest", bad])),
      ("scenectl", try RunningProgram.run("scenectl", ["manifest", "check", bad])),
      ("scenectl", try RunningProgram.run("scenectl", ["manifest", "show", bad])),
    ] {
      #expect(outcome.code == 78)
      #expect(outcome.output == "")
      #expect(
        outcome.errors == """
          \(name): \(bad): line 1, column 12: topics: expected an object, found an integer
          \(name): \(bad): line 1, column 41: policies.foregroud: unknown key; expected one of \
          foreground, reclaim, trash; did you mean foreground?

          """)
    }
  }

  @Test("manifest show refuses --define without a file")
  func defineWithoutFile() throws {
    let outcome = try RunningProgram.run(
      "scenectl", ["-S", workplace.socket, "manifest", "show", "--define", "A=b"])
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("scenectl manifest show: --define needs FILE; "),
      "\(outcome.errors)")
  }

  @Test(
    "a missing program is a warning, also with other output; - is standard input")
  func warning() throws {
    let path = try write(
      """
      {"configurations": {"windowApplication": [{"name": "Note", "launch": ["no-such-program"]}]}}
      """)
    let warning = "warning: the launch command of Note: cannot start no-such-program"
    let checked = try scened(["--check", "--manifest", path])
    #expect(checked.code == 0)
    #expect(checked.output.contains("\(path): \(warning)"), "\(checked.output)")
    #expect(!checked.output.contains("no problems found"))
    let printed = try scened(["--check", "--print", "--manifest", path])
    #expect(printed.code == 0)
    #expect(printed.errors.contains("\(path): \(warning)"), "\(printed.errors)")
    let scenectl = try Programs.path("scenectl").shellWord
    let piped = try RunningProgram.run(
      "/bin/sh", ["-c", "\(scenectl) manifest check - <\(path.shellWord)"])
    #expect(piped.code == 0)
    #expect(piped.output.contains(": \(warning)"), "\(piped.output) \(piped.errors)")
  }

  @Test("F98: a variable without a value in an Info.plist is an error")
  func variables() throws {
    let plist = try Repository.file("Tests/SceneManifestTests/Files/storyboard.plist")
    let shown = try RunningProgram.run(
      "scenectl", ["manifest", "show", plist, "--define", "PRODUCT_MODULE_NAME=Notes"])
    #expect(shown.output.contains(#""delegateClass":"Notes.SceneDelegate""#), "\(shown.errors)")
    let other = try write(#"{"configurations": {"r": [{"name": "$(MISSING)"}]}}"#)
    let outcome = try scened(["--check", "--manifest", other])
    #expect(outcome.errors.contains("configurations.r[0].name: $(MISSING) has no value"))
    #expect(try scened(["--check", "--define", "A=B"]).code == 2)
    #expect(try scened(["--check", "--manifest", other, "--define", "AB"]).code == 2)
  }

  @Test("a bundle's name and version are shown, and change neither the socket nor the state")
  func bundle() throws {
    let path = try write(
      """
      <plist version="1.0"><dict><key>CFBundleName</key><string>Notes</string>
      <key>CFBundleShortVersionString</key><string>1.2</string></dict></plist>
      """, to: "Info.plist")
    let home = ["HOME": workplace.path, "SCENE_SOCKET": "", "XDG_RUNTIME_DIR": ""]
    for (options, shown) in [([], "default (Notes 1.2)"), (["-a", "mail"], "mail (1.2)")] {
      let words = options + ["--manifest", path, "--", try Programs.path("scenectl"), "status"]
      let status = try RunningProgram.run("scened", words, environment: home)
      #expect(status.output.hasPrefix("application \(shown): "), "\(status.output)\(status.errors)")
    }
    let daemon = try Daemon(workplace, ["--manifest", path])
    let status = try daemon.run("scenectl", ["-a", "default", "--json", "status"])
    #expect(status.output.contains(#""name":"default""#), "\(status.output)\(status.errors)")
    #expect(status.output.contains(#""bundleName":"Notes","bundleVersion":"1.2""#))
    #expect(try daemon.stop().isSuccess)
  }

  @Test("a missing file, or a file that is no manifest, is an error")
  func missing() throws {
    let outcome = try scened(["--check", "--manifest", workplace.file("none")])
    #expect(outcome.code == 78)
    #expect(outcome.errors.hasSuffix("none: cannot read the file: No such file or directory\n"))
    #expect(try scened(["--check", "--manifest", "/tmp"]).code == 78)
    let check = ["manifest", "check", workplace.file("none")]
    #expect(try RunningProgram.run("scenectl", check).code == 66)
    let printing = try scened(["--print"])
    #expect(printing.code == 2)
    #expect(printing.errors.contains("--print needs --check; add --check, or remove --print"))
    #expect(try scened(["--check"]).output.hasPrefix("the built-in manifest: "))
  }

  @Test("F4, F5, F10: clients get the configurations of the manifest")
  func serving() throws {
    let daemon = try Daemon(workplace, ["--manifest", try write(Self.two)])
    let note = try daemon.start("scene", ["packing", "--json"])
    let connect = try note.line(containing: "willConnect")
    #expect(connect.contains(#""storyboard":"Main""#), "\(connect)")
    let list = try daemon.scene("list", "--configuration", "List", "--json")
    defer { withExtendedLifetime(list) {} }
    let second = try daemon.run("scene", ["again", "--configuration", "List"])
    #expect(second.code != 0)
    #expect(
      second.errors.contains("List has the kind window and allows one session"), "\(second.errors)")
    let shown = try daemon.run("scenectl", ["manifest", "show"])
    #expect(shown.output.contains(#""name":"List""#))
    #expect(try daemon.stop().isSuccess)
  }

  @Test("SIGHUP and scenectl reload the manifest, and no scene is lost")
  func reload() throws {
    let path = try write(Self.two)
    let daemon = try Daemon(workplace, ["--manifest", path])
    let scene = try daemon.scene("packing", "--json")
    defer { withExtendedLifetime(scene) {} }
    _ = try write(#"{"supportsMultipleScenes": true}"#)
    try daemon.program.send(.hangup)
    try daemon.program.errorLine(containing: "read the manifest again")
    #expect(try daemon.scenectl("manifest", "show").contains(#""name":"Default Configuration""#))
    _ = try write(
      #"{"configurations": {"windowApplication": [{"name": "Note", "launch": ["no-such"]}]}}"#)
    try daemon.scenectl("manifest", "reload")
    try daemon.program.errorLine(containing: "the launch command of Note: cannot start no-such")
    _ = try write("{")
    let refused = try daemon.run("scenectl", ["manifest", "reload"])
    #expect(refused.code == 1)
    #expect(refused.errors.contains("\(path): line 1, column 2: "), "\(refused.errors)")
    _ = try write(#"{"topics": 5, "policies": {"foregroud": 1}}"#)
    let checked = try daemon.run("scenectl", ["manifest", "check", path])
    for words in [["manifest", "reload"], ["call", "broker/reload"]] {
      #expect(try daemon.run("scenectl", words).errors == checked.errors)
    }
    _ = try write(Self.two)
    try daemon.scenectl("manifest", "reload")
    #expect(try daemon.scenectl("manifest", "show").contains(#""name":"List""#))
    try daemon.scenectl("is", "packing", "foregroundActive")
    #expect(try daemon.stop().isSuccess)
  }

  @Test("a reload does not wait for a pipe that replaced the file, and does not read a pipe again")
  func pipe() throws {
    let path = try write(Self.two)
    let daemon = try Daemon(workplace, ["--manifest", path])
    let swap = "rm \(path.shellWord) && mkfifo \(path.shellWord)"
    #expect(try RunningProgram.run("/bin/sh", ["-c", swap]).code == 0)
    let refused = try daemon.run("scenectl", ["manifest", "reload"])
    #expect(refused.code == 1)
    #expect(
      refused.errors.contains("\(path): cannot read a pipe again; use a regular file"),
      "\(refused.errors)")
    #expect(try daemon.scenectl("manifest", "show").contains(#""name":"List""#))
    #expect(try daemon.stop().isSuccess)
  }
}
