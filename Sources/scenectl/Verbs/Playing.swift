import CommandLine
import ScenePlatform
import SceneScript

/// What plays with real processes, and leaves none of them behind however it ends.
extension Errand {
  /// What could not be told of in the end is not begun: what would be written to the same place twice,
  /// or to a place where no file can be.
  func checkReport() throws(Failure) {
    guard let path = invocation.value("junit") else { return }
    guard path != "-" else {
      throw usageFailure(
        "--junit cannot write to standard output, which has the TAP report; give a file name")
    }
    do throws(SystemError) {
      _ = try File.open(path, [.write, .create])
    } catch {
      throw Failure(
        error.isDenied ? .notAllowed : .inputOutput, "--junit: \(PlainText.escaped("\(error)"))")
    }
  }

  /// Nor is what cannot be played anywhere, for want of programs or of a place for them.
  func checkStage(_ settings: ScriptEnvironment.Settings) throws(Failure) {
    for program in ["scened", "scene"] {
      let path = "\(settings.programs)/\(program)"
      guard !File.exists(path) else { continue }
      throw Failure(
        .badConfiguration,
        "\(PlainText.escaped(path)) does not exist: tests use the programs in the directory of "
          + "scenectl; install scened, scene and scenectl together")
    }
    var settings = settings
    settings.keepsDirectory = false
    do throws(StepFailure) {
      try ScriptEnvironment(settings, files: []).tearDown()
    } catch {
      throw Failure(.badConfiguration, error.message)
    }
  }

  /// To be called before any other thread is started. Told to end in the middle, or with nobody there
  /// who reads what comes of it, it leaves nothing behind either.
  func beginPlaying(_ cleanup: CleanupRegistry) throws(Failure) {
    // A client that has ended before it was spoken to is for the script to tell.
    Signal.ignoreBrokenPipes()
    let progress = console.progress
    do throws(SystemError) {
      let signals = try SignalSource.ofEnding()
      _ = try Thread("signals") {
        while (try? signals.wait()) == true {
          guard let signal = try? signals.next() else { continue }
          progress?.end()
          let lines = ["interrupted by \(signal)"] + cleanup.stop()
          // Where nobody takes it, that is no reason to stay.
          _ = StandardStream.error.offer(
            "scenectl: " + lines.map(PlainText.escaped).joined(separator: "\n  ") + "\n",
            patience: 1_000_000_000)
          cleanup.clear()
          CurrentProcess.exit(128 + signal.rawValue)
        }
      }
      _ = try Thread("reader") {
        if StandardStream.output.waitUntilUnread() { Self.endUnread(cleanup, progress) }
      }
    } catch {
      throw Failure(ExitCode(for: error), error.description)
    }
  }

  /// Prints a part of what came of it at once: whoever follows wants to see it. What cannot be printed
  /// is told of at the end.
  func report(_ text: String, _ cleanup: CleanupRegistry) {
    console.print(text, terminator: "")
    try? console.flush()
    if console.isUnread { Self.endUnread(cleanup, console.progress) }
  }

  private static func endUnread(_ cleanup: CleanupRegistry, _ progress: ProgressLine?) -> Never {
    progress?.end()
    cleanup.clear()
    CurrentProcess.endByBrokenPipe()
  }
}
