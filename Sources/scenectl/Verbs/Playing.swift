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
        "--junit writes a file, and cannot write to standard output, which has the report in the Test "
          + "Anything Protocol; give it the name of a file")
    }
    do throws(SystemError) {
      _ = try File.open(path, [.write, .create])
    } catch {
      throw Failure(
        error.isDenied ? .notAllowed : .inputOutput, "--junit: \(PlainText.escaped("\(error)"))")
    }
  }

  /// Nor is what cannot be played anywhere, for want of programs or of a place for them.
  func checkStage(_ settings: Stage.Settings) throws(Failure) {
    for program in ["scened", "scene"] {
      let path = "\(settings.programs)/\(program)"
      guard !File.exists(path) else { continue }
      throw Failure(
        .badConfiguration,
        "there is no \(PlainText.escaped(path)): what is played is played with the programs beside "
          + "scenectl; install the three together")
    }
    var settings = settings
    settings.keeps = false
    do throws(StepFailure) {
      try Stage(settings, files: []).strike()
    } catch {
      throw Failure(.badConfiguration, error.message)
    }
  }

  /// To be called before any other thread is started. Told to end in the middle, or with nobody there
  /// who reads what comes of it, it leaves nothing behind either.
  func beginPlaying(_ remains: StageRemains) throws(Failure) {
    // A client that has ended before it was spoken to is for the script to tell.
    Signal.ignoreBrokenPipes()
    do throws(SystemError) {
      let signals = try SignalSource.ofEnding()
      _ = try Thread("signals") {
        while (try? signals.wait()) == true {
          guard let signal = try? signals.next() else { continue }
          let lines = ["interrupted by \(signal)"] + remains.stop()
          // Where nobody takes it, that is no reason to stay.
          _ = StandardStream.error.offer(
            "scenectl: " + lines.map(PlainText.escaped).joined(separator: "\n  ") + "\n",
            patience: 1_000_000_000)
          remains.clear()
          CurrentProcess.exit(128 + signal.rawValue)
        }
      }
      _ = try Thread("reader") {
        if StandardStream.output.waitUntilUnread() { Self.endUnread(remains) }
      }
    } catch {
      throw Failure(ExitCode(for: error), error.description)
    }
  }

  /// Prints a part of what came of it at once: whoever follows wants to see it. What cannot be printed
  /// is told of at the end.
  func report(_ text: String, _ remains: StageRemains) {
    console.print(text, terminator: "")
    try? console.flush()
    if console.isUnread { Self.endUnread(remains) }
  }

  private static func endUnread(_ remains: StageRemains) -> Never {
    remains.clear()
    CurrentProcess.endByBrokenPipe()
  }
}
