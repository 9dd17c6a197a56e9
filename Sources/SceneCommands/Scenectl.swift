package import CommandLine
package import SceneControl
package import SceneModel

/// The control tool without its process: it parses a command line, runs the verb and returns the exit
/// code.
package enum Scenectl {
  /// Connects to the broker at a path, by a deadline.
  package typealias Opening = (String, ClientName, Int64) throws(ControlError) -> ControlConnection

  package static func openSocket(
    _ path: String, _ client: ClientName, until deadline: Int64
  ) throws(ControlError) -> ControlConnection {
    try ControlConnection.open(path, as: client, until: deadline)
  }

  /// Runs a command line. The verb prints on the console only. `awaitsBroker` lets the verb `wait` wait
  /// for a broker that does not run yet.
  package static func run(
    _ words: [String], columns: @autoclosure () -> Int? = nil, environment: [String: String],
    console: Console, processControl: ProcessControl = .none, awaitsBroker: Bool = false,
    open: @escaping Opening = openSocket
  ) -> ExitCode {
    var printsJSON = false
    do {
      switch try parse(words, columns: columns()) {
      case .print(let text):
        console.print(text, terminator: "")
        try console.flush()
        return .success
      case .run(let invocation):
        printsJSON = invocation.has("json")
        let errand = Errand(
          invocation, environment: environment, console: console, processControl: processControl,
          open: open)
        // The broker of a script starts in an earlier line.
        errand.awaitsBroker = awaitsBroker && invocation.verbs == [Verb.wait.rawValue]
        let code = try errand.run()
        try console.flush()
        return code
      }
    } catch let error as UsageError {
      console.complain(PlainText.escapedLines(error.description))
      return .usage
    } catch let failure as ProgramError {
      if !console.hasLostReader { console.complain(failure, asJSON: printsJSON) }
      return failure.code
    } catch {
      console.complain("scenectl: \(PlainText.escapedLines("\(error)"))")
      return .fault
    }
  }

  /// Understands the words by a table of only the verbs they may mean, which is soon made. What
  /// speaks of the other verbs too, such as a help page, needs the whole table.
  static func parse(
    _ words: [String], columns: @autoclosure () -> Int? = nil
  ) throws(UsageError) -> CommandRequest {
    let verbs = Verb.allCases.filter { words.contains($0.rawValue) }
    guard !verbs.isEmpty, let request = try? command(of: verbs).parse(words),
      case .run = request
    else { return try command(of: Verb.allCases).parse(words, columns: columns()) }
    return request
  }
}

extension Console {
  /// Says what went wrong: for people, or as the broker put it.
  func complain(_ failure: ProgramError, asJSON: Bool) {
    lastFailure = failure
    if asJSON, let reply = failure.reply {
      complain(reply.json)
    } else {
      complain("\(failure.command ?? "scenectl"): \(PlainText.escapedLines(failure.message))")
    }
  }
}
