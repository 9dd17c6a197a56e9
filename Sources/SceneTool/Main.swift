import SceneApp
import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

@main
enum SceneProgram {
  static func main() {
    StandardStream.prepare()
    let settings = UserSettings.load()
    do {
      let words = try Arguments.text(of: CurrentProcess.arguments, for: sceneCommand.name)
      switch try sceneCommand.parse(words, columns: Terminal.columns) {
      case .print(let text): print(text)
      case .run(let invocation):
        try settings.get()
        end(try serve(invocation, words))
      }
    } catch let error as UsageError {
      let message = "\(error)\n" + (error.adviceOnDashes ?? "")
      StandardStream.error.offer(PlainText.escapedLines(message), required: true)
      end(ExitCode.usage.rawValue)
    } catch let error as ProgramError {
      fail(error)
    } catch let error as EnvironmentError {
      fail(error.description, .badConfiguration)
    } catch let error as SceneError {
      fail(error.message, .badConfiguration)
    } catch {
      fail("\(error)", .inputOutput)
    }
  }

  private static func print(_ text: String) {
    do throws(SystemError) {
      try StandardStream.output.write(text)
    } catch {
      fail("standard output: \(error.code)", .inputOutput)
    }
  }

  private static func serve(_ invocation: Invocation, _ words: [String]) throws -> Int32 {
    var request = try invocation.connectRequest()
    let firstActivity = try invocation.firstActivity()
    let launch = try invocation.launch()
    let place = try invocation.place()
    let path = place.path
    if let complaint = UnixSocket.complaint(aboutPath: path) {
      fail(complaint, .badConfiguration)
    }
    var command = try invocation.givenCommand()
    let windowSettings = try invocation.windowSettings()
    let keeps = try invocation.keepsTerminal(
      by: windowSettings.onHangup, isLaunched: launch != nil)
    // The setting of the environment is stored too: another terminal can lack it.
    if keeps { command?.program.onHangup = .keep }
    let advice = invocation.advice(socket: path)
    let isHolder = CurrentProcess.calledAs == Holder.processName
    let holderSignals = isHolder ? try blockSignals(canHost: true) : nil
    if isHolder { try startHolder(command, invocation, advice) }
    let window =
      isHolder ? nil : KeptWindow(invocation, words, socket: path, isLaunched: launch != nil)
    if let status = try window?.attach(command) { return status }
    try startBroker(invocation, at: path)
    request.program = command?.program
    let sought = launch == nil ? invocation.sessionWithCommand : nil
    if command == nil, sought == nil { _ = try invocation.storedCommand(of: nil) }
    let program = command.map { hostedProgram($0, invocation, socket: path) }
    if keeps, let window { return try window.start(command) }
    Signal.ignoreBrokenPipes()
    let signals = try holderSignals ?? blockSignals(canHost: program != nil || sought != nil)
    let isJSON = invocation.has("json")
    let screen = Screen(on: program == nil || isJSON ? .output : .error, printsJSON: isJSON)
    let programState = program.map { _ in HostedProgramState(storing: command?.program) }
    let scene = try SceneController(
      screen, advice, windowSettings, printsJSON: isJSON,
      firstActivity: firstActivity, programState: programState)
    var settings = place.settings(name: program?.name ?? "scene", hosts: ["*"])
    settings.launch = { launch }
    settings.waitsForBroker = invocation.has("wait")
    settings.onFrame = frameObserver(screen)
    let client = try Client(settings, handler: scene)
    scene.attach(client)
    Holder.current.withLock { $0 }?.follow { scene.show($0) }
    try client.start()
    if launch != nil {
      scene.awaitLaunch(title: request.title)
    } else if let sought {
      scene.find(sought)
    } else if let word = invocation.sessionWord {
      scene.connect(request, toSessionCalled: word)
    } else if let stored = request.program, request.name == nil, request.session == nil,
      !request.new
    {
      scene.connect(request, toSessionOf: stored)
    } else {
      scene.connectReplacing(request)
    }
    let hosted = program.map { HostedSession($0, screen, isTyped: launch == nil) }
    let pending = sought.map { _ in
      PendingWindow(request: request, invocation: invocation, socket: path)
    }
    let shell = try ConsoleLoop(
      scene, screen, signals, readsJSON: isJSON, hosted: hosted, pending: pending)
    try shell.run()
    let error = shell.hosted?.isLost == true ? nil : client.waitUntilStopped()
    if shell.keepsTerminal, error == nil, !shell.isEnding {
      signals.restore()
      fail(keepTerminal(words))
    }
    if let command = shell.replacement, error == nil, !shell.isEnding {
      signals.restore()
      fail(execute(command, socket: path))
    }
    leaveFile(of: scene)
    scene.reportMove(socket: path)
    if shell.finalCause == .hangup, error == nil { scene.awaitHost(signals, socket: path) }
    let code = conclude(error, scene, place, invocation)
    let status = shell.hosted?.end?.shellCode ?? 0
    return status == 0 ? code.rawValue : status
  }

  /// Blocks the handled signals before any other thread starts, because threads inherit the mask.
  private static func blockSignals(canHost: Bool) throws -> SignalSource {
    var optional: [Signal] = [.continue]
    if canHost { optional.append(.quit) }
    var handled = JobControl.signals + optional.filter { !$0.isIgnored }
    if canHost { handled.append(.child) }
    return try SignalSource(handled)
  }

  /// Shows each frame if `$SCENE_DEBUG` demands it.
  private static func frameObserver(_ screen: Screen) -> FrameObserver? {
    let debug = Environment["SCENE_DEBUG"]
    if let complaint = FrameDirection.complaint(about: debug) {
      screen.complain("scene: \(complaint.printable)")
    }
    guard FrameDirection.areShown(by: debug) else { return nil }
    return { screen.complain($0.line(of: $1)) }
  }

  /// Starts a broker if the user asks for it and none runs.
  private static func startBroker(_ invocation: Invocation, at path: String) throws(ProgramError) {
    let isWanted = BrokerStart.isWanted(by: Environment[BrokerStart.variable])
    guard invocation.has("start") || isWanted && !invocation.has("wait") else { return }
    do throws(BrokerStartError) {
      try BrokerStart(at: path, application: invocation.value("application")).run()
    } catch {
      throw ProgramError(.noBroker, error.message.printable)
    }
  }

  /// The program that runs in this scene.
  static func hostedProgram(
    _ command: WindowCommand, _ invocation: Invocation, socket: String
  ) -> HostedProgram {
    do throws(SystemError) {
      return try HostedProgram(command, socket: socket, isApart: invocation.has("json"))
    } catch {
      fail(command.failure(error))
    }
  }

  /// Replaces this process by a program that connects to its session itself.
  private static func execute(_ command: WindowCommand, socket: String) -> ProgramError {
    do throws(SystemError) {
      let directory = command.program.directory
      let path = try Executable.path(of: command.words, in: directory)
      return command.failure(
        CurrentProcess.execute(
          path, command.words, in: directory,
          changing: command.environment(socket: Directory.absolute(socket))))
    } catch {
      return command.failure(error)
    }
  }

  /// Replaces this process by one that keeps the terminal of the stored command.
  private static func keepTerminal(_ words: [String]) -> ProgramError {
    do throws(SystemError) {
      let error = CurrentProcess.execute(
        try Executable.current(), [sceneCommand.name, "--keep"] + words,
        in: try Directory.current(), changing: [:])
      throw error
    } catch {
      return ProgramError(.badCommand, "the terminal cannot be kept: \(error)")
    }
  }

  /// Makes this process the holder of its terminal, after the signals are blocked and before
  /// anything can fail.
  private static func startHolder(
    _ command: WindowCommand?, _ invocation: Invocation, _ advice: Suggestion
  ) throws(ProgramError) {
    var record = HolderRecord()
    record.name = invocation.argument("NAME")
    record.holder = Int64(ProcessIdentity.currentPID)
    record.arguments = command?.words
    do throws(SystemError) {
      _ = try Holder(record, options: advice.options)
    } catch {
      throw ProgramError(.fault, "the terminal cannot be kept: \(error)")
    }
  }

  /// Ends this process, and before that the windows of its terminal.
  static func end(_ status: Int32, awaitingViewers: Bool = true) -> Never {
    Holder.current.withLock { $0 }?.end(status, awaitingViewers: awaitingViewers)
    CurrentProcess.exit(status)
  }

  private static func fail(_ error: ProgramError) -> Never { fail(error.message, error.code) }

  /// A file with an activity that is not saved stays.
  private static func leaveFile(of scene: SceneController) {
    if let problem = scene.state.withLock({ $0.work.commandProblem }) {
      try? StandardStream.error.write("scene: \(PlainText.escapedLines(problem))\n")
    }
    guard let complaint = scene.complaintAboutActivity else {
      return scene.programState?.file.directory?.remove() ?? ()
    }
    StandardStream.error.offer("scene: \(PlainText.escapedLines(complaint))\n", required: true)
  }

  private static func conclude(
    _ error: SceneError?, _ scene: SceneController, _ place: BrokerAddress, _ invocation: Invocation
  ) -> ExitCode {
    if let error {
      // If no broker can ever run there, do not suggest to start one.
      guard error.code == .brokerUnavailable, error.retry != .never else {
        let advice = error.code == .wrongApplication ? place.adviceOnStranger : nil
        fail(error.message.printable + (advice.map { "\n" + $0 } ?? ""), ExitCode(error))
      }
      let start = RuntimePaths.startCommand(
        application: invocation.value("application"), socket: invocation.value("socket"))
      let advice =
        LockHolder.obstacle(atSocket: place.path)
        ?? "\(BrokerStart.advice)\nStart one with: \(start)"
      let absence = RuntimePaths.absence(of: invocation.value("application"))
      fail("\(absence): \(error.message.printable)\n\(advice)", .noBroker)
    }
    let (code, complaint, hasLostReader) = scene.state.withLock {
      ($0.end.code, $0.end.complaint, $0.end.hasLostReader)
    }
    if let complaint { fail(complaint, code) }
    if hasLostReader { CurrentProcess.endByBrokenPipe() }
    return code
  }

  private static func fail(_ message: String, _ code: ExitCode) -> Never {
    StandardStream.error.offer("scene: \(PlainText.escapedLines(message))\n", required: true)
    end(code.rawValue)
  }
}

extension UsageError {
  /// An unknown word may be a session.
  fileprivate var adviceOnDashes: String? {
    guard isUnknownOption, suggestion == nil else { return nil }
    return "To connect a session whose name begins with a dash, use: \(command) --session=-NAME\n"
  }
}
