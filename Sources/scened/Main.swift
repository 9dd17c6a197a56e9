import CommandLine
import SceneModel
import ScenePlatform
import SceneServer

@main
enum Scened {
  static func main() {
    Signal.ignoreBrokenPipes()
    do throws(UsageError) {
      switch try scenedCommand.parse(Array(CommandLine.arguments.dropFirst())) {
      case .print(let text): try? StandardStream.output.write(text)
      case .run(let invocation): serve(invocation)
      }
    } catch {
      fail(error)
    }
  }

  private static func serve(_ invocation: Invocation) {
    do {
      let (configuration, log) = try invocation.configuration()
      let inherited = try Supervisor.takeListeningSocket()
      let server = try Server(configuration, inherited: inherited, log: log)
      try server.run { () throws(ServerError) in
        let sessions = server.sessionCount == 1 ? "1 session" : "\(server.sessionCount) sessions"
        try Readiness.tell(
          "scened: ready: application \(configuration.application), "
            + "\(configuration.socketPath.abbreviated), \(sessions)\n",
          descriptor: configuration.readyDescriptor, log: log)
      }
    } catch let error as UsageError {
      fail(error)
    } catch let error as ServerError {
      fail(error.description, error.kind.exitCode)
    } catch let error as ApplicationNameError {
      fail(error.description, .usage)
    } catch {
      fail("\(error)", .inputOutput)
    }
  }

  private static func fail(_ error: UsageError) -> Never {
    try? StandardStream.error.write("\(error)\n")
    CurrentProcess.exit(ExitCode.usage.rawValue)
  }

  private static func fail(_ message: String, _ code: ExitCode) -> Never {
    try? StandardStream.error.write("scened: \(message)\n")
    CurrentProcess.exit(code.rawValue)
  }
}

extension ServerError.Kind {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .inUse: .noBroker
    case .badConfiguration: .badConfiguration
    case .notAllowed: .notAllowed
    case .damaged: .badData
    case .inputOutput: .inputOutput
    case .noRoom: .tryAgain
    }
  }
}

extension String {
  /// With the home directory as `~`.
  fileprivate var abbreviated: String {
    guard let home = User.home, hasPrefix(home + "/") else { return self }
    return "~" + dropFirst(home.count)
  }
}
