import SceneCommandLine
import SceneCommands
import SceneControl
import ScenePlatform
import SceneWire

/// The control tool, for a person and for shell scripts.
@main
enum ScenectlProgram {
  static func main() {
    StandardStream.prepare()
    let settings = UserSettings.load()
    let environment = Environment.all
    let console = Console.standard(environment)
    let arguments: [ContiguousArray<UInt8>]
    do throws(EnvironmentError) {
      arguments = try CurrentProcess.arguments
    } catch {
      console.printError("scenectl: \(error)")
      CurrentProcess.exit(ExitCode.badConfiguration.rawValue)
    }
    do throws(UsageError) {
      let words = try Arguments.text(of: arguments, for: "scenectl")
      if let complaint = FrameDirection.complaint(about: environment["SCENE_DEBUG"]) {
        console.printError("scenectl: \(PlainText.escaped(complaint))")
      }
      let code = Scenectl.run(
        words, columns: Terminal.columns, environment: try settings.map { environment }.get(),
        console: console, ownsProcess: true
      ) { (path, client, deadline) throws(ControlError) in
        let connection = try Scenectl.openSocket(path, client, until: deadline)
        connection.onLongWait = { InterruptHandler.watch(path, erasing: console.progress) }
        return connection
      }
      if console.hasLostReader { CurrentProcess.endByBrokenPipe() }
      CurrentProcess.exit(code.rawValue)
    } catch {
      console.printError(PlainText.escapedLines(error.description))
      CurrentProcess.exit(ExitCode.usage.rawValue)
    }
  }
}
