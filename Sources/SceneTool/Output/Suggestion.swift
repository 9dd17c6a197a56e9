import SceneModel
import ScenePlatform

/// Suggested command lines for the same broker.
struct Suggestion: Sendable {
  /// The options for the broker, each after a space.
  var options = ""
  /// The option for the session, after a space.
  var session = ""
  /// The broker's socket, if it is known.
  var socket: String?

  var takeOver: String { "scene\(options)\(session) --take-over" }
  var another: String { "scene\(options) --new" }
  var delegate: String { "scenectl\(options) delegate" }

  /// Runs the session again. Without a session on the command line, it is selected by `identifier`.
  func again(_ identifier: SessionIdentifier?) -> String {
    let option = identifier.map { " --session \($0)" } ?? ""
    return "scene\(options)\(session.isEmpty ? option : session)"
  }

  /// The commands for a kept program whose holder is the process `holder`.
  func keptProgram(of summary: SessionSummary, _ holder: Int64) -> String {
    let word = summary.name?.shellWord
    let end = "scenectl\(options) close \(word ?? summary.session.short)"
    let isFound =
      socket.map { KeptPlace(besideSocket: $0, options: options).hasSocket(ofHolder: holder) }
      ?? false
    let state =
      isFound
      ? "Attach on a terminal with: scene\(options) "
        + (word ?? "--session \(summary.session.short)")
      : "The socket of its terminal was removed, and process \(holder) makes it again within 60 s"
    return "The program runs on. \(state)\nEnd it with: \(end)"
  }

  /// Reports where a session is whose scene ended for a move to a host.
  func place(
    of session: SessionIdentifier, _ summary: SessionSummary?, movedTo host: String, hasAgent: Bool
  ) -> String {
    guard let summary else {
      return "the session moves to \(host.printable); see: scenectl\(options) show \(session.short)"
    }
    guard let away = summary.away else {
      return "the session has not moved to \(host.printable); open it with: \(again(session))"
    }
    let verb = away.isConfirmed ? "is at" : "moves to"
    let place = away.place(of: session.short, options, verb: verb, hasAgent: hasAgent)
    return "the session \(place)".printable
  }

  /// Reports that `new` replaces the command of the session, and how to run the old one again.
  /// `title` is the session's own title.
  func replacement(
    of old: SessionProgram, _ title: String?, by new: SessionProgram, in current: String
  ) -> String {
    var words = old.arguments
    if !old.connects {
      let options: [(String, String?)] =
        [("title", title), ("resume-with", old.resume?.map(\.shellWord).joined(separator: " "))]
        + (old.environment ?? []).map { ("env", $0) }
        + [
          ("retry", old.retry.map(RetryTime.word)), ("on-hangup", old.onHangup?.rawValue),
          ("on-activate", old.onActivate),
        ]
      words =
        options.flatMap { name, value in value.map { ["--\(name)", $0] } ?? [] }
        + (old.reopens ? [] : ["--no-reopen"]) + ["--"] + words
    }
    let line = words.map(\.shellWord).joined(separator: " ")
    let change = old.directory == current ? "" : "cd \(old.directory.shellWord) && "
    let undo = change + (old.connects ? line : "scene\(self.options)\(session) \(line)")
    let name = session.isEmpty ? "the session" : String(session.dropFirst())
    return "\(name) ran \(old.title); now it runs \(new.title); "
      + "to undo: \(undo)"
  }

  /// The process of the broker, if it is stopped.
  var stoppedBroker: Int32? {
    guard let socket,
      let holder = LockHolder(readFrom: LockHolder.file(besideSocket: socket)), holder.isStopped
    else { return nil }
    return holder.pid
  }
}
