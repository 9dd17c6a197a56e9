import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

/// Command lines that a person is advised to copy.
struct Advice {
  /// The options that lead to the same broker, each with a space before it.
  var options = ""
  /// How `scene` is told which session it is to be; a placeholder where that is not known.
  var session = "NAME"

  /// A command line of `scenectl`, or of another program, for the same broker.
  func line(_ words: String, of program: String = "scenectl") -> String {
    "\(program)\(options) \(words)"
  }
}

extension ProgramError {
  /// A broker's no, about what. Its message may be a list, with a line for each thing.
  init(
    _ refusal: RemoteError, about subject: String? = nil, listing: Bool = false,
    advice: Advice = Advice()
  ) {
    // The advice replaces the hint for other clients.
    let text =
      refusal.is(.methodNotFound)
      ? refusal.message.prefix { $0 != ";" } : refusal.message[...]
    let lines = listing ? text.split(separator: "\n") : [text]
    let message = lines.map { PlainText.escaped(String($0)) }.joined(separator: "\n")
    // Most messages about a session begin with what it is called.
    let names = subject.map { message.hasPrefix("\($0) ") || message.hasPrefix("\($0)'s ") } ?? true
    self.init(
      ExitCode(for: refusal), names ? message : "\(subject ?? ""): \(message)",
      reply: Reply(
        reason: refusal.json.reason ?? ExitCode(for: refusal).reason, json: refusal.json.description
      ))
    if let advice = advice.words(on: refusal) { self.message += "\n" + advice }
  }
}

extension Advice {
  fileprivate func words(on refusal: RemoteError) -> String? {
    if refusal.is(.noHost) {
      return "Open the session in this shell with: " + line(session, of: "scene")
        + "\nOr run a command as its scene with: " + line("\(session) -- COMMAND", of: "scene")
    } else if refusal.is(.methodNotFound) {
      return "List the methods with: " + line("call broker/describe")
    } else if refusal.is(.sessionNotFound) {
      return "List the sessions with: " + line("sessions")
    } else {
      return nil
    }
  }
}

extension Errand {
  /// For the broker that this command line is about.
  func advice(for session: String = "NAME") -> Advice {
    Advice(
      options: RuntimePaths.options(
        application: invocation.value("application"), socket: invocation.value("socket")),
      session: session)
  }

  func noSession(_ word: String) -> ProgramError {
    ProgramError(
      .noSession,
      "no session is called \(PlainText.word(word))\(suggestion(of: word))\n"
        + "List the sessions with: " + advice().line("sessions"))
  }

  /// "; did you mean X?" of a session that is called nearly so, or nothing.
  private func suggestion(of word: String) -> String {
    let sessions = try? ask { broker throws(ControlError) in
      try broker.sessions(until: patience())
    }
    let name = nearest(to: word, among: sessions?.compactMap(\.name) ?? [])
    return name.map { "; did you mean \(PlainText.word($0))?" } ?? ""
  }
}

extension SessionSummary {
  /// How `scene` is told that it is to be this one's.
  var sceneWords: String { name.map(\.sceneWords) ?? "--session \(session)" }
}

extension String {
  /// How `scene` is told the name of a session that is there.
  fileprivate var sceneWords: String {
    hasPrefix("-") ? "--session=\(shellWord)" : shellWord
  }
}

extension ExitCode {
  /// What a broker's error comes to.
  init(for refusal: RemoteError) {
    let outcome = ErrorOutcome(reason: refusal.reason, retry: refusal.retry)
    self = ExitCode(rawValue: outcome.rawValue) ?? .fault
  }
}

extension RawJSON {
  /// The stable name in an error object.
  fileprivate var reason: String? {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil else { return nil }
    return document.root["data"]?["reason"]?.string
  }
}
