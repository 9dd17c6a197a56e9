import Foundation
import SceneApp

/// Notes in the terminal: a note is a text file, and a window is a process. A killed window
/// restores its position and its draft.
@main
struct Notes: App {
  let summary = "Keep notes in text files; type :help for commands."

  @Environment(\.scenePhase) private var scenePhase

  var body: some SceneContent {
    WindowGroup(id: "Note", delegate: NoteWindow.init)
      .onChange(of: scenePhase) { phase in
        if phase == .background { print("(no window is in the foreground)") }
      }
    Settings(delegate: SettingsWindow.init)
    Topic(NoteEvent.self, durable: true)
  }
}

final class NoteWindow: TerminalSceneDelegate {
  private var note = TextFile(name: "")
  private var lines: [String] = []
  /// The number of the current line.
  private var line = 0
  /// The typed lines that are not saved.
  private var draft: [String] = []

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) throws {
    // The order: a continued activity, an opened URL, the restored state.
    let wanted = options.userActivities.first?.note ?? options.urlContexts.compactMap(\.note).first
    let own = session.stateRestorationActivity?.note ?? session.name
    // Each new window without a note gets its own file.
    let unused = "untitled \(session.persistentIdentifier.prefix(8))"
    note = try TextFile(note: wanted ?? own ?? unused)
    if let own, own != note.name, session.stateRestorationActivity?.draft.isEmpty == false {
      // The window keeps its draft; the other note gets a new window.
      open(note.name, scene)
      note = try TextFile(note: own)
    }
    // Subscribe before the read, so that no change is lost.
    scene.observe(NoteEvent.self, as: NoteWindow.self, onGap: { $0.catchUp(scene) }) {
      window, event in window.take(event, scene)
    }
    lines = try note.lines()
    let activities = [options.userActivities.first, session.stateRestorationActivity]
    takePlace(from: activities.compactMap(\.self).first { ($0.note ?? own) == note.name })
    let isThis = ScenePredicate.equals("note/\(note.name)")
    scene.activationConditions.canActivateForTargetContentIdentifierPredicate = isThis
    scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate = isThis
    keep(scene)
    if session.name == nil || own != note.name { setName(scene) }
  }

  private func takePlace(from activity: UserActivity?) {
    line = max(0, min(activity?.userInfo?["line"] as? Int ?? lines.count, lines.count))
    draft = activity?.draft ?? []
    // If the process was killed after writing the note and before saving the activity, the note
    // already contains the draft.
    let count = activity?.userInfo?["lines"] as? Int ?? lines.count
    guard lines.count >= count + draft.count, lines[line...].starts(with: draft) else { return }
    (line, draft) = (line + draft.count, [])
  }

  /// Names the session after its note, so that other windows find it.
  private func setName(_ scene: Scene) {
    perform { [note] in
      do throws(SceneError) {
        try await scene.setName(note.name)
      } catch  where error.code == .nameInUse {
        // Another window has this note and the name.
        try await scene.setName(nil)
      }
    }
  }

  func sceneDidBecomeKey(_ scene: Scene) { show() }
  func sceneDidEnterBackground(_ scene: Scene) { print("(\(note.name) is in the background)") }

  func sceneDidDisconnect(_ scene: Scene) {
    guard scene.disconnectReason == .reclaimed else { return }
    print("(\(note.name) was reclaimed; Enter or :open in another window brings it back)")
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    for name in urlContexts.compactMap(\.note) where name != note.name { open(name, scene) }
  }

  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError) {
    print("notes: the draft of \(note.name) is not saved: \(error.message)")
  }

  func scene(_ scene: Scene, didReceiveLine typed: String) {
    let words = typed.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case (":save", nil): save(scene)
    case (":undo", nil): draft = draft.dropLast()
    case (":show", nil): show()
    case (":line", let number?): go(to: number)
    case (":open", let name?): open(name, scene)
    case (":settings", nil): perform { try await scene.openWindow(id: "Settings") }
    case (":close", nil): perform { try await scene.move(to: .unattached) }
    case (":help", nil): print(Self.help)
    case (":line", nil), (":open", nil): print("notes: \(typed) needs an argument; type :help")
    case (let word?, _) where word.hasPrefix(":"):
      print("notes: there is no command \"\(typed)\"; type :help")
    default: draft.append(typed)
    }
    keep(scene)
  }

  private static let help = """
    Each line that you type goes to the draft of this note.
    :save         put the draft into the note
    :undo         remove the last line of the draft
    :show         show the note and the draft; + marks the draft
    :line N       insert the draft after line N
    :open NAME    open another note: in this terminal, or in the window where it is open
    :settings     open the window with the settings
    :close        close this window, as Ctrl-D does; the draft stays
    """

  private func save(_ scene: Scene) {
    do {
      try readAgain()
      lines.insert(contentsOf: draft, at: line)
      try note.write(lines)
      (line, draft) = (line + draft.count, [])
      showSaved()
      // The event also reaches this window, which already has the change.
      perform { [note] in try await NoteEvent.changed(file: note.name).post(from: scene) }
    } catch {
      complain(error)
    }
  }

  private func go(to number: String) {
    guard let wanted = Int(number), 0...lines.count ~= wanted else {
      return print("notes: \(note.name) has no line \(number)")
    }
    line = wanted
  }

  private func take(_ event: NoteEvent, _ scene: Scene) {
    guard case .changed(let file) = event else { return }
    switch TextFile(name: file) {
    case note:
      let known = lines
      do { try readAgain() } catch { complain(error) }
      guard lines != known else { return }
      showSaved()
      keep(scene)
    case .settings: show()
    default: break
    }
  }

  /// Events may be lost: read the note again.
  private func catchUp(_ scene: Scene) {
    do { try readAgain() } catch { complain(error) }
    show()
    keep(scene)
  }

  /// A position at the end stays at the end.
  private func readAgain() throws {
    let isAtEnd = line == lines.count
    lines = try note.lines()
    line = isAtEnd ? lines.count : min(line, lines.count)
  }

  private func showSaved() {
    print("(\(note.name) is saved)")
    show()
  }

  private func show() {
    print("--- \(note.name)" + (line < lines.count ? ", after line \(line)" : ""))
    for line in text { print(line) }
  }

  private var text: [String] {
    let shown =
      SettingsWindow.showsNumbers ? lines.enumerated().map { "\($0 + 1)  \($1)" } : lines
    return shown[..<line] + draft.map { "+  \($0)" } + shown[line...]
  }

  /// Saves the position, and updates the switcher.
  private func keep(_ scene: Scene) {
    scene.title = note.name + (draft.isEmpty ? "" : " (not saved)")
    scene.snapshot = text.joined(separator: "\n")
    scene.userActivity = UserActivity(
      activityType: "com.example.note",
      userInfo: ["note": note.name, "line": line, "draft": draft, "lines": lines.count],
      targetContentIdentifier: "note/\(note.name)")
  }
}

final class SettingsWindow: TerminalSceneDelegate {
  static var showsNumbers: Bool { (try? TextFile.settings.lines()) != ["numbers off"] }

  func sceneDidBecomeKey(_ scene: Scene) {
    scene.title = "Settings"
    print("--- Settings: numbers \(Self.showsNumbers ? "on" : "off") (Ctrl-D closes)")
  }

  func scene(_ scene: Scene, didReceiveLine line: String) {
    switch line {
    case "numbers on", "numbers off": set(line, scene)
    case ":close": perform { try await scene.move(to: .unattached) }
    case ":help": print(Self.help)
    case _ where line.hasPrefix(":open "): open(String(line.dropFirst(6)), scene)
    default: print("notes: there is no setting \"\(line)\"; type :help")
    }
  }

  private static let help = """
    A line that you type here is a setting for all notes. The window saves it at once.
    numbers on    show line numbers
    numbers off   hide line numbers
    :open NAME    open a note
    :close        close this window, as Ctrl-D does; the settings stay
    """

  private func set(_ line: String, _ scene: Scene) {
    do {
      try TextFile.settings.write([line])
      perform { try await NoteEvent.changed(file: TextFile.settings.name).post(from: scene) }
    } catch {
      complain(error)
    }
  }
}

/// The events for all windows.
enum NoteEvent: UpdateEvent, Codable {
  case changed(file: String)

  static let topic = "Notes"
}

/// A text file in `$NOTES` or in the user's data directory.
struct TextFile: Equatable {
  let name: String

  static let settings = TextFile(name: ".settings")

  private var url: URL {
    let variables = ProcessInfo.processInfo.environment
    let home = variables["HOME"] ?? NSHomeDirectory()
    let data = variables["XDG_DATA_HOME"] ?? "\(home)/.local/share"
    return URL(fileURLWithPath: variables["NOTES"] ?? "\(data)/notes", isDirectory: true)
      .appendingPathComponent(name + ".txt")
  }

  func lines() throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let lines = try named { try String(contentsOf: url, encoding: .utf8) }
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }

  func write(_ lines: [String]) throws {
    let files = FileManager.default
    try named {
      try files.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Keeps a symbolic link and the permissions.
      let file = url.resolvingSymlinksInPath()
      let isThere = files.fileExists(atPath: file.path)
      let mode = try isThere ? files.attributesOfItem(atPath: file.path)[.posixPermissions] : nil
      try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
      if let mode { try files.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path) }
    }
  }

  /// Adds the file's name to an error.
  private func named<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let words = cause?.localizedDescription ?? error.localizedDescription
      throw SceneError(.other, "\(url.path): \(words)")
    }
  }
}

extension TextFile {
  init(note: String) throws {
    guard !note.isEmpty, note.allSatisfy({ $0.isLetter || $0.isNumber || " -_".contains($0) })
    else {
      throw SceneError(
        .invalidParams, "invalid note name \"\(note)\": use letters, digits, blanks, - and _")
    }
    self.init(name: note)
  }
}

extension UserActivity {
  fileprivate var note: String? { userInfo?["note"] as? String }
  fileprivate var draft: [String] { userInfo?["draft"] as? [String] ?? [] }
}

extension OpenURLContext {
  /// The note of a URL such as `note:packing`.
  fileprivate var note: String? {
    url.hasPrefix("note:") ? String(url.dropFirst(5)).removingPercentEncoding : nil
  }
}

/// Opens a window of a note, here or in the terminal that already shows the note.
func open(_ name: String, _ scene: Scene) {
  perform {
    if try await scene.openWindow(id: "Note", value: name) { return }
    print("(\(name) is open in another window, which comes to the foreground)")
  }
}

/// Runs an asynchronous task and prints its error.
func perform(_ work: @escaping @Sendable () async throws -> Void) {
  Task {
    do { try await work() } catch { complain(error) }
  }
}

func complain(_ error: any Error) {
  print("notes:", (error as? SceneError)?.message ?? error.localizedDescription)
}
