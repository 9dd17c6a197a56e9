import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  /// A line for each.
  private static var marks: String {
    TimelineMark.allCases.map { "\($0.glyph)  \($0.asciiGlyph)  \($0.meaning)" }.joined(
      separator: "\n")
  }

  static let timeline = Verb(
    "timeline", "Draw the trace with a lane for each process.", run: CommandContext.timeline,
    details: """
      Each process has a lane, which is a column of the drawing. The leftmost lane is the \
      broker's. Each row shows one entry of the trace: a mark in the lane of its process, the \
      seconds since the first entry, the session, and a description. A lane is a heavy line \
      while the broker waits for an answer from that process. After a process ends, \
      another process can get its lane.

      With SESSION, the drawing shows only these sessions and the processes that held them. With \
      --from, it shows a trace that `scenectl trace --json` has printed, and not the trace of \
      the broker.

      The marks are these. The second column is for --ascii, and for a locale without UTF-8:

      \(marks)
      """,
    arguments: [.any("SESSION", "only these sessions", .session)],
    options: [
      .flag("text", "print text on standard output; the default without --html"),
      .value("html", "FILE", "write an HTML page to FILE; `-` is standard output", .file),
      .value("from", "FILE", "draw a recorded trace; `-` is standard input", .file),
      .flag("ascii", "draw with ASCII characters"),
    ],
    exclusive: [["text", "html"], ["ascii", "html"]],
    examples: [
      "scenectl timeline": "Draws the trace since the broker started.",
      "scenectl timeline packing --html packing.html": "Writes a page about one session.",
      "scenectl trace --follow --json | tee story.jsonl": "Records a trace.",
      "scenectl timeline --from story.jsonl": "Draws the recorded trace.",
    ],
    exits: [
      .failure: "the terminal is too narrow",
      .badData: "a line of the recorded trace is invalid",
      .noSession: "the trace has no such session",
    ])
}

extension CommandContext {
  fileprivate func timeline() throws -> ExitCode {
    if printsJSON {
      let line = suggestions().line("trace --json")
      throw invocation.usageError("timeline has no JSON output; use: \(line)")
    }
    var (title, log) = try traceToDraw()
    log = log.withoutQueries
    let words = invocation.arguments("SESSION")
    if !words.isEmpty { log = log.filtered(to: try sessions(words, in: log)) }
    let timeline = Timeline(log)
    if let path = invocation.value("html") {
      try write(TimelinePage(timeline, title: title).html, to: path)
    } else {
      let drawing = TimelineText(timeline, format: format)
      if let needed = drawing.neededColumns {
        throw ProgramError(
          .failure,
          "the terminal is too narrow: the timeline needs \(needed) columns; widen the terminal, or "
            + "use: " + suggestions().line("timeline --html FILE"))
      }
      console.print(drawing.text(title: title), terminator: "")
    }
    return .success
  }

  /// The title and the trace to draw.
  private func traceToDraw() throws -> (title: String, log: TraceLog) {
    guard let path = invocation.value("from") else { return try traceOfBroker() }
    let source = path == "-" ? "standard input" : path
    let title = Directory.lastPart(of: source)
    let bytes = try recording(path)
    do throws(MemberError) {
      return (title, TraceLog(try RecordedTrace.entries(in: bytes)))
    } catch {
      throw ProgramError(
        .badData,
        "\(PlainText.escaped(source)), \(PlainText.escaped(error.description))\n"
          + "Record a trace with: " + suggestions().line("trace --json"))
    }
  }

  private static let longestRecording = 256 << 20

  private func recording(_ path: String) throws -> ContiguousArray<UInt8> {
    if path == "-" { return try standardInput(limit: Self.longestRecording) }
    return try File.read(path, limit: Self.longestRecording)
  }

  /// The trace of the broker without the entries of this process.
  private func traceOfBroker() throws -> (title: String, log: TraceLog) {
    try observeTrace(after: nil)
    let own = Int64(ProcessIdentity.currentPID)
    var entries: [TraceEntry] = []
    for notification in try broker.takeNotifications() {
      guard case .trace(let entry) = notification.content, entry.client?.pid != own else {
        continue
      }
      entries.append(entry)
    }
    return (try broker.greeting(until: replyDeadline()).application.name, TraceLog(entries))
  }

  private func sessions(
    _ words: [String], in log: TraceLog
  ) throws -> Set<SessionIdentifier> {
    var sessions: Set<SessionIdentifier> = []
    for word in words {
      let found = log.sessions(called: word)
      guard !found.isEmpty else {
        throw ProgramError(
          .noSession, "the trace has no session called \(PlainText.escaped(word))")
      }
      sessions.formUnion(found)
    }
    return sessions
  }

  private var format: TimelineText.Format {
    TimelineText.Format(
      isASCII: invocation.has("ascii") || !Locale.isUTF8(environment),
      isColored: console.isColored,
      columns: console.columns)
  }
}

/// The character encoding that the environment selects.
enum Locale {
  /// The first of these variables that is not empty decides.
  static func isUTF8(_ environment: [String: String]) -> Bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
    let name = values.first { !$0.isEmpty } ?? ""
    return name.lowercased().filter { $0 != "-" }.contains("utf8")
  }
}
