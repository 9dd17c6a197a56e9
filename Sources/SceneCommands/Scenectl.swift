package import SceneCommandLine
package import SceneControl
package import SceneModel
import ScenePlatform
import SceneTransport

/// The control tool without its process: parses a command line, runs the verb and returns the exit
/// code.
package enum Scenectl {
  /// Connects to the broker at a path, by a deadline.
  package typealias Connector = (String, ClientName, Int64) throws(ControlError)
    -> ControlConnection

  package static func openSocket(
    _ path: String, _ client: ClientName, until deadline: Int64
  ) throws(ControlError) -> ControlConnection {
    try ControlConnection.open(path, as: client, until: deadline)
  }

  /// Runs a command line. The verb prints only on the console.
  ///
  /// - Parameters:
  ///   - words: the command line without the name of the program.
  ///   - columns: the width of the help pages.
  ///   - environment: the environment variables.
  ///   - console: the output of the verb.
  ///   - ownsProcess: whether the verb may handle signals and end the process, and `wait` waits for
  ///     a broker that does not run yet.
  ///   - connector: connects to the broker.
  /// - Returns: the exit code.
  package static func run(
    _ words: [String], columns: Int? = nil,
    environment: @autoclosure () throws -> [String: String],
    console: Console, ownsProcess: Bool = false, connector: @escaping Connector = openSocket
  ) -> ExitCode {
    var context: CommandContext?
    do {
      switch try command.parse(words, columns: columns) {
      case .print(let text):
        console.print(text, terminator: "")
        try console.flush()
        return .success
      case .run(let invocation):
        guard let verb = Verb.all.first(where: { $0.name == invocation.verbs.first }) else {
          preconditionFailure("the parser accepted an undeclared verb")
        }
        let new = CommandContext(
          verb, invocation, environment: try environment(), console: console,
          processControl: ProcessControl(ownsProcess: ownsProcess), connector: connector)
        context = new
        let code = try verb.run(new)
        try console.flush()
        return code
      }
    } catch {
      var error = error
      if let usage = error as? UsageError, context == nil {
        let environment = (try? environment()) ?? [:]
        error = usage.suggesting(words, environment: environment, console: console, connector)
      }
      let failure = context?.failure(for: error) ?? ProgramError(error)
      if !console.hasLostReader {
        console.printError(failure, asJSON: context?.printsJSON ?? false)
      }
      return failure.code
    }
  }
}

extension UsageError {
  /// Suggests `show` if the wrong word is the name of a session that a running broker has.
  fileprivate func suggesting(
    _ words: [String], environment: [String: String], console: Console,
    _ connector: @escaping Scenectl.Connector
  ) -> UsageError {
    guard let word, !word.hasPrefix("-"), suggestion == nil else { return self }
    var line = words
    if command == "scenectl", let place = words.firstIndex(of: word) {
      line.insert("show", at: place)
    } else if command == "scenectl status", let place = words.firstIndex(of: "status") {
      line[place] = "show"
    } else {
      return self
    }
    guard case .run(let invocation)? = try? Scenectl.command.parse(line), !invocation.has("start")
    else { return self }
    var environment = environment
    environment[BrokerStart.variable] = nil
    let context = CommandContext(
      .show, invocation, environment: environment, console: console,
      processControl: ProcessControl(ownsProcess: false), connector: connector)
    context.horizon = SystemClock.monotonic() + 1_000_000_000
    guard case .found? = try? context.broker.find([word], until: context.replyDeadline()).first
    else { return self }
    var error = self
    error.message += "; did you mean " + context.suggestions().line("show \(word.sessionArgument)?")
    return error
  }
}

extension Console {
  /// Prints an error of a verb: its message, or with `asJSON` the broker's error object.
  func printError(_ error: ProgramError, asJSON: Bool) {
    lastError = error
    if asJSON, let reply = error.reply {
      printError(reply.json)
    } else {
      printError("\(error.command ?? "scenectl"): \(PlainText.escapedLines(error.message))")
    }
  }
}
