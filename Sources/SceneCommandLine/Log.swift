package import SceneJSON
package import ScenePlatform

/// The log of a daemon: one line for each event, on standard error.
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
  package let level: Level
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

  package func say(_ message: String, _ level: Level, isLast: Bool = false) {
    guard level <= self.level else { return }
    offer(line(message, level), isLast: isLast)
  }

  package func offer(_ line: String, isLast: Bool = false) {
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
      return
        "\(program): \(mark)\(lines.map { PlainText.escaped(String($0)) }.joined(separator: "\n"))\n"
    case .json:
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("level", level.rawValue)
        writer.member("time", SystemClock.wall() / 1_000_000)
        writer.member("message", message)
      }
      return Self.line(writer)
    }
  }

  /// The text as a line. JSON leaves some scalars as they are that a terminal obeys.
  package static func line(_ writer: borrowing JSONWriter) -> String {
    PlainText.escaped(String(decoding: writer.bytes, as: UTF8.self)) + "\n"
  }
}
