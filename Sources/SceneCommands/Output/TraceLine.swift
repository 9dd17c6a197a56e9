import SceneCommandLine
import SceneModel
import SceneScript

extension TraceEntry {
  /// The line of a trace: the time, the session and the event.
  var traceLine: String {
    let time = Age.seconds(elapsed)
    let margin = String(repeating: " ", count: max(0, 14 - time.count))
    let about = session.map { PlainText.escaped(name ?? $0.short) + ": " } ?? ""
    return margin + time + "  " + about + sentence
  }
}
