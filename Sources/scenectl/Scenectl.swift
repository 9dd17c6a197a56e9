import CommandLine
import JSON
import SceneControl
import ScenePlatform
import SceneWire

/// The user's hand on an application, and a script's.
@main
enum Scenectl {
  static func main() {
    StandardStream.prepare()
    let environment = Environment.all
    let console = Console.standard(environment)
    let arguments: [ContiguousArray<UInt8>]
    do throws(MissingArguments) {
      arguments = try CurrentProcess.arguments
    } catch {
      console.complain("scenectl: \(error)")
      CurrentProcess.exit(ExitCode.badConfiguration.rawValue)
    }
    do throws(UsageError) {
      let words = try Arguments.text(of: arguments, for: "scenectl")
      if let complaint = FrameDirection.complaint(about: environment["SCENE_DEBUG"]) {
        console.complain("scenectl: \(PlainText.escaped(complaint))")
      }
      let code = run(
        words, columns: Terminal.columns, environment: environment, console: console,
        awaitsBroker: true
      ) { (path, client, deadline) throws(ControlError) in
        let connection = try Errand.openSocket(path, client, until: deadline)
        connection.onLongWait = { Interruption.watch(path, erasing: console.progress) }
        return connection
      }
      CurrentProcess.exit(code.rawValue)
    } catch {
      console.complain(PlainText.escapedLines(error.description))
      CurrentProcess.exit(ExitCode.usage.rawValue)
    }
  }

  static func run(
    _ words: [String], columns: @autoclosure () -> Int? = nil, environment: [String: String],
    console: Console, awaitsBroker: Bool = false,
    open: @escaping Errand.Opening = Errand.openSocket
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
          invocation, environment: environment, console: console, open: open)
        // A script's own broker is there before the line, or not at all.
        errand.awaitsBroker = awaitsBroker && invocation.verbs == [Verb.wait.rawValue]
        let code = try errand.run()
        try console.flush()
        return code
      }
    } catch let error as UsageError {
      console.complain(PlainText.escapedLines(error.description))
      return .usage
    } catch let failure as Failure {
      console.complain(failure, asJSON: printsJSON)
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
  func complain(_ failure: Failure, asJSON: Bool) {
    lastFailure = failure
    if asJSON, let json = failure.json {
      complain(json.description)
    } else {
      complain("\(failure.command): \(PlainText.escapedLines(failure.message))")
    }
  }
}
