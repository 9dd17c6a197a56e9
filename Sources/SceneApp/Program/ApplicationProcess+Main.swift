public import SceneClient
import SceneCommandLine
import ScenePlatform

extension ApplicationProcess {
  /// Runs the whole program: reads the command line, calls the delegate, and reports an error on
  /// standard error with an exit status. Corresponds to `UIApplicationMain(_:_:_:_:)`.
  ///
  /// The command line has `--help` and `--version`; any other word ends the process with status 2.
  /// A program with its own command line parses it first, and passes `arguments: []`.
  ///
  /// INT, TERM and HUP end the delegate; a second signal ends the process. Standard output is
  /// flushed after each line.
  ///
  /// - Parameter arguments: the words to read instead of the process's command line; nil to read
  ///   that.
  public func main(arguments: [String]? = nil) async {
    StandardStream.prepare()
    StandardStream.printLineByLine()
    program.readCommandLine(
      arguments, summary: "Run the delegate of an application.",
      exits: [
        .success: "the application has ended", .failure: "another process is the delegate",
        .noBroker: "no broker answers",
      ])
    await serve()
  }

  /// Calls the delegate with the signals of this process. Ends the process for an error.
  func serve(start: String? = nil) async {
    ProgramSignals.serve(self)
    application.makeShared()
    do throws(SceneError) {
      try await run()
    } catch {
      program.fail(error, start: start)
    }
  }
}
