import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Application delegates in real processes, in Swift and in a shell, and an application without
/// one.
struct DelegateProcessTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func daemon(_ participation: String = "optional") throws -> Daemon {
    let manifest = try workplace.write(
      "app.json",
      """
      {"supportsMultipleScenes": true, "applicationDelegate": "\(participation)",
        "configurations": {"windowApplication": [{"name": "Note"}, {"name": "Composer"},
          {"name": "Launched", "launch": ["\(try Programs.path("scene"))"]}]}}
      """)
    return try Daemon(workplace, ["--manifest", manifest])
  }

  @Test(
    "F17, F19, F20, F25: a Swift delegate gets all callbacks, and ends with the application")
  func swift() throws {
    let daemon = try daemon()
    let app = try daemon.start("note-app")
    try app.line(containing: "launched: no URL")
    let scene = try daemon.start("scene", ["packing", "--json"])
    #expect(try app.line(containing: "asked about").hasSuffix("packing: Note"))
    let connect = try scene.line(containing: "willConnect")
    #expect(connect.contains(#""storyboard":"Compose""#), "\(connect)")
    #expect(connect.contains(#""by":"note-app""#), "\(connect)")
    try app.line(containing: "connected: launch")
    let plain = try daemon.start("scene", ["plain", "--json"])
    #expect(try plain.line(containing: "willConnect").contains(#""name":"Note""#))
    let unchosen = try daemon.start("scene", ["unchosen", "--configuration", "Foo", "--json"])
    let missing = try unchosen.line(containing: "willConnect")
    #expect(missing.contains(#""missingConfiguration":"Foo""#), "\(missing)")
    #expect(missing.contains(#""by":"note-app""#), "\(missing)")
    let elsewhere = try daemon.run("scenectl", ["new", "elsewhere"])
    #expect(elsewhere.code == 1 && elsewhere.errors.contains("windowExternalDisplay"))
    try daemon.scenectl("save", "packing", "note", #"{"line": 7}"#)
    try daemon.scenectl("discard", "packing")
    try app.line(containing: "disconnected: discarded")
    try app.line(containing: "discarded packing at line 7")
    try daemon.scenectl("time-change")
    try app.line(containing: "time")
    #expect(try daemon.stop().isSuccess)
    try app.line(containing: "will terminate")
    #expect(try app.reap().isSuccess)
  }

  @Test(
    "F19, F20: a delegate gets callbacks with Xcode's own Info.plist, unless a flag is builtIn",
    arguments: [nil, "optional", "builtIn"])
  func xcode(participation: String?) throws {
    let plist = try Repository.file("Tests/SceneManifestTests/Files/storyboard.plist")
    let flag = participation.map { ["--application-delegate", $0] } ?? []
    let daemon = try Daemon(workplace, ["--manifest", plist] + flag)
    let app = try daemon.start("scenectl", ["delegate"])
    try app.line(containing: "didFinishLaunching")
    let scene = try daemon.scene("packing", "--json")
    defer { withExtendedLifetime(scene) {} }
    try daemon.scenectl("discard", "packing")
    #expect(try daemon.stop().isSuccess)
    let lines = try app.rest()
    let isAsked = participation != "builtIn"
    #expect(lines.contains("configurationForConnecting") == isAsked, "\(lines)")
    #expect(lines.contains("didDiscardSceneSessions") == isAsked, "\(lines)")
  }

  @Test("a delegate reconnects after a kill of the broker, and the broker refuses another one")
  func swiftReturns() throws {
    let first = try daemon()
    let app = try first.start("note-app")
    try app.line(containing: "launched")
    let other = try first.run("note-app", [])
    #expect(other.code != 0)
    #expect(other.errors.contains("note-app \(app.child.pid) is the application delegate"))
    try first.kill()
    let second = try daemon()
    try app.line(containing: "launched")
    #expect(try second.stop().isSuccess)
    #expect(try app.reap().isSuccess)
  }

  @Test("F19: a command is a delegate: it reads the question, and its output is the answer")
  func command() throws {
    let daemon = try daemon()
    let script = #"""
      question=$(cat)
      case $question in
        *'"configurationForConnecting"'*'"name":"bad"'*) exit 3;;
        *'"configurationForConnecting"'*) echo '{"configuration": "Composer"}';;
      esac
      """#
    let app = try daemon.start("scenectl", ["delegate", "--", "bash", "-c", script])
    try app.line(containing: "didFinishLaunching")
    let scene = try daemon.start("scene", ["packing", "--json"])
    #expect(try scene.line(containing: "willConnect").contains(#""name":"Composer""#))
    let bad = try daemon.start("scene", ["bad", "--json"])
    #expect(try bad.line(containing: "willConnect").contains(#""name":"Note""#))
    try app.errorLine(containing: "bash exited with status 3")
  }

  @Test("F19: lines of JSON are a delegate: each question is a line, and each answer is a line")
  func lines() throws {
    let daemon = try daemon()
    let app = try daemon.start("scenectl", ["--json", "delegate"])
    for callback in ["willFinishLaunching", "didFinishLaunching"] {
      let question = try app.line(containing: callback)
      try app.type(#"{"id":\#(Self.number(in: question))}"#)
    }
    let scene = try daemon.start("scene", ["packing", "--json"])
    let question = try app.line(containing: "configurationForConnecting")
    try app.type("nonsense")
    try app.line(containing: #""error""#)
    try app.type(
      #"{"id":\#(Self.number(in: question)),"result":{"configuration":"Composer"}}"#)
    #expect(try scene.line(containing: "willConnect").contains(#""name":"Composer""#))
  }

  @Test(
    "F19: a delegate learns how a launched process ended, in Swift and in a shell",
    arguments: [true, false])
  func exit(inSwift: Bool) throws {
    let daemon = try daemon()
    let app = try inSwift ? daemon.start("note-app") : daemon.start("scenectl", ["delegate"])
    try app.line(containing: inSwift ? "launched" : "didFinishLaunching")
    // The sample's delegate chooses another configuration for every other name.
    try daemon.scenectl("new", "unchosen", "--configuration", "Launched")
    let shown = try daemon.run("scenectl", ["show", "unchosen", "--value", "client.pid"])
    try Signal.kill.send(to: try #require(Int32(shown.output.prefix { $0.isNumber })))
    try app.line(containing: "connectionLost")
    try app.line(containing: inSwift ? #"ended: signalled("KILL")"# : "was terminated by KILL")
    #expect(try daemon.stop().isSuccess)
  }

  private static func number(in question: String) -> String {
    String(question.split(separator: #""id":"#, maxSplits: 1)[1].prefix { $0.isNumber })
  }

  @Test("F21: the next delegate learns of sessions that were discarded while no broker ran")
  func offline() throws {
    let first = try daemon()
    let app = try first.start("scenectl", ["delegate"])
    try app.line(containing: "didFinishLaunching")
    let scene = try first.scene("packing", "--json")
    defer { withExtendedLifetime(scene) {} }
    let served = try first.run(
      "scenectl", ["discard", "--offline", "--state", workplace.state, "packing"])
    #expect(served.code == 75)
    #expect(
      served.errors.contains("scened (process \(first.pid)) uses"), "\(served.errors)")
    #expect(try first.stop().isSuccess)
    try app.line(containing: "willTerminate")
    func discard(_ name: String) throws -> Outcome {
      try RunningProgram.run(
        "scenectl", ["discard", "--offline", "--state", workplace.state, name])
    }
    #expect(try discard("unknown").code == 66)
    #expect(try discard("packing").code == 0)
    #expect(try discard("packing").code == 66)
    let second = try daemon()
    let next = try second.start("scenectl", ["delegate"])
    let report = try next.line(containing: "didDiscardSceneSessions")
    #expect(report.contains("packing ("), "\(report)")
    // A report without an answer is sent again, with the same identifier.
    #expect(try second.scenectl("sessions", "--names") == "")
  }
}
