import SceneCommandLine
import SceneJSON
import SceneModel

/// The log names the generation of an activity and the kind of a connection option, never their
/// content.
extension Log {
  /// Whether the log shows events that neither explain the state of a session nor have a detail.
  var showsFrequentEvents: Bool { level >= .debug }

  /// Logs the entries of the trace. Entries below the log level are not copied.
  func tell(_ story: [TraceEntry]) {
    for index in story.indices {
      let level = Level(
        of: story[index].event, isRemarkable: story[index].detail != nil,
        isOrdinary: story[index].reason != nil)
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
      offer(Self.line(writer))
    }
  }
}

extension Log.Level {
  /// The level of an event. A remarkable event has more content than the name of the requester.
  /// The report of an ordinary event names its reason, such as a terminal that the user closed.
  fileprivate init(of event: TraceEvent, isRemarkable: Bool, isOrdinary: Bool) {
    // The broker drops these entries if the log does not show frequent events.
    guard event.explains else {
      self = isRemarkable && event == .saved ? .warning : .debug
      return
    }
    self =
      switch event {
      case .created: isRemarkable ? .warning : .info
      case .reported: isOrdinary ? .info : .warning
      case .overran, .failed, .launchFailed, .unresponsive: .warning
      case .connected, .disconnected, .discarded, .launched, .exited, .signalled, .responded,
        .warned, .terminated, .reclaimed:
        .info
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
    case .overran, .failed, .unresponsive, .responded: "in "
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
