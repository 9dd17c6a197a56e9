import CommandLine
import JSON
import SceneClient
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

extension Errand {
  /// Is the application delegate until the application ends.
  func delegate() throws(ProgramError) -> ExitCode {
    // A command may end without having read its question.
    Signal.ignoreBrokenPipes()
    let path = try socketPath()
    // It says what is the matter where no broker is, or another one.
    _ = try ask { broker throws(ControlError) in try broker.broker(until: patience()) }
    forgetBroker()
    let way = try way(path)
    do {
      if case .command(let command) = way {
        // Keys of a terminal do not reach the command, which has a process group of its own.
        try processControl.onEndingSignal { _ in
          command.close()
          return .signal
        }
      }
      let client = DelegateClient(settings(path))
      let shell = try DelegateShell(
        way, printsJSON: printsJSON, console: console, client: client,
        configurations: { Self.configurations(path) })
      defer { if case .command(let command) = way { command.close() } }
      try client.run(shell)
      return .success
    } catch let error as SceneError {
      throw ProgramError(ExitCode(error), PlainText.escaped(error.message))
    } catch let error as SystemError {
      throw ProgramError(error)
    } catch let failure as ProgramError {
      throw failure
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  private func settings(_ path: String) -> ClientSettings {
    var settings = ClientSettings(name: "delegate", hosts: []) { () throws(SystemError) in
      try UnixSocket.connect(toBroker: path)
    }
    if FrameDirection.areShown(by: environment["SCENE_DEBUG"]) {
      settings.onFrame = { direction, content in
        try? StandardStream.error.write(direction.line(of: content) + "\n")
      }
    }
    return settings
  }

  /// The names of those that the manifest has now.
  private static func configurations(_ path: String) -> [String]? {
    let deadline = SystemClock.monotonic() + 10_000_000_000
    let client = ClientName(name: "scenectl", version: productVersion)
    let document = JSONDocument()
    guard let broker = try? ControlConnection.open(path, as: client, until: deadline),
      let reply = try? broker.request(ApplicationManifest(), until: deadline),
      (try? document.read(reply.manifest.json.bytes.span)) != nil,
      let roles = document.root["configurations"]?.members
    else { return nil }
    return roles.flatMap { $0.value.elements.compactMap { $0["name"]?.string } }
  }

  private func way(_ path: String) throws(ProgramError) -> DelegateShell.Way {
    guard let command = invocation.trailing, !command.isEmpty else {
      if invocation.has("by-rule"), !printsJSON {
        throw usageFailure("--by-rule requires --json")
      }
      return printsJSON && !invocation.has("by-rule") ? .lines : .rules
    }
    try requireCommand(command)
    do throws(SystemError) {
      return .command(try AnsweringCommand(command, socket: path))
    } catch {
      throw ProgramError(error)
    }
  }
}
