import SceneCommandLine
import SceneJSON
import SceneModel
package import ScenePlatform

/// The broker's log: one line for each event, on standard error. The log names the generation of an
/// activity and the kind of a connection option, never their content.
package final class Log {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error
    case warning
    /// Sessions that are made, change hands and go, and what went wrong for a client.
    case info
    /// Every callback and its answer.
    case debug

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .info: 2
      case .debug: 3
      }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
  }

  package enum Format: String, CaseIterable, Sendable {
    case text
    case json
  }

  private let program: String
  private let level: Level
  package let format: Format
  /// Tells whether the line was taken.
  private let write: (String, _ isLast: Bool) -> Bool
  /// Lines that were not taken since the last one that was.
  private var lost = 0
  /// The file whose size is limited; nil for any other log.
  private var file: BrokerLog?
  /// The bytes since the last look at the size of the file.
  private var byteCount = 0

  package init(
    level: Level = .info, format: Format = .text, of program: String = "scened",
    write: @escaping (String, _ isLast: Bool) -> Bool = Log.toStandardError
  ) {
    self.program = program
    self.level = level
    self.format = format
    self.write = write
  }

  /// A reader of standard error that stops, such as a pager, must not stop the broker. Only the end
  /// of the process waits for the reader.
  package static func toStandardError(_ line: String, isLast: Bool) -> Bool {
    StandardStream.error.offer(line, required: isLast)
  }

  /// Limits the size of a file if standard error is that file.
  package func limitSize(of file: BrokerLog) { self.file = file }

  package func note(_ message: String) { say(message, .info) }
  package func warn(_ message: String) { say(message, .warning) }
  /// Logs why the broker ends, as its last message. Line breaks of the message stay.
  package func fail(_ message: String) { say(message, .error, isLast: true) }

  /// Whether the log shows events that neither explain the state of a session nor have a detail.
  var showsFrequentEvents: Bool { level >= .debug }

  /// Logs the entries of the trace. Entries below the log level are not copied.
  func tell(_ story: [TraceEntry]) {
    for index in story.indices {
      let level = Level(of: story[index].event, isRemarkable: story[index].detail != nil)
      if level <= self.level { tell(story[index], level) }
    }
  }

  private func tell(_ entry: TraceEntry, _ level: Level) {
    switch format {
    case .text: say(entry.sentence, level)
    case .json:
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("level")
      writer.string(level.rawValue)
      var shown = entry
      for index in shown.options.indices { shown.options[index].value = nil }
      shown.writeMembers(to: &writer)
      writer.endObject()
      offer(writer.line)
    }
  }

  private func say(_ message: String, _ level: Level, isLast: Bool = false) {
    guard level <= self.level else { return }
    offer(line(message, level), isLast: isLast)
  }

  private func offer(_ line: String, isLast: Bool = false) {
    if lost > 0 {
      let note = "lost log lines: \(lost); the reader of the log is too slow"
      guard write(self.line(note, .warning), isLast) else {
        lost += 1
        return
      }
      lost = 0
    }
    if !write(line, isLast) { lost += 1 }
    byteCount += line.utf8.count
    guard byteCount >= 64 << 10, let file else { return }
    byteCount = 0
    // A log that cannot be replaced grows, because its lines are worth more.
    if file.isFull { try? file.beginAgain() }
  }

  private func line(_ message: String, _ level: Level) -> String {
    switch format {
    case .text:
      let mark = level <= .warning ? "\(level.rawValue): " : ""
      let lines = level == .error ? message.split(separator: "\n") : [message[...]]
      return "\(program): \(mark)\(lines.map { String($0).printable }.joined(separator: "\n"))\n"
    case .json:
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("level", level.rawValue)
        writer.member("time", SystemClock.wall() / 1_000_000)
        writer.member("message", message)
      }
      return writer.line
    }
  }
}

extension String {
  /// With every scalar escaped that a terminal obeys instead of showing it.
  package var printable: String {
    guard unicodeScalars.contains(where: PlainText.isUnsafe) else { return self }
    return unicodeScalars.map {
      PlainText.isUnsafe($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0)
    }.joined()
  }
}

extension JSONWriter {
  /// The text as a line. JSON leaves some scalars as they are that a terminal obeys.
  fileprivate var line: String { PlainText.escaped(String(decoding: bytes, as: UTF8.self)) + "\n" }
}

extension Log.Level {
  /// The level of an event. A remarkable event has more content than the name of the requester.
  fileprivate init(of event: TraceEvent, isRemarkable: Bool) {
    // The broker drops these entries if the log does not show frequent events.
    guard event.explains else {
      self = isRemarkable && event == .saved ? .warning : .debug
      return
    }
    self =
      switch event {
      case .created: isRemarkable ? .warning : .info
      case .overran, .failed, .launchFailed, .reported: .warning
      case .connected, .disconnected, .discarded, .launched, .exited, .signalled: .info
      default: .debug
      }
  }
}

extension TraceEvent {
  /// The preposition before the client in the sentence.
  fileprivate var preposition: String {
    switch self {
    case .connected: "to "
    case .disconnected, .saved, .reported: "from "
    case .overran, .failed: "in "
    default: ""
    }
  }
}

extension TraceEntry {
  /// The entry as a person reads it: who, what, why.
  fileprivate var sentence: String {
    if event == .exited, let client, let detail {
      let label = session.map { "\(name ?? $0.short): " } ?? ""
      return "\(label)\(client.label) \(detail)"
    }
    var words: [String] = []
    if let session { words.append(name ?? session.short) }
    words.append(event == .launchFailed ? "launch failed" : event.rawValue)
    if let callback, event != .disconnected { words.append(callback) }
    if let state, event != .connected { words.append("to \(state.rawValue)") }
    // A scene connects with the activity of a generation; a save makes one.
    let restored = event == .connected ? generation.map { "generation \($0)" } : nil
    if restored == nil, let generation { words.append("generation \(generation)") }
    if let client { words.append("\(event.preposition)\(client.label)") }
    let overrun = event == .disconnected ? callback : nil
    let causes = [reason, overrun, restored].compactMap(\.self)
    if !causes.isEmpty { words.append("(\(causes.joined(separator: ", ")))") }
    if !options.isEmpty {
      let more = moreOptions > 0 ? ["\(moreOptions) more"] : []
      words.append("with " + (options.map(\.kind.rawValue) + more).joined(separator: ", "))
    }
    if let by { words.append("by \(by.label)") }
    return words.joined(separator: " ") + (detail.map { ": \($0)" } ?? "")
  }
}

/// Limits a frequent log message to one line each second, and counts the messages in between.
struct RateLimitedLog {
  /// When the next line may be logged, by the monotonic clock.
  private var next: Int64 = .min
  private var suppressed = 0

  /// The end of the line, which states the count; nil if it is too early for a line.
  mutating func suffix(at now: Int64) -> String? {
    guard now >= next else {
      suppressed += 1
      return nil
    }
    next = now + 1_000_000_000
    defer { suppressed = 0 }
    return suppressed == 0 ? "" : " (\(suppressed) more since the last such message)"
  }
}

/// Warns once while requests wait for an application delegate that is not connected: their clients
/// get no reply until it connects.
struct MissingDelegateWarning {
  private var isShown = false

  /// The warning while this many requests wait; nil without one, or if the log has it already.
  mutating func text(waitingRequests count: Int) -> String? {
    defer { isShown = count > 0 }
    guard count > 0, !isShown else { return nil }
    let waiting = count == 1 ? "1 request waits" : "\(count) requests wait"
    return "\(waiting) for the application delegate, "
      + "which the manifest requires and which is not connected; start the delegate, or run: "
      + "scenectl delegate"
  }
}
