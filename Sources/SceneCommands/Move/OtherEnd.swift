import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneScript

/// The scenectl of the other host: a child of this process that speaks the exchange.
struct OtherEnd {
  private let host: String
  private let isRemote: Bool
  private let timeoutText: String
  private let sshCommand: String
  private let child: ManagedProcess
  let channel: MoveChannel

  /// Starts the child.
  init(_ host: String, verb: [String], in context: CommandContext) throws {
    self.host = PlainText.escaped(host)
    let ssh = context.environment["SCENE_SSH"].flatMap { $0.isEmpty ? nil : $0 } ?? "ssh"
    sshCommand = ssh
    timeoutText = context.timeoutText ?? ""
    let remote = context.invocation.value("remote")
    isRemote = remote != nil
    var words = try context.words(
      of: remote ?? ssh, remote == nil ? "SCENE_SSH" : "--remote")
    if remote == nil {
      let name = try context.runtimePaths().application
      words += [host, Self.shellCommand(application: name, verb)]
    } else {
      words += verb
    }
    var input = try FileDescriptor.pipe()
    var output = try FileDescriptor.pipe()
    let reader = input.takeFirst()
    let writer = output.takeSecond()
    do throws(SystemError) {
      child = try ManagedProcess(
        words[0], Array(words.dropFirst()), environment: context.environment,
        descriptors: [0: reader.number, 1: writer.number])
    } catch {
      throw ProgramError(.noBroker, "\(self.host): \(error)")
    }
    channel = try MoveChannel(
      input: output.takeFirst(), output: input.takeSecond(),
      timeout: context.invocation.nanoseconds("timeout"))
  }

  /// The command for a shell of any kind. A remote command has no login shell, so `PATH` can lack
  /// the directory of `scripts/install`.
  static func shellCommand(application: ApplicationName, _ verb: [String]) -> String {
    let options = application == .default ? [] : ["-a", application.description]
    return
      (["env", "\"PATH=$HOME/.local/bin:$PATH\"", "scenectl"] + (options + verb).map(\.shellWord))
      .joined(separator: " ")
  }

  /// Performs the exchange, and waits for the end of the child.
  func run<Result>(_ exchange: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try exchange()
    } catch let failure as MoveFailure {
      throw explained(failure)
    } catch {
      try? channel.send(.refuse(MoveRefusal("the other end failed")))
      _ = end()
      throw error
    }
    _ = end()
    return result
  }

  /// The end of the child. It follows the end of the exchange at once.
  private func end() -> ProcessEnd? {
    channel.close()
    if let end = child.waitForEnd(until: SystemClock.monotonic() + Self.exitTimeout) { return end }
    child.killAndWait()
    return nil
  }

  private static let exitTimeout: Int64 = 2_000_000_000

  /// The error for the user.
  private func explained(_ failure: MoveFailure) -> ProgramError {
    if failure.connection == nil, !failure.isFromOtherEnd, !failure.isUnconfirmed {
      try? channel.send(.refuse(failure.refusal))
    }
    if failure.connection == .timedOut { try? child.send(.terminate) }
    let end = end()
    let rest =
      failure.isUnconfirmed
      ? "; \(failure.label ?? "the session") can be away: the same command finishes the move"
      : "; no session has moved"
    switch failure.connection {
    case nil:
      let status = ExitCode(rawValue: Int32(clamping: failure.refusal.status)) ?? .failure
      let subject = failure.isFromOtherEnd ? "\(host): " : ""
      // A hint on a later line can be copied.
      let lines = PlainText.escapedLines(failure.refusal.message).split(
        separator: "\n", maxSplits: 1)
      return ProgramError(
        status,
        subject + (lines.first ?? "") + (failure.isUnconfirmed ? rest : "")
          + lines.dropFirst().map { "\n\($0)" }.joined())
    case .timedOut:
      return ProgramError(
        .timedOut, "timed out after \(timeoutText): \(host) does not answer\(rest)")
    case .ended:
      return ended(end, rest)
    case .foreign(let line)?:
      return ProgramError(
        .badData,
        "\(host): expected a line of the exchange, found \"\(PlainText.escaped(line))\"; a shell "
          + "profile of \(host) can print it: let it print only in interactive shells\(rest)")
    case .invalid?, .tooLong?:
      return ProgramError(
        .badData,
        "\(host): \(failure.connection?.message ?? ""); install the same version of "
          + "scenectl at both hosts\(rest)")
    case .failed(let error)?:
      return ProgramError(.inputOutput, "\(host): \(error)\(rest)")
    }
  }

  private func ended(_ end: ProcessEnd?, _ rest: String) -> ProgramError {
    switch end {
    case .exited(255)?:
      ProgramError(
        .noBroker,
        isRemote
          ? "\(host) is unreachable: the command of --remote ended with status 255\(rest)"
          : "\(host) is unreachable; check with: \(sshCommand) \(host) true\(rest)")
    case .exited(127)?, .exited(126)?:
      ProgramError(
        .noBroker,
        "\(host) has no scenectl in PATH or ~/.local/bin; install it there, or name it with: "
          + "--remote '\(isRemote ? "" : "\(sshCommand) \(host) ")PATH-OF-SCENECTL'\(rest)")
    case .exited(let status)? where status != 0 && status != 65:
      ProgramError(
        ExitCode(rawValue: status) ?? .badData,
        "\(host): scenectl exited with status \(status)\(rest)")
    default:
      ProgramError(
        .badData, "\(host) closed the connection in the middle of the exchange; try again\(rest)")
    }
  }
}
