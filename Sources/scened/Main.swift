import SceneCommandLine
import SceneJournal
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer

@main
enum Scened {
  static func main() {
    StandardStream.prepare()
    let settings = UserSettings.load()
    do {
      let words = try Arguments.text(of: CurrentProcess.arguments, for: scenedCommand.name)
      switch try scenedCommand.parse(words, columns: Terminal.columns) {
      case .print(let text): print(text)
      case .run(let invocation):
        try settings.get()
        serve(invocation)
      }
    } catch {
      fail(error, Log())
    }
  }

  private static func print(_ text: String) {
    do throws(SystemError) {
      try StandardStream.output.write(text)
    } catch {
      say("scened: standard output: \(error.code)")
      CurrentProcess.exit(ExitCode.inputOutput.rawValue)
    }
  }

  private static func serve(_ invocation: Invocation) {
    // The broker must survive the end of its log's reader.
    Signal.ignoreBrokenPipes()
    Signal.ignoreFileSizeLimits()
    CurrentProcess.disableCoreFiles()
    let log = invocation.log
    var command: HostedCommand?
    var directory: PrivateRuntimeDirectory?
    var upgrade: UpgradeSource?
    do {
      try checkStack()
      if let number = invocation.integer("check-upgrade") {
        return try checkUpgrade(FileDescriptor(adopting: Int32(number)), invocation)
      }
      upgrade = try UpgradeState.inherited().map { UpgradeSource($0) }
      command = try invocation.command()
      if command != nil { directory = try PrivateRuntimeDirectory(for: invocation) }
      var configuration = try invocation.configuration(
        in: directory?.path, upgrade: upgrade)
      configuration.command = command
      guard !invocation.has("print") || invocation.has("check") else {
        throw invocation.usageError("--print needs --check; add --check, or remove --print")
      }
      if invocation.has("check") {
        return try ManifestCheck.report(on: configuration, prints: invocation.has("print"))
      }
      try directory?.make()
      try serve(configuration, log)
      directory?.remove(log)
    } catch {
      directory?.remove(log)
      upgrade?.state?.giveBack(because: explanation(of: error).0, version: productVersion)
      fail(error, log)
    }
    if let command { CurrentProcess.exit(command.statusForCaller) }
  }

  /// Checks that this program can replace a broker with the same command line.
  private static func checkUpgrade(
    _ state: consuming FileDescriptor, _ invocation: Invocation
  ) throws {
    let upgrade = UpgradeSource(try UpgradeState(in: state))
    let configuration = try invocation.configuration(in: nil, upgrade: upgrade)
    try Journal.checkFormat(DirectoryStorage(configuration.stateDirectory))
    try StandardStream.output.write(UpgradeCheck.consent)
  }

  /// A stack that overflows ends the broker while it serves.
  private static func checkStack() throws(ProgramError) {
    guard let limit = CurrentProcess.stackLimit, limit < 256 << 10 else { return }
    throw ProgramError(
      .badConfiguration,
      "the limit of the stack is \(limit >> 10) KiB, and scened needs 256 KiB; run: ulimit -s 8192")
  }

  private static func serve(_ configuration: ServerConfiguration, _ log: Log) throws {
    for warning in configuration.manifestWarnings {
      log.warn("\(configuration.manifestSource?.name ?? ""): \(warning.line)")
    }
    var configuration = configuration
    // A JSON log is for programs, also on a terminal.
    let line =
      log.format == .text ? ProgressLine.onStandardError(terminal: Environment["TERM"]) : nil
    configuration.startProgress = StartProgress(line: line)
    let inherited = configuration.upgrade == nil ? try inheritedSocket() : nil
    let server = try Server(configuration, inherited: inherited, log: log)
    log.limitSize(of: BrokerLog(besideSocket: Directory.absolute(server.socketPath)))
    try server.run { () throws(ProgramError) in
      let sessions = server.sessionCount == 1 ? "1 session" : "\(server.sessionCount) sessions"
      let line = PlainText.escaped(
        "ready: application \(configuration.applicationForPeople), "
          + "\(server.socketPath.abbreviated), \(sessions)")
      try Readiness.tell(configuration.readyDescriptor, log: log)
      guard let command = configuration.command else {
        // A closed standard output is no error.
        StandardStream.output.offer("scened: \(line)\n")
        return
      }
      log.note(line)
      try command.start(socket: Directory.absolute(server.socketPath))
    }
  }

  /// The listening socket from the supervisor; nil if there is none.
  private static func inheritedSocket() throws -> FileDescriptor? {
    do throws(SystemError) {
      return try Supervisor.takeListeningSocket()
    } catch {
      guard let note = error.note else { throw ProgramError(error) }
      throw ProgramError(.inputOutput, "cannot use the socket of $LISTEN_FDS: \(note)")
    }
  }

  /// Logs the error and exits. A usage error has the format of all programs unless the log is JSON.
  private static func fail(_ error: any Error, _ log: Log) -> Never {
    if let error = error as? UsageError, log.format == .text {
      say("\(error)")
      CurrentProcess.exit(ExitCode.usage.rawValue)
    }
    if let error = error as? ManifestError {
      for line in error.lines { log.fail(line) }
      CurrentProcess.exit(ExitCode.badConfiguration.rawValue)
    }
    let (message, code) = explanation(of: error)
    log.fail(message)
    CurrentProcess.exit(code.rawValue)
  }

  private static func say(_ line: String) {
    StandardStream.error.offer(PlainText.escapedLines(line) + "\n", required: true)
  }

  private static func explanation(of error: any Error) -> (String, ExitCode) {
    switch error {
    case let error as UsageError: ("\(error.message)\n\(error.hint)", .usage)
    case let error as EnvironmentError: (error.description, .badConfiguration)
    case let error as ProgramError: (error.message, error.code)
    default: ("\(error)", .inputOutput)
    }
  }
}

extension ServerConfiguration {
  /// The application's name, with the manifest's name.
  fileprivate var applicationForPeople: String {
    let bundle = [manifest.bundleName, manifest.bundleVersion].compactMap(\.self)
    guard !bundle.isEmpty else { return application.description }
    return "\(application) (\(PlainText.escaped(bundle.joined(separator: " "))))"
  }
}

extension String {
  /// The path with `~` for the home directory.
  fileprivate var abbreviated: String {
    guard let home = User.home, hasPrefix(home + "/") else { return self }
    return "~" + dropFirst(home.count)
  }
}
