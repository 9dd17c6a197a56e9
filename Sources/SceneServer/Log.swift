import JSON
import SceneModel
import ScenePlatform

/// What the daemon says while it runs: a line for each thing, to standard error. Of an activity it
/// says which generation, never what is in it.
package final class Log {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error
    case warning
    /// Sessions that are made, change hands and go, and what went wrong for a client.
    case info
    /// Every callback and its answer.
    case debug

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
  }

  package enum Format: String, CaseIterable, Sendable {
    case text
    case json
  }

  private let level: Level
  private let format: Format
  private let write: (String) -> Void

  package init(
    level: Level = .info, format: Format = .text,
    write: @escaping (String) -> Void = Log.toStandardError
  ) {
    self.level = level
    self.format = format
    self.write = write
  }

  /// Nobody can be told that standard error is gone, so that is not an error.
  package static func toStandardError(_ line: String) {
    try? StandardStream.error.write(line)
  }

  package func note(_ message: String) { say(message, .info) }
  package func warn(_ message: String) { say(message, .warning) }
  package func fail(_ message: String) { say(message, .error) }

  /// Tells an entry of the application's story.
  func tell(_ entry: TraceEntry) {
    let level = entry.event.level
    guard level <= self.level else { return }
    switch format {
    case .text: say(entry.sentence, level)
    case .json:
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("level")
      writer.string(level.rawValue)
      entry.writeMembers(to: &writer)
      writer.endObject()
      write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
  }

  private func say(_ message: String, _ level: Level) {
    guard level <= self.level else { return }
    switch format {
    case .text:
      let mark = level <= .warning ? "\(level.rawValue): " : ""
      write("scened: \(mark)\(message.printable)\n")
    case .json:
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("level")
      writer.string(level.rawValue)
      writer.name("time")
      writer.integer(SystemClock.wall() / 1_000_000)
      writer.name("message")
      writer.string(message)
      writer.endObject()
      write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
  }
}

extension String {
  /// With control characters written out, so that a client's words cannot play with a terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension TraceEvent {
  fileprivate var level: Log.Level {
    switch self {
    case .overran, .failed: .warning
    case .connected, .disconnected, .created, .discarded: .info
    default: .debug
    }
  }
}

extension TraceEntry {
  /// The entry as a person reads it: who, what, why.
  fileprivate var sentence: String {
    var words: [String] = []
    if let session { words.append(name ?? session.short) }
    words.append(event.rawValue)
    if let callback { words.append(callback) }
    if let state, event != .connected { words.append("to \(state.rawValue)") }
    if let generation { words.append("generation \(generation)") }
    if let reason { words.append("(\(reason))") }
    if let client { words.append("\(client.name) \(client.pid)") }
    if let detail { words.append("- \(detail)") }
    return words.joined(separator: " ")
  }
}
