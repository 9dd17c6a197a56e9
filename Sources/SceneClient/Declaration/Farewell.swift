import CommandLine
import SceneModel
import ScenePlatform
import Synchronization

/// Ends the application with its last scene, or when somebody wants it to, and keeps why.
final class Farewell: Sendable {
  private struct Content {
    var isAsked = false
    /// Whether it was said what would be lost.
    var hasWarned = false
    var outcome: (message: String, code: ExitCode)?
  }

  private let content = Mutex(Content())
  private let application: SceneApplication
  /// How a broker of this application is started.
  private let start: String

  init(_ application: SceneApplication, start: String) {
    self.application = application
    self.start = start
  }

  /// What is to be said at the end; nil where all is well.
  var outcome: (message: String, code: ExitCode)? { content.withLock { $0.outcome } }

  // MARK: - Somebody wants it to end

  /// Ends it. Whoever wants that may not know what would be lost with it now: who can ask again is
  /// told first, and left to do so; anybody else is told in the end. Whether it ends.
  @discardableResult
  func leave(canAskAgain: Bool) -> Bool {
    let losses = losses.joined(separator: "\n")
    let isAlone = application.connectionState.current != .connected
    let isNews =
      !losses.isEmpty
      && content.withLock { content in
        defer { content.hasWarned = true }
        if !content.hasWarned, !canAskAgain {
          content.outcome = (losses, isAlone ? .noBroker : .no)
        }
        return !content.hasWarned
      }
    if isNews, canAskAgain {
      let start = isAlone ? "\nStart one with: \(start)" : ""
      complain("\(losses)\(start)\nCtrl-C or Ctrl-D again leaves all the same")
      return false
    }
    content.withLock { $0.isAsked = true }
    application.stop()
    return true
  }

  /// The broker is back, so what is lost later is another matter.
  func forgetWarning() { content.withLock { $0.hasWarned = false } }

  private var losses: [String] {
    let unsaved = (try? application.client.unsavedSessions) ?? []
    let names = application.host.scenes.filter { unsaved.contains($0.identifier) }
      .map { PlainText.escaped($0.session.name ?? $0.identifier.short) }.sorted()
    let lines = application.host.keys.waitingCount
    let place =
      names.isEmpty
      ? [] : ["without a broker nobody keeps where \(names.joined(separator: ", ")) is"]
    return lines == 0 ? place : place + ["no window has taken \(Self.typed(lines))"]
  }

  private static func typed(_ count: Int) -> String {
    count == 1 ? "the line that was typed last" : "the \(count) lines that were typed last"
  }

  // MARK: - A scene has ended

  func hear(_ end: SceneHost.SceneEnd) {
    let isLast = application.host.scenes.isEmpty
    switch end.reason {
    case .reclaimed, .shutdown: return
    case .clientRequest: break
    case .discarded: complain("\(PlainText.escaped(end.name)) was discarded")
    default:
      let message = explanation(of: end)
      let isNews = content.withLock { content in
        guard !content.isAsked, isLast else { return !content.isAsked }
        content.outcome = (message, .no)
        return false
      }
      if isNews { complain(message) }
    }
    if isLast { application.stop() }
  }

  private func complain(_ message: String) {
    let line = PlainText.escapedLines("\(application.program.name): \(message)")
    try? StandardStream.error.write(line + "\n")
  }

  private func explanation(of end: SceneHost.SceneEnd) -> String {
    guard let refusal = end.refusal else {
      return "\(PlainText.escaped(end.name)) has ended: \(end.reason)"
    }
    let message = PlainText.escaped(refusal.message)
    guard !refusal.isOfDelegate else { return message }
    return """
      the broker does not know this application's scenes: \(message)
      Start one that does with: \(start)
      """
  }
}
