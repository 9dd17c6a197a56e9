import CommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Errand {
  func timeline() throws(ProgramError) -> ExitCode {
    if printsJSON {
      let line = advice().line("trace --json")
      throw usageFailure("timeline has no JSON output; use: \(line)")
    }
    var (title, story) = try toldStory()
    story = story.withoutQueries
    let words = invocation.arguments("SESSION")
    if !words.isEmpty { story = story.filtered(to: try sessions(words, in: story)) }
    let timeline = Timeline(story)
    if let path = invocation.value("html") {
      try write(TimelinePage(timeline, title: title).html, to: path)
    } else {
      console.print(TimelineText(timeline, format: format).text(title: title), terminator: "")
    }
    return .success
  }

  // MARK: - What is drawn

  /// Whose story it is, and the story.
  private func toldStory() throws(ProgramError) -> (title: String, story: TraceLog) {
    guard let path = invocation.value("from") else { return try keptStory() }
    let source = path == "-" ? "standard input" : path
    let title = source.split(separator: "/").last.map(String.init) ?? source
    let bytes = try recording(path)
    do throws(DamagedLine) {
      return (title, TraceLog(try RecordedTrace.entries(in: bytes)))
    } catch {
      throw ProgramError(
        .badData,
        "\(PlainText.escaped(source)), \(PlainText.escaped(error.description))\n"
          + "Record a trace with: " + advice().line("trace --json"))
    }
  }

  private static let longestRecording = 256 << 20

  private func recording(_ path: String) throws(ProgramError) -> ContiguousArray<UInt8> {
    if path == "-" { return try standardInput(limit: Self.longestRecording) }
    do throws(SystemError) {
      return try File.read(path, limit: Self.longestRecording)
    } catch {
      throw ProgramError(error)
    }
  }

  /// What the broker keeps, but for the coming of who asks.
  private func keptStory() throws(ProgramError) -> (title: String, story: TraceLog) {
    try observeTrace(after: nil)
    let (name, entries) = try ask { broker throws(ControlError) in
      var entries: [TraceEntry] = []
      for notification in try broker.takeNotifications() {
        if case .trace(let entry) = try notification.read() { entries.append(entry) }
      }
      return (try broker.broker(until: patience()).application.name, entries)
    }
    let own = Int64(ProcessIdentity.currentPID)
    return (name, TraceLog(entries.filter { $0.client?.pid != own }))
  }

  private func sessions(
    _ words: [String], in story: TraceLog
  ) throws(ProgramError) -> Set<SessionIdentifier> {
    var sessions: Set<SessionIdentifier> = []
    for word in words {
      let prefix = IdentifierPrefix(word)
      let found = story.sessions(named: word) { prefix?.matches($0) ?? false }
      guard !found.isEmpty else {
        throw ProgramError(
          .noSession, "the trace has no session called \(PlainText.escaped(word))")
      }
      sessions.formUnion(found)
    }
    return sessions
  }

  // MARK: - How it is drawn

  private var format: TimelineText.Format {
    TimelineText.Format(
      isASCII: invocation.has("ascii") || !Locale.isUTF8(environment),
      isColored: console.isColoured,
      columns: console.isScreen ? Terminal.columns : nil)
  }

  /// To a file, or to standard output.
  func write(_ page: String, to path: String) throws(ProgramError) {
    if path == "-" { return console.print(page, terminator: "") }
    do throws(SystemError) {
      try File.write(page.utf8, to: path, mode: 0o666)
    } catch {
      throw ProgramError(error)
    }
  }
}

/// What the environment says about how text is written.
enum Locale {
  /// The first of these variables that says anything is the one that counts.
  static func isUTF8(_ environment: [String: String]) -> Bool {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
    let name = said.first { !$0.isEmpty } ?? ""
    return name.lowercased().filter { $0 != "-" }.contains("utf8")
  }
}
