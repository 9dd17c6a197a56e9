import CommandLine
import SceneModel

extension TraceEntry {
  /// What happened, in one line and safe to show, such as "aimed at background: by scenectl 4712".
  var sentence: String { PlainText.escaped(words) }

  /// The line of a trace: when, about which session, and what.
  var traceLine: String {
    let time = Age.seconds(elapsed)
    let margin = String(repeating: " ", count: max(0, 14 - time.count))
    let about = session.map { PlainText.escaped(name ?? $0.short) + ": " } ?? ""
    return margin + time + "  " + about + sentence
  }

  private var words: String {
    let callback = callback ?? "a callback"
    let who = client.map { "\($0.name) \($0.pid)" } ?? "a client"
    return switch event {
    case .joined: told("\(who) joined")
    case .left: told("\(who) left")
    case .connected: told("connected to \(who)")
    case .disconnected: told("disconnected", self.callback.map { "in \($0)" })
    case .aimed: told("aimed at \(state?.rawValue ?? "a state")")
    case .callback: told("→ \(callback)")
    case .acknowledged: told("← \(callback)")
    case .failed: told("← \(callback) failed")
    case .overran: told("\(callback) overran its time")
    case .saved: told("saved generation \(generation ?? 0)")
    default: told(event.rawValue, self.callback)
    }
  }

  /// Adds the reason, and what else is known.
  private func told(_ beginning: String, _ more: String? = nil) -> String {
    var words = [beginning]
    if let reason { words.append("(\(reason))") }
    words += [more, detail].compactMap { $0 }
    return words.joined(separator: " ")
  }
}
