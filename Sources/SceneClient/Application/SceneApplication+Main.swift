import CommandLine
import ScenePlatform

extension SceneApplication {
  /// What leads to the broker that it is a client of, and what it calls itself.
  struct Program: Sendable {
    var name: String
    var socket: String?
    var application: String?

    /// What to tell a person; with how a broker is started, where that is not as usual.
    func explanation(of error: SceneError, start: String? = nil) -> String {
      let message = PlainText.escaped(error.message)
      // Where there can never be a broker, starting one is no advice.
      guard error.code == .brokerUnavailable, error.retry != .never else { return message }
      let path = try? BrokerPlace(socket: socket, application: application).path
      let start = start ?? Places.startCommand(application: application, socket: socket)
      let advice =
        path.flatMap { LockHolder.obstacle(atSocket: $0) } ?? "Start one with: \(start)"
      return "no broker answers (\(message))\n\(PlainText.escapedLines(advice))"
    }
  }

  /// Runs as all of a program, for its `main`: as ``run(_:)`` does, but what cannot be is said on
  /// standard error, with what to do, and ends the process with the number that scripts know from
  /// `scene`: 69 where no broker answers.
  ///
  /// ```swift
  /// SceneApplication(name: "notes", delegates: ["*": NoteDelegate.init]).main()
  /// ```
  public func main(_ request: SceneRequest? = SceneRequest()) {
    do throws(SceneError) {
      try run(request)
    } catch {
      let name = PlainText.escaped(program.name)
      try? StandardStream.error.write("\(name): \(program.explanation(of: error))\n")
      CurrentProcess.exit(ExitCode(error).rawValue)
    }
  }
}
