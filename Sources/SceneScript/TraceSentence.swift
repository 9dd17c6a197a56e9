import CommandLine
package import SceneModel

extension TraceEntry {
  /// What happened, in one line and safe to show, such as "aimed at background by scenectl 4712".
  package var sentence: String { PlainText.escaped(words) }

  private var words: String {
    let callback = callback ?? "a callback"
    let who = client.map(\.label) ?? "a client"
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
    case .storage: told("storage")
    case .launched: told("\(who) was started")
    case .exited: told(who)
    case .launchFailed: told("nobody could be started:")
    case .saved: told("saved generation \(generation ?? 0)")
    case .posted: told("\(who) posted \(eventWords)")
    case .delivered: told("is sent \(eventWords)")
    case .observed: told("observes \(topic ?? "a topic")")
    case .ceased: told("observes \(topic ?? "a topic") no longer")
    default: told(event.rawValue, self.callback)
    }
  }

  private var eventWords: String {
    [topic ?? "an event", kind].compactMap { $0 }.joined(separator: " ")
  }

  /// Adds the reason, and what else is known.
  private func told(_ beginning: String, _ more: String? = nil) -> String {
    var words = [beginning]
    if let reason { words.append("(\(reason))") }
    if let withheld { words.append("withholding generation \(generation ?? 0) (\(withheld))") }
    words += [more, wholeDetail].compactMap { $0 }
    return words.joined(separator: " ")
  }

  /// Whether the sentence says which process it is about.
  var sentenceNamesProcess: Bool {
    [.joined, .left, .connected, .posted, .launched, .exited].contains(event)
  }
}

extension ClientReference {
  /// As people are told of it; not safe to show.
  var label: String { "\(name) \(pid)" }
}
