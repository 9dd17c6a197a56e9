import SceneCommandLine
import ScenePlatform

@main
enum Scenehandoff {
  static func main() {
    StandardStream.prepare()
    do {
      try UserSettings.load().get()
      let words = try Arguments.text(of: CurrentProcess.arguments, for: scenehandoffCommand.name)
      switch try scenehandoffCommand.parse(words, columns: Terminal.columns) {
      case .print(let text): try StandardStream.output.write(text)
      case .run(let invocation): serve(invocation)
      }
    } catch {
      fail(error, Log(of: scenehandoffCommand.name))
    }
  }

  private static func serve(_ invocation: Invocation) {
    Signal.ignoreBrokenPipes()
    CurrentProcess.disableCoreFiles()
    let log = Log(
      level: invocation.value("log-level").flatMap(Log.Level.init(rawValue:)) ?? .info,
      format: invocation.value("log-format").flatMap(Log.Format.init(rawValue:)) ?? .text,
      of: scenehandoffCommand.name)
    do {
      try HandoffLoop(try Setup(invocation), log: log).run()
    } catch {
      fail(error, log)
    }
  }

  private static func fail(_ error: any Error, _ log: Log) -> Never {
    if let error = error as? UsageError, log.format == .text {
      StandardStream.error.offer(PlainText.escapedLines("\(error)") + "\n", required: true)
      CurrentProcess.exit(ExitCode.usage.rawValue)
    }
    let error = ProgramError(error)
    log.fail(error.message)
    CurrentProcess.exit(error.code.rawValue)
  }
}
