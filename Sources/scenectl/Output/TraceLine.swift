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
    let callback = callback ?? ""
    let who = client.map { "\($0.name) \($0.pid)" } ?? "a client"
    return switch event {
    case .joined: with("\(who) joined")
    case .left: with("\(who) left")
    case .created: with("created")
    case .discarded: with("discarded")
    case .connected: with("connected to \(who)", state.map { "to go to \($0.rawValue)" })
    case .disconnected: with("disconnected", self.callback.map { "in \($0)" })
    case .aimed: with("aimed at \(state?.rawValue ?? "nothing")")
    case .callback: with("→ \(callback)")
    case .acknowledged: with("← \(callback)")
    case .failed: with("← \(callback) failed")
    case .overran: with("\(callback) overran its time")
    case .saved: with("saved generation \(generation ?? 0)")
    default: with(event.rawValue, self.callback, state?.rawValue)
    }
  }

  /// Adds what else is known, behind commas.
  private func with(_ beginning: String, _ more: String?...) -> String {
    ([beginning] + (more + [reason, detail]).compactMap { $0 }).joined(separator: ", ")
  }
}
