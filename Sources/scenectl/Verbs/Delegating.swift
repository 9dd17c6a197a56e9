import CommandLine
import SceneClient
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

extension Errand {
  /// Is the application delegate until the application ends.
  func delegate() throws(Failure) -> ExitCode {
    // A command may end without having read its question.
    Signal.ignoreBrokenPipes()
    let path = try socketPath()
    // It says what is the matter where no broker is, or another one.
    _ = try ask { broker throws(ControlError) in try broker.broker(until: patience()) }
    forgetBroker()
    do {
      let client = try DelegateClient(settings(path))
      let shell = try DelegateShell(
        try way(path), printsJSON: printsJSON, console: console, client: client)
      try client.run(shell)
      return .yes
    } catch let error as SceneError {
      throw Failure(ExitCode(error), PlainText.escaped(error.message))
    } catch let error as SystemError {
      throw Failure(ExitCode(for: error), error.description)
    } catch let failure as Failure {
      throw failure
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  private func settings(_ path: String) -> ClientSettings {
    var settings = ClientSettings(name: "delegate", hosts: []) { () throws(SystemError) in
      try UnixSocket.connect(to: path)
    }
    if FrameDirection.areShown(by: environment["SCENE_DEBUG"]) {
      settings.onFrame = { direction, content in
        try? StandardStream.error.write(direction.line(of: content) + "\n")
      }
    }
    return settings
  }

  private func way(_ path: String) throws(Failure) -> DelegateShell.Way {
    guard let command = invocation.trailing, !command.isEmpty else {
      if invocation.has("by-rule"), !printsJSON {
        throw usageFailure("--by-rule goes with --json")
      }
      return printsJSON && !invocation.has("by-rule") ? .lines : .rules
    }
    try requireCommand(command)
    var environment = environment
    environment["SCENE_SOCKET"] = path
    return .command(command, environment: environment)
  }
}
