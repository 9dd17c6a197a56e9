import Foundation
import SceneClient

/// Notes in the terminal: a note is a text file, a window is a process, and one that is killed is
/// where it was when it is started again.
@main
struct Notes: App {
  var body: some SceneContent {
    WindowGroup(id: "Note", delegate: NoteWindow.init)
      .onChange(of: scenePhase) { phase in
        if phase == .background { print("(no window is in front any more)") }
      }
    Settings(delegate: SettingsWindow.init)
    Topic(Change.self, durable: true)
  }
}

// MARK: - What is kept

/// A text file in `$NOTES`, or among the user's data.
struct TextFile {
  private let name: String

  static let settings = TextFile(name: "settings")

  static func note(_ note: String) throws -> TextFile {
    guard !note.isEmpty, note.allSatisfy({ $0.isLetter || $0.isNumber || " -_".contains($0) })
    else { throw SceneError(.invalidParams, "a note's name has letters, digits, blanks, - and _") }
    return TextFile(name: note + ".txt")
  }

  private var directory: URL {
    let variables = ProcessInfo.processInfo.environment
    let data = variables["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
    return URL(fileURLWithPath: variables["NOTES"] ?? data + "/notes", isDirectory: true)
  }

  private var file: URL { directory.appendingPathComponent(name) }

  func lines() throws -> [String] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }

  func write(_ lines: [String]) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let text = lines.map { $0 + "\n" }.joined()
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}

/// What every window is told, whichever made the change.
enum Change: UpdateEvent {
  static let topic = "Notes"
  case note(String)
  case settings

  var kind: String? {
    switch self {
    case .note: "note"
    case .settings: "settings"
    }
  }

  var payload: UserInfo {
    switch self {
    case .note(let name): ["name": name]
    case .settings: [:]
    }
  }

  init?(kind: String?, payload: UserInfo) {
    switch (kind, payload["name"] as String?) {
    case ("note", let name?): self = .note(name)
    case ("settings", _): self = .settings
    default: return nil
    }
  }
}

/// Does what is waited for, and says what is wrong.
func perform(_ work: @escaping @Sendable () async throws -> Void) {
  Task {
    do { try await work() } catch { complain(error) }
  }
}

func complain(_ error: any Error) {
  print("notes:", (error as? SceneError)?.message ?? error.localizedDescription)
}

// MARK: - Windows

final class NoteWindow: TerminalSceneDelegate {
  private var note = ""
  private var lines: [String] = []
  /// Behind which line the person is.
  private var line = 0
  /// What was typed there, and is not saved.
  private var draft: [String] = []

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) throws {
    let activity = options.userActivities.first ?? session.stateRestorationActivity
    let name = activity?.userInfo["note"] ?? options.urlContexts.first?.note ?? session.name
    note = name ?? "untitled"
    draft = activity?.userInfo["draft"] ?? []
    try read(at: activity?.userInfo["line"])
    let isIt = try Scene.ActivationConditions.Predicate(format: "self == \"note/\(note)\"")
    scene.activationConditions.canActivateForTargetContentIdentifierPredicate = isIt
    scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate = isIt
    keep(scene)
    Task {
      for await change in scene.events(of: Change.self) {
        scene.perform { ($0 as? NoteWindow)?.take(change, scene) }
      }
    }
    // So that it is found by its note, whoever opened it.
    if session.name == nil { Task { [note] in try? await scene.setName(note) } }
  }

  func sceneDidBecomeKey(_ scene: Scene) { show() }
  func sceneDidEnterBackground(_ scene: Scene) { print("(\(note) is in the background)") }

  func sceneDidDisconnect(_ scene: Scene) {
    if scene.disconnectReason == .reclaimed { print("(\(note) is put away; Enter brings it back)") }
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext]) {
    for name in urlContexts.compactMap(\.note) where name != note { open(name, scene) }
  }

  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError) {
    complain(error)
  }

  func scene(_ scene: Scene, didReceiveLine typed: String) {
    let words = typed.split(separator: " ", maxSplits: 1).map(String.init)
    do {
      switch (words.first, words.dropFirst().first) {
      case (":save", nil): try save(scene)
      case (":show", nil): show()
      case (":undo", nil): draft = draft.dropLast()
      case (":line", let number?): try go(to: number)
      case (":open", let name?): open(name, scene)
      case (":settings", nil): perform { try await scene.openWindow(id: "Settings") }
      case (":close", nil): perform { try await scene.move(to: .unattached) }
      case (":help", nil): print(Self.help)
      case (let word?, _) where word.hasPrefix(":"):
        print("notes: \(typed) means nothing; see :help")
      default: draft.append(typed)
      }
    } catch {
      complain(error)
    }
    keep(scene)
  }

  private static let help = """
    What you type is a draft of lines for this note, until you save it.
    :save         put the draft into the note
    :undo         take back the last line of the draft
    :show         show the note and the draft, which is marked with +
    :line N       go on behind line N
    :open NAME    another note: in this terminal, or in the window where it is open
    :settings     the settings' window
    :close        close this window, as Ctrl-D does; it comes back as it is
    """

  private func open(_ name: String, _ scene: Scene) {
    perform {
      if try await scene.openWindow(id: "Note", value: name) { return }
      print("(\(name) is open elsewhere, and comes to the foreground there)")
    }
  }

  private func save(_ scene: Scene) throws {
    try readAgain()
    lines.insert(contentsOf: draft, at: line)
    try TextFile.note(note).write(lines)
    (line, draft) = (line + draft.count, [])
    // This window is told of it as all others are.
    perform { [note] in try await Change.note(note).post(from: scene) }
  }

  private func go(to number: String) throws {
    guard let wanted = Int(number), 0...lines.count ~= wanted else {
      throw SceneError(.invalidParams, "\(note) has lines 1 to \(lines.count)")
    }
    line = wanted
  }

  private func read(at wanted: Int?) throws {
    lines = try TextFile.note(note).lines()
    line = min(max(wanted ?? lines.count, 0), lines.count)
  }

  /// Who is at the end stays there.
  private func readAgain() throws { try read(at: line == lines.count ? nil : line) }

  private func take(_ change: Change, _ scene: Scene) {
    switch change {
    case .note(note):
      do { try readAgain() } catch { complain(error) }
      print("(\(note) is saved)")
      show()
      keep(scene)
    case .note: break
    case .settings: show()
    }
  }

  // MARK: - What is seen, and found again

  private var text: [String] {
    let width = "\(lines.count)".count
    let shown = lines.enumerated().map { index, text in
      let number = "\(index + 1)"
      return String(repeating: " ", count: width - number.count) + number + "  " + text
    }
    let numbered = SettingsWindow.showsNumbers ? shown : lines
    return numbered[..<line] + draft.map { "+ " + $0 } + numbered[line...]
  }

  private func show() {
    print("--- \(note)" + (line < lines.count ? ", behind line \(line)" : ""))
    for line in text { print(line) }
  }

  private func keep(_ scene: Scene) {
    scene.title = note + (draft.isEmpty ? "" : " (not saved)")
    scene.snapshot = text.joined(separator: "\n")
    scene.userActivity = UserActivity(
      activityType: "com.example.note", userInfo: ["note": note, "line": line, "draft": draft],
      targetContentIdentifier: "note/\(note)")
  }
}

final class SettingsWindow: TerminalSceneDelegate {
  static var showsNumbers: Bool { (try? TextFile.settings.lines()) != ["numbers off"] }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) { scene.title = "Settings" }

  func sceneDidBecomeKey(_ scene: Scene) {
    print("--- Settings: numbers \(Self.showsNumbers ? "on" : "off") (Ctrl-D closes)")
  }

  func scene(_ scene: Scene, didReceiveLine line: String) {
    guard ["numbers on", "numbers off"].contains(line) else {
      return print("notes: type numbers on, or numbers off")
    }
    do { try TextFile.settings.write([line]) } catch { complain(error) }
    perform { try await Change.settings.post(from: scene) }
  }
}

extension OpenURLContext {
  /// The note of a URL such as `note:packing`.
  fileprivate var note: String? {
    url.hasPrefix("note:") ? String(url.dropFirst(5)).removingPercentEncoding : nil
  }
}
