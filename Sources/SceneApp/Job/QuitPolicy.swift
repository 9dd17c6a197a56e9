import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform
import Synchronization

/// Ends a program after its last scene, or when its user quits it, and stores the reason.
final class QuitPolicy: Sendable {
  private struct Content {
    /// Whether the user has quit the program.
    var isAsked = false
    /// Whether the user was warned of losses.
    var hasWarned = false
    var outcome: (message: String, code: ExitCode)?
  }

  private let content = Mutex(Content())
  private let application: SceneApplication
  private let keys: KeySceneTracker
  /// How to start a broker with the manifest that the program declares; nil if it declares none.
  private let start: String?
  /// Whether the program continues without a scene, because the broker may connect one.
  private let isHost: Bool

  init(
    _ application: SceneApplication, _ keys: KeySceneTracker, start: String? = nil,
    isHost: Bool = false
  ) {
    self.application = application
    self.keys = keys
    self.start = start
    self.isHost = isHost
  }

  /// The error to report at the end; nil without an error.
  var outcome: (message: String, code: ExitCode)? { content.withLock { $0.outcome } }

  // MARK: - Quitting

  /// Ends the program. If it would lose something and the user can ask again, the first call only
  /// warns. Otherwise the losses become the outcome. Returns whether the program ends.
  /// `cause` states why the program ends, if the user did not quit it.
  @discardableResult
  func quit(canAskAgain: Bool, by cause: DisconnectCause? = nil) -> Bool {
    let losses = losses(isFinal: !canAskAgain).joined(separator: "\n")
    let isAlone = application.connectionState != .connected
    let isNews =
      !losses.isEmpty
      && content.withLock { content in
        defer { content.hasWarned = true }
        if !content.hasWarned, !canAskAgain {
          content.outcome = (losses, isAlone ? .noBroker : .failure)
        }
        return !content.hasWarned
      }
    if isNews, canAskAgain {
      let program = application.program
      let advice = isAlone ? "\nStart one with: \(start ?? program.startCommand)" : ""
      // An answer to the user's key, so it does not go to the log.
      SceneLogRecord.standardError(of: program.name)(
        SceneLogRecord(
          .warning, "\(losses)\(advice)\nPress Ctrl-C or Ctrl-D again to end the program anyway"))
      return false
    }
    content.withLock { $0.isAsked = true }
    application.stop(by: cause)
    return true
  }

  /// The broker has returned, so a later loss needs its own warning.
  func forgetWarning() { content.withLock { $0.hasWarned = false } }

  private func losses(isFinal: Bool) -> [String] {
    let unsaved = (try? application.client.unsavedSessions) ?? []
    let names = application.host.scenes.filter { unsaved.contains($0.identifier) }
      .map { PlainText.escaped($0.session.name ?? $0.identifier.short) }.sorted()
    let lines = keys.waitingCount
    var losses: [String] = []
    if !names.isEmpty {
      let fate = isFinal ? "is lost" : "would be lost"
      losses.append(
        "unsaved state in \(names.joined(separator: ", ")) \(fate): no broker is running")
    }
    if lines > 0 { losses.append("\(Self.typed(lines)) not been processed") }
    return losses
  }

  private static func typed(_ count: Int) -> String {
    count == 1 ? "1 typed line has" : "\(count) typed lines have"
  }

  // MARK: - The end of a scene

  func sceneEnded(_ end: SceneHost.SceneEnd) {
    let isLast = isLast(end)
    switch end.reason {
    case .reclaimed, .shutdown: return
    case .clientRequest: break
    case .discarded:
      application.program.report(
        .notice, "the session \(PlainText.escaped(end.name)) was discarded")
    default:
      let (message, code) = explanation(of: end)
      let isNews = content.withLock { content in
        guard !content.isAsked, isLast, !isHost else { return !content.isAsked }
        content.outcome = (message, code)
        return false
      }
      if isNews { application.program.report(.warning, message) }
    }
    guard isLast else { return }
    if isHost { reportWaiting() } else { application.stop() }
  }

  /// Whether the program has no other scene, connected or expected from the broker.
  private func isLast(_ end: SceneHost.SceneEnd) -> Bool {
    // The client keeps a refused scene until the broker has the answer.
    let refused = end.reason == .refused ? end.session : nil
    return application.host.scenes.isEmpty
      && (try? application.client.hasScene(besides: refused)) != true
  }

  /// A launched program has no user who could end it.
  private func reportWaiting() {
    guard !content.withLock(\.isAsked), !application.isLaunched else { return }
    application.program.report(
      .notice, "no scene is open; waiting for a scene from the broker (Ctrl-C ends this program)")
  }

  private func explanation(of end: SceneHost.SceneEnd) -> (message: String, code: ExitCode) {
    guard let refusal = end.refusal else {
      return ("the scene of \(PlainText.escaped(end.name)) has ended: \(end.reason)", .failure)
    }
    guard !refusal.isOfDelegate else { return (PlainText.escaped(refusal.message), .failure) }
    let error = SceneError(.noDelegateClass, refusal.message)
    return (application.program.explanation(of: error, start: start), ExitCode(error))
  }
}
