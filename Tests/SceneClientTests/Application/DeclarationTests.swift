import SceneModel
import Testing

@testable import SceneApp

/// An application that is declared in one file.
@MainActor
struct DeclarationTests {
  private final class Delegate: SceneDelegate {}

  private struct Saved: UpdateEvent {
    static let topic = "Saved"
    var payload: UserInfo { [:] }
    init?(kind: String?, payload: UserInfo) {}
  }

  private struct Nameless: UpdateEvent {
    static let topic = " "
    var payload: UserInfo { [:] }
    init?(kind: String?, payload: UserInfo) {}
  }

  private struct Notes: App {
    @SceneApp.Environment(\.scenePhase) private var scenePhase

    var body: some SceneContent {
      WindowGroup(id: "Note", storyboard: "Main", delegate: Delegate.init)
        .onChange(of: scenePhase) { _ in }
      SceneApp.Window(id: "Search", sceneClass: "Panel", delegate: Delegate.init)
      WindowGroup(id: "Slide", delegate: Delegate.init).role(.windowExternalDisplay)
      Settings(delegate: Delegate.init)
      SceneApp.Topic(Saved.self, durable: true, keep: 100)
    }
  }

  private final class AppDelegate: MainApplicationDelegate {}

  /// Declares everything that a manifest can have.
  private struct HelloWorld: App {
    @SceneApp.Environment(\.scenePhase) private var scenePhase
    static let hasSettings = true

    var body: some SceneContent {
      WindowGroup(delegate: Delegate.init).launch(["hello", "--new"], environment: ["EDITOR"])
        .onChange(of: scenePhase) { phase in print(phase) }
        .unresponsive(.disconnect, after: .milliseconds(1500))
      if Self.hasSettings { Settings(delegate: Delegate.init) }
      if !Self.hasSettings { WindowGroup(id: "Never") { Delegate() } }
      SceneApp.Window(id: "Log") { Delegate() }
      ApplicationDelegateAdaptor(AppDelegate.self, required: true)
    }
  }

  private struct Viewer: App {
    let name = "view"
    var body: some SceneContent { SceneApp.Window(id: "View", delegate: Delegate.init) }
  }

  @Test("an application has the name of its program, unless it declares another name")
  func names() {
    let program = CommandLine.arguments[0].split(separator: "/").last.map(String.init)
    #expect(AppProgram(Notes()).name == program)
    #expect(AppProgram(Viewer()).name == "view")
  }

  @Test("the words after -- are the arguments of the application")
  func arguments() {
    func words(_ text: String...) -> [ContiguousArray<UInt8>] {
      text.map { ContiguousArray($0.utf8) }
    }
    #expect(Notes.arguments(in: words("notes", "packing", "--", "--new", "--")) == ["--new", "--"])
    #expect(Notes.arguments(in: words("notes", "packing")) == [])
    #expect(Notes.arguments == [])
  }

  @Test("F87: the declared scenes are the manifest, in their order and by role")
  func manifest() throws {
    let manifest = try AppProgram(Notes()).declarations.manifest
    #expect(manifest.supportsMultipleScenes)
    #expect(manifest.roles.map(\.role) == [.windowApplication, .windowExternalDisplay])
    #expect(
      manifest.configurations(for: .windowApplication)
        == [
          SceneModel.SceneConfiguration(
            name: "Note", delegateClass: "Note", storyboard: "Main", kind: .group),
          SceneModel.SceneConfiguration(
            name: "Search", delegateClass: "Search", sceneClass: "Panel", kind: .window),
          SceneModel.SceneConfiguration(
            name: "Settings", delegateClass: "Settings", kind: .settings),
        ])
    #expect(AppProgram(Notes()).declarations.phaseActions.count == 1)
    #expect(manifest.topics == ["Saved": TopicDeclaration(isDurable: true, keep: 100)])
    #expect(manifest.json.contains(#""topics":{"Saved":{"durable":true,"keep":100}}"#))
  }

  @Test("the manifest has the program and the delegate of the declarations")
  func everything() throws {
    let manifest = try AppProgram(HelloWorld()).declarations.manifest
    let names = manifest.configurations(for: .windowApplication).map(\.name)
    #expect(names == ["Delegate", "Settings", "Log"])
    #expect(
      manifest.launch("Delegate", for: .windowApplication)
        == LaunchCommand(words: ["hello", "--new"], environment: ["EDITOR"]))
    #expect(manifest.launch("Log", for: .windowApplication) == nil)
    #expect(
      manifest.unresponsive("Delegate", for: .windowApplication)
        == UnresponsivePolicy(after: .milliseconds(1500), then: .disconnect))
    #expect(manifest.json.contains(#""unresponsive":{"after":1.5,"then":"disconnect"}"#))
    #expect(manifest.applicationDelegate == .required)
    #expect(manifest.json.contains(#""command":["hello","--new"]"#), "\(manifest.json)")
  }

  private struct Browser: App {
    var body: some SceneContent {
      WindowGroup(id: "Inspector", delegate: Delegate.init)
        .defaultLaunchBehavior(.suppressed).restorationBehavior(.disabled)
      WindowGroup(id: "Page", delegate: Delegate.init)
        .handlesExternalEvents(matching: ["https:", "say \"a\"", ""])
      WindowGroup(id: "Rest", delegate: Delegate.init).handlesExternalEvents(matching: ["*"])
    }
  }

  @Test("the manifest has the content that scenes handle, and their behavior")
  func behavior() throws {
    let role = try AppProgram(Browser()).declarations.manifest.roles[0]
    #expect(role.configurations.map(\.name) == ["Page", "Rest", "Inspector"])
    #expect(role.policies.mapValues(\.reopens)["Inspector"] == false)
    #expect(
      role.policies["Page"]?.handles.map(\.description) == [
        #"self CONTAINS "https:""#, #"self CONTAINS "say \"a\"""#,
      ])
    #expect(role.policies["Rest"]?.handles.map(\.description) == ["TRUEPREDICATE"])
  }

  @Test("an application with one window allows no second")
  func one() throws {
    #expect(try !AppProgram(Viewer()).declarations.manifest.supportsMultipleScenes)
  }

  @Test("a declaration that is no valid manifest is refused, with the reason")
  func flaws() {
    func flaw(_ parts: any SceneContent...) -> String? {
      let declarations = parts.reduce(into: SceneDeclarations()) { $0.append($1.declarations) }
      let error = #expect(throws: SceneError.self) { try declarations.manifest }
      return error?.message
    }
    func group(_ id: String) -> WindowGroup { WindowGroup(id: id, delegate: Delegate.init) }
    let (note, delegate) = (group("Note"), ApplicationDelegateAdaptor(AppDelegate.self))
    #expect(flaw() == "the app declares no scene; add a WindowGroup to its body")
    #expect(flaw(note, group("")) == "a scene is declared with an empty id")
    #expect(flaw(note, note) == "two scenes are declared with the id Note")
    #expect(
      flaw(group(String(repeating: "n", count: 257)))?
        .hasSuffix("is too long: at most 256 bytes are allowed") == true)
    #expect(flaw(note.launch([])) == "the launch of Note names no program")
    #expect(
      flaw(note.unresponsive(.report, after: .zero))
        == "the silence of Note must be from a millisecond to a year")
    #expect(flaw(note, delegate, delegate) == "the app declares two application delegates")
    #expect(
      flaw(note, SceneApp.Topic(Saved.self), SceneApp.Topic(Saved.self, keep: 2))
        == "the topic Saved is declared twice")
    #expect(
      flaw(note, SceneApp.Topic(Saved.self, keep: 0))
        == "the topic Saved declares keep 0; expected 1 to 1000000 events")
    #expect(
      flaw(note, SceneApp.Topic(Nameless.self))?.hasPrefix("a topic's name must not be blank")
        == true)
  }

  private struct Place: Codable, Equatable {
    var path: String
    var line: Int
  }

  @Test("the value of a window is the name of its session, which can contain no `=`")
  func values() throws {
    func name(of value: some Codable, in kind: String = "Text") throws -> String {
      try WindowValue.name(of: value, in: kind)
    }
    func value<Value: Codable>(_ type: Value.Type, named name: String?) -> Value? {
      WindowValue.value(type, named: name, in: "Text")
    }
    for text in [
      "a=b", "50%", "%3D=%25%253D", "plain", "!a", "%21a", "application", "topic:x", " ",
      "a\r\n\u{85}b", "%0D%0", "%%41", "my%20file", "%", "", "%25",
    ] {
      let name = try name(of: text)
      #expect(SessionName.problem(with: name) == nil, "\(text)")
      #expect(value(String.self, named: name) == text)
    }
    for text in ["50%", "my%20file", "/tmp/a b.txt"] { #expect(try name(of: text) == text) }
    #expect(try name(of: 7) == "7")
    let place = Place(path: "50%=%3D", line: 2)
    let ofPlace = try name(of: place)
    #expect(SessionName.problem(with: ofPlace) == nil, "\(ofPlace)")
    #expect(value(Place.self, named: ofPlace) == place)
    #expect(value(Int.self, named: "7") == 7)
    #expect(value(String.self, named: "7") == "7")
    #expect(value(Int.self, named: nil) == nil)
    #expect(value(Int.self, named: "seven") == nil)
    #expect {
      try WindowValue.kind(for: Place.self)
    } throws: {
      "\($0)".contains("no WindowGroup shows values of Place; declare one with `for:`")
    }
    // The names of several kinds differ, also for values that look like names.
    let kinds = ["Text", "Pre/view", "Preview", "Number"]
    let groups = kinds.prefix(3).map { kind in
      WindowGroup(id: kind, for: String.self) { (_: String?) in Delegate() }
    }
    let number = WindowGroup(id: "Number", for: Int.self) { (_: Int?) in Delegate() }
    WindowValue.register((groups + [number]).flatMap(\.declarations.scenes))
    defer { WindowValue.register([]) }
    let texts = [
      "7", "Preview/7", "Text/7", "Pre/view/7", "Pre%2Fview/7", "Text/Text/7", "\u{301}7", "",
      "%", "%25",
    ]
    var names: Set<String> = []
    for kind in kinds {
      for text in texts {
        let name = try name(of: text, in: kind)
        #expect(names.insert(name).inserted, "\(kind) \(text)")
        #expect(WindowValue.value(String.self, named: name, in: kind) == text)
      }
    }
    #expect(names.isSuperset(of: ["7", "Preview/7", "Text/Preview/7", "Number/7"]))
    // Windows without values keep the name of the application.
    #expect(try name(of: "Preview/7", in: "Other") == "Preview/7")
    #expect(WindowValue.value(String.self, named: "typed", in: "Preview") == "typed")
    #expect(try WindowValue.kind(for: String.self) == "Text")
  }
}
