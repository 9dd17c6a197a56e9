import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

extension ProgramError {
  /// The error that a broker replied with. `subject` precedes the message if the message does not
  /// name it. With `listing`, each line of the message is an error of its own.
  init(
    _ refusal: RemoteError, about subject: String? = nil, listing: Bool = false,
    suggestions: Suggestion = Suggestion()
  ) {
    // The advice replaces the hint for other clients.
    let text =
      refusal.is(.methodNotFound)
      ? refusal.message.prefix { $0 != ";" } : refusal.message[...]
    let lines = listing ? text.split(separator: "\n") : [text]
    let message = lines.map { PlainText.escaped(String($0)) }.joined(separator: "\nscenectl: ")
    // Most messages about a session begin with its label.
    let names = subject.map { message.hasPrefix("\($0) ") || message.hasPrefix("\($0)'s ") } ?? true
    self.init(
      ExitCode(for: refusal), names ? message : "\(subject ?? ""): \(message)",
      reply: Reply(
        reason: refusal.json.reason ?? ExitCode(for: refusal).reason, json: refusal.json.description
      ))
    if let hint = suggestions.hint(for: refusal) { self.message += "\n" + hint }
  }
}

extension Suggestion {
  fileprivate func hint(for refusal: RemoteError) -> String? {
    if refusal.is(.noHost) {
      return "Open the session in this shell with: " + line(session, of: "scene")
        + "\nOr run a command as its scene with: " + line("\(session) -- COMMAND", of: "scene")
        + (reopened.map { "\nOr open its window again with: " + line("reopen \($0)") } ?? "")
    } else if refusal.is(.methodNotFound) {
      return "List the methods with: " + line("call broker/describe")
    } else if refusal.is(.sessionNotFound) {
      return "List the sessions with: " + line("sessions")
    } else {
      return nil
    }
  }
}

extension CommandContext {
  /// Hints for the broker of this command line.
  func suggestions(
    for session: String = "NAME", reopening summary: SessionSummary? = nil
  ) -> Suggestion {
    Suggestion(
      options: RuntimePaths.options(
        application: invocation.value("application"), socket: invocation.value("socket")),
      session: session, reopened: summary.flatMap { $0.canReopen ? $0.argument : nil })
  }

  func noSession(_ word: String) -> ProgramError {
    if let trashed = try? discarded(word) {
      return ProgramError(
        .noSession,
        "\(trashed.label) is discarded; take it back with: "
          + suggestions().line("undiscard \(trashed.argument)"))
    }
    return ProgramError(
      .noSession,
      "no session is called \(PlainText.word(word))\(suggestion(of: word))\n"
        + "List the sessions with: " + suggestions().line("sessions"))
  }

  /// "; did you mean X?" for a session with a similar name, or nothing.
  private func suggestion(of word: String) -> String {
    let sessions = try? broker.sessions(until: replyDeadline())
    let name = nearest(to: word, among: sessions?.compactMap(\.name) ?? [])
    return name.map { "; did you mean \(PlainText.word($0))?" } ?? ""
  }
}

extension SessionSummary {
  /// The argument of `scene` for this session.
  var sceneWords: String { name.map(\.sceneWords) ?? "--session \(session)" }
}

extension String {
  /// The argument of `scene` for an existing session with this name.
  fileprivate var sceneWords: String {
    hasPrefix("-") ? "--session=\(shellWord)" : shellWord
  }
}

extension ExitCode {
  /// The exit code for an error of the broker.
  init(for refusal: RemoteError) {
    let outcome = ErrorOutcome(reason: refusal.reason, retry: refusal.retry)
    self = ExitCode(rawValue: outcome.rawValue) ?? .fault
  }
}

extension RawJSON {
  /// The stable name in an error object.
  fileprivate var reason: String? {
    guard let document = JSONDocument(reading: bytes) else { return nil }
    return document.root["data"]?["reason"]?.string
  }
}
