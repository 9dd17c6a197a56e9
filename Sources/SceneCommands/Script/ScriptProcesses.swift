import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

/// The verbs that start brokers and clients, and end all of them.
extension CommandContext {
  func scriptSettings() throws -> ScriptEnvironment.Settings {
    ScriptEnvironment.Settings(
      programs: try Self.ownDirectory(), environment: environment, controlVerbs: .scenectl)
  }

  /// The path of a command. Throws if the command does not exist or cannot be executed.
  @discardableResult
  func requireCommand(_ command: [String]) throws -> String {
    do throws(SystemError) {
      let path = try Executable.find(command.first ?? "", path: environment["PATH"])
      try Executable.check(path)
      return path
    } catch {
      throw ProgramError(
        error.isNotFound ? .noCommand : .badCommand, "\(PlainText.escaped(error.description))")
    }
  }

  /// Checks before the first test that the report can be written.
  func checkReport() throws {
    guard let path = invocation.value("junit") else { return }
    guard path != "-" else {
      throw invocation.usageError(
        "--junit cannot write to standard output, which has the TAP report; give a file name")
    }
    do throws(SystemError) {
      _ = try File.open(path, [.write, .create])
    } catch {
      throw ProgramError(
        error.isDenied ? .notAllowed : .inputOutput, "--junit: \(PlainText.escaped("\(error)"))")
    }
  }

  /// Checks before the first test that the programs exist and that a temporary directory can be
  /// made.
  func checkEnvironment(_ settings: ScriptEnvironment.Settings) throws {
    for program in ["scened", "scene"] {
      let path = "\(settings.programs)/\(program)"
      guard !File.exists(path) else { continue }
      throw ProgramError(
        .badConfiguration,
        "\(PlainText.escaped(path)) does not exist: tests use the programs in the directory of "
          + "scenectl; install scened, scene and scenectl together")
    }
    var settings = settings
    settings.keepsDirectory = false
    do throws(StepFailure) {
      try ScriptEnvironment(settings, files: []).tearDown()
    } catch {
      throw ProgramError(.badConfiguration, error.message)
    }
  }

  /// Ends all processes of the scripts when this process ends by a signal, or because standard
  /// output has no reader. Call this before any other thread starts.
  func beginScripts(_ cleanup: CleanupRegistry) throws {
    // The script reports a client that exits before it reads its input.
    Signal.ignoreBrokenPipes()
    let progress = console.progress
    try processControl.onEndingSignal { signal in
      progress?.end()
      let lines = ["interrupted by \(signal)"] + cleanup.stop()
      StandardStream.error.offer(
        "scenectl: " + lines.map(PlainText.escaped).joined(separator: "\n  ") + "\n",
        required: true)
      cleanup.clear()
      return .status
    }
    try processControl.onLostReader { Self.stop(cleanup, progress) }
  }

  /// Prints a part of the report at once. The end of the verb reports text that cannot be written.
  /// Throws when standard output has no reader.
  func report(_ text: String, _ cleanup: CleanupRegistry) throws {
    console.print(text, terminator: "")
    try? console.flush()
    guard console.hasNoReader else { return }
    Self.stop(cleanup, console.progress)
    throw console.lostReader()
  }

  private static func stop(_ cleanup: CleanupRegistry, _ progress: ProgressLine?) {
    progress?.end()
    cleanup.clear()
  }
}
