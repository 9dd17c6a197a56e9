import SceneClient
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// Programs that are spelled as with UIKit and SwiftUI, each with a broker.
@Suite("Programs in UIKit's spelling")
struct PortTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  /// A manifest whose windows have the delegate class `SceneDelegate`.
  private func manifest() throws -> [String] {
    let manifest = """
      {"supportsMultipleScenes": true, "configurations": {"windowApplication": [
        {"name": "Default Configuration", "delegateClass": "SceneDelegate"}]}}
      """
    return ["--manifest", try workplace.write("windows.json", manifest)]
  }

  /// The identifier of the only session, which the program made without a name.
  private func onlySession(of broker: TestBroker) async throws -> String {
    try await broker.wait(for: "application sessions=1")
    let names = try await broker.scenectl("sessions", "--names")
    return try #require(names.split(separator: "\n").first.map(String.init))
  }

  @Test("the scene delegate of Xcode's template follows the life cycle of its scene")
  func template() async throws {
    try await withBroker { broker in
      let program = try await broker.launch("ScenePortTemplate")
      let beginning = ["show the stopwatch", "draw the dial", "start the hands"]
      #expect(try await program.lines(upTo: "start") == beginning)
      let session = try await onlySession(of: broker)
      try await broker.expect("\(session) foregroundActive title=Stopwatch")
      try await broker.scenectl("background", session)
      #expect(try await program.lines(upTo: "store") == ["stop the hands", "store the time"])
      try await broker.scenectl("reclaim", session)
      #expect(try await program.lines(upTo: "release") == ["release the stopwatch"])
      try await broker.scenectl("activate", session)
      #expect(try await program.lines(upTo: "start") == beginning)
    }
  }

  @Test("a delegate that returns the scene's activity is restored from it, and opens URLs")
  func restoration() async throws {
    try await withBroker { broker in
      let program = try await broker.launch("ScenePortRestoration")
      let session = try await onlySession(of: broker)
      try await broker.wait(for: "\(session) foregroundActive")
      try await broker.scenectl("open", "recipe:bread")
      #expect(try await program.lines(upTo: "opened") == ["opened recipe:bread as a copy"])
      try await broker.scenectl("background", session)
      try await broker.scenectl("reclaim", session)
      try await broker.scenectl("open", "--in-place", "recipe:soup")
      #expect(
        try await program.lines(upTo: "opened")
          == ["restored recipe:bread", "opened recipe:soup in place"])
      try await broker.wait(
        for: "\(session) title=recipe:soup activity.userInfo.recipe=recipe:soup")
      try await program.kill()
      let second = try await broker.launch("ScenePortRestoration")
      #expect(try await second.lines(upTo: "restored") == ["restored recipe:soup"])
      try await broker.expect("application sessions=1")
    }
  }

  @Test("the idioms for content compile and run as in UIKit")
  func editor() async throws {
    try await withBroker { broker in
      let program = try await broker.launch("ScenePortEditor")
      #expect(try await program.line(containing: "shows") == "shows true")
      try await broker.scenectl("open", "note://shelf/trip%20one")
      #expect(try await program.line(containing: "open") == "open shelf trip one")
      try await broker.scenectl("continue", "--web", "https://example.com/notes/1?a=b")
      #expect(try await program.line(containing: "page") == "page /notes/1")
      try await broker.scenectl("shortcut", "new", #"{"note":"trip"}"#)
      #expect(try await program.line(containing: "shortcut") == "shortcut trip")
      try await broker.scenectl("notify", #"{"message":"late"}"#)
      #expect(try await program.line(containing: "message") == "message late")
      let session = try await onlySession(of: broker)
      try await broker.scenectl("background", session)
      try await broker.scenectl("reclaim", session)
      try await broker.scenectl("open", "note://shelf/cold")
      #expect(try await program.line(containing: "open") == "open shelf cold")
    }
  }

  @Test("a delegate that fetches the activity of its window is restored from it")
  func reader() async throws {
    try await withBroker { broker in
      let program = try await broker.launch("ScenePortReader")
      try await program.line(containing: "page 1")
      let session = try await onlySession(of: broker)
      try await broker.scenectl("background", session)
      try await broker.expect("\(session) title='Page 1' activity.userInfo.page=1")
      try await broker.scenectl("reclaim", session)
      try await broker.scenectl("activate", session)
      #expect(try await program.lines(upTo: "page") == ["page 2"])
      try await broker.scenectl("background", session)
      try await program.kill()
      let second = try await broker.launch("ScenePortReader")
      #expect(try await second.lines(upTo: "page") == ["page 3"])
    }
  }

  @Test("an application delegate describes new sessions, learns of their ends, and ends by TERM")
  func applicationDelegate() async throws {
    try await withBroker(options: ["--application-delegate", "required"]) { broker in
      let delegate = try await broker.launch("ScenePortAppDelegate")
      try await delegate.line(containing: "launched")
      try await broker.client("packing")
      var request = SceneRequest(.named("beach"))
      request.userActivities = [UserActivity(activityType: "photo")]
      _ = try await broker.application(
        "album", delegates: ["*": WindowDelegate.init], request: request)
      try await broker.expect(
        #"packing configuration='Default Configuration' userInfo={"type":"list"}"#)
      try await broker.expect(#"beach userInfo={"type":"photo"}"#)
      try await broker.scenectl("discard", "packing")
      try await broker.scenectl("discard", "beach")
      #expect(
        try await delegate.lines(upTo: "photo") == ["discarded a list", "discarded a photo"])
      try await delegate.kill(15)
      #expect(try await delegate.waitForEnd() == .exited(0))
      let second = try await broker.launch("ScenePortAppDelegate")
      try await second.line(containing: "launched")
    }
  }

  private final class OtherDelegate: SceneDelegate {}
  private final class WindowDelegate: SceneDelegate {}

  @Test("the configuration that code describes chooses the class of the delegate")
  func configuration() async throws {
    try await withBroker(options: ["--application-delegate", "required"]) { broker in
      _ = try await broker.launch("ScenePortConfiguration")
      let application = try await broker.application(
        "editor", delegates: ["SceneDelegate": WindowDelegate.init, "Other": OtherDelegate.init],
        request: SceneRequest(.named("packing")))
      let scene = try #require(application.connectedScenes.first)
      let configuration = scene.session.configuration
      #expect(configuration.delegateClass == "SceneDelegate")
      #expect(configuration.sceneClass == "WindowScene")
      #expect(configuration.storyboard == "Main")
      let isChosen = ConditionMutex<Bool?>(nil)
      scene.perform(as: WindowDelegate.self) { _ in isChosen.withLock { $0 = true } }
      #expect(isChosen.wait(until: SystemClock.monotonic() + ceiling) { $0 } == true)
    }
  }

  @Test("a message reaches every window of the chat, in every process")
  func chat() async throws {
    try await withBroker(options: manifest()) { broker in
      let first = try await broker.launch("ScenePortChat")
      let session = try await onlySession(of: broker)
      try await broker.wait(for: "\(session) foregroundActive")
      try await broker.scenectl("new", "second")
      let other = try await broker.launch("ScenePortChat")
      try await broker.wait(for: "application sessions=3")
      try await broker.settle()
      try await first.type("ready for lunch")
      let windows = [
        try await first.line(containing: "ready"), try await first.line(containing: "ready"),
      ]
      #expect(windows.sorted() == ["second: ready for lunch", "window: ready for lunch"])
      #expect(try await other.line(containing: "ready") == "window: ready for lunch")
      try await other.type("at noon")
      for _ in 1...2 { try await first.line(containing: "at noon") }
      try await other.line(containing: "at noon")
    }
  }

  @Test("the windows with a member of userInfo are refreshed, and no other window")
  func lists() async throws {
    let options = try manifest() + ["--application-delegate", "required"]
    try await withBroker(options: options) { broker in
      let delegate = try await broker.launch("ScenePortAppDelegate")
      try await delegate.line(containing: "launched")
      let program = try await broker.launch("ScenePortLists")
      let session = try await onlySession(of: broker)
      try await broker.wait(for: "\(session) foregroundActive")
      try await broker.scenectl("rename", session, "groceries")
      try await broker.scenectl("new", "chores")
      try await broker.scenectl("new", "--activity", "photo={}", "beach")
      try await program.type("changed")
      try await program.line(containing: "updated")
      try await broker.settle()
      for name in ["groceries", "chores", "beach"] {
        let calls = try await broker.trace(of: name).filter {
          $0.event == "callback" && $0.callback == "refresh"
        }
        #expect(calls.count == (name == "beach" ? 0 : 1), "\(name)")
      }
    }
  }

  @Test("an App of SwiftUI follows the phase of its windows, and has settings")
  func hello() async throws {
    let manifest = try workplace.write(
      "hello.json", try RunningProgram.run("ScenePortHello", ["--print-manifest"]).output)
    try await withBroker(options: ["--manifest", manifest]) { broker in
      // The library does not read the words after --.
      let program = try await broker.launch("ScenePortHello", "packing", "--", "--help")
      try await program.line(containing: "hello, active windows")
      try await broker.scenectl("interrupt", "packing")
      #expect(try await program.lines(upTo: "hello") == ["hello, inactive windows"])
      try await broker.scenectl("background", "packing")
      #expect(try await program.lines(upTo: "hello") == ["hello, background"])
      try await broker.scenectl("new", "--configuration", "Settings")
      var lines: [String] = []
      for _ in 1...3 { lines.append(try await program.line(containing: "hello")) }
      #expect(
        lines.sorted() == ["hello, active windows", "hello, inactive windows", "hello, settings"])
    }
  }

  @Test("an App of SwiftUI has windows of several kinds, opens them, and has an adaptor")
  func album() async throws {
    let manifest = try workplace.write(
      "album.json", try RunningProgram.run("ScenePortAlbum", ["--print-manifest"]).output)
    let check = try RunningProgram.run("scenectl", ["manifest", "check", manifest])
    #expect(check.output.contains("windowApplication has Photo, Index, Left, Right"))
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let delegate = try await broker.launch("ScenePortAlbum", "--application-delegate")
      try await delegate.line(containing: "launched the album")
      let program = try await broker.launch(
        "ScenePortAlbum", "--configuration", "Index", "index")
      try await broker.wait(for: "index foregroundActive configuration=Index")
      try await program.line(containing: "now active")
      try await program.type("beach")
      #expect(try await program.lines(upTo: "show") == ["show beach"])
      try await broker.wait(for: "beach foregroundActive configuration=Photo")
      for name in ["Left", "Right"] {
        try await broker.scenectl("new", "--configuration", name, name)
        #expect(try await program.lines(upTo: "show") == ["show \(name)"])
      }
    }
  }

  @Test("windows have titles and values, and open and close by the environment's actions")
  func mail() async throws {
    let manifest = try workplace.write(
      "mail.json", try RunningProgram.run("ScenePortMail", ["--print-manifest"]).output)
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let program = try await broker.launch("ScenePortMail", "inbox")
      try await broker.wait(for: "inbox foregroundActive title=Inbox")
      let first = try await program.lines(upTo: "changed")
      #expect(first.first?.hasPrefix("from ") == true && first.contains("changed"), "\(first)")
      try await program.type("open")
      #expect(try await program.line(containing: "message") == "message a=b% 7 Message")
      try await broker.scenectl(
        "title", #"{"box":"a%3Db%","number":7}"#, "Letter")
      try await program.type("open activity")
      #expect(try await program.line(containing: "activity") == "activity Activity")
      try await program.type("dismiss activity")
      try await program.line(containing: "dismissed the activity")
      try await program.type("dismiss")
      #expect(try await program.line(containing: "dismissed") == "dismissed 7")
      // The title and the value belong to the session.
      try await program.type("open")
      #expect(try await program.line(containing: "message") == "message a=b% 7 Letter")
    }
  }

  /// Programs that run by `main` in each of its forms, with their manifests and their last lines.
  /// An `App` prints its manifest, and this one prints nothing at its end.
  private static let programs: [(program: String, manifest: String?, last: String?)] = [
    ("ScenePortTemplate", #"{}"#, "release the stopwatch"), ("ScenePortHello", nil, nil),
    ("ScenePortClassic", #"{"classic": true}"#, "release Calculator"),
  ]

  @Test("after TERM, the output is complete and the scene returns restored", arguments: programs)
  func termination(program: String, manifest: String?, last: String?) async throws {
    let text = try manifest ?? RunningProgram.run(program, ["--print-manifest"]).output
    let manifest = try workplace.write("manifest.json", text)
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let first = try await broker.launch(program)
      let session = try await onlySession(of: broker)
      try await broker.wait(for: "\(session) foregroundActive")
      try await first.kill(15)
      if let last { try await first.line(containing: last) }
      #expect(try await first.waitForEnd() == .exited(0))
      _ = try await broker.launch(program)
      try await broker.wait(for: "\(session) foregroundActive")
      let connections = try await broker.trace().filter { $0.event == "connected" }
      #expect(connections.map(\.reason) == ["launch", "restore"])
    }
  }

  @Test("an application delegate with a window is called without scenes")
  func classic() async throws {
    let manifest = try workplace.write(
      "Info.plist",
      "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>Sum</string></dict></plist>")
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let program = try await broker.launch("ScenePortClassic")
      #expect(
        try await program.lines(upTo: "take keys") == ["show the calculator", "take keys"])
      let session = try await onlySession(of: broker)
      try await broker.expect("\(session) title=Calculator")
      try await broker.scenectl("background", session)
      try await broker.scenectl("reclaim", session)
      #expect(
        try await program.lines(upTo: "release")
          == ["ignore keys", "store the sum", "release Calculator"])
    }
  }
}
