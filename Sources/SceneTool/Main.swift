import SceneApp
import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

@main
enum SceneProgram {
  static func main() {
    StandardStream.prepare()
    do {
      let words = try Arguments.text(of: CurrentProcess.arguments, for: sceneCommand.name)
      switch try sceneCommand.parse(words, columns: Terminal.columns) {
      case .print(let text): print(text)
      case .run(let invocation): CurrentProcess.exit(try serve(invocation))
      }
    } catch let error as UsageError {
      let message = "\(error)\n" + (error.adviceOnDashes ?? "")
      try? StandardStream.error.write(PlainText.escapedLines(message))
      CurrentProcess.exit(ExitCode.usage.rawValue)
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

  private static func serve(_ invocation: Invocation) throws -> Int32 {
    let request = try invocation.connectRequest()
    let firstActivity = try invocation.firstActivity()
    let launch = try invocation.launch()
    let place = try invocation.place()
    let path = place.path
    if let complaint = UnixSocket.complaint(aboutPath: path) {
      fail(complaint, .badConfiguration)
    }
    let program = try hostedProgram(invocation, socket: path)
    Signal.ignoreBrokenPipes()
    // Block the signals before any other thread starts, because threads inherit the mask.
    var more: [Signal] = [.continue]
    if program != nil { more.append(.quit) }
    var handled = JobControl.signals + more.filter { !$0.isIgnored }
    if program != nil { handled.append(.child) }
    let signals = try SignalSource(handled)
    let isJSON = invocation.has("json")
    let screen = Screen(on: program == nil || isJSON ? .output : .error)
    let advice = invocation.advice(socket: path)
    let text = TextLines(advice: advice)
    let forPeople: any OutputFormatter = program == nil ? text : ProgramLines(text: text)
    let formatter = isJSON ? JSONLines() : forPeople
    let programState = program.map { _ in HostedProgramState() }
    let scene = try SceneController(
      screen, formatter, advice, firstActivity: firstActivity, programState: programState)
    let name = program?.name ?? "scene"
    var settings = place.settings(name: name, hosts: ["*"])
    settings.launch = launch
    let debug = Environment["SCENE_DEBUG"]
    if let complaint = FrameDirection.complaint(about: debug) {
      screen.complain("scene: \(complaint.printable)")
    }
    if FrameDirection.areShown(by: debug) {
      settings.onFrame = { screen.complain($0.line(of: $1)) }
    }
    let client = try Client(settings, handler: scene)
    scene.attach(client)
    try client.start()
    if launch != nil {
      scene.awaitLaunch(title: request.title)
    } else if let word = invocation.sessionWord {
      scene.connect(request, toSessionCalled: word)
    } else {
      scene.connect(request)
    }
    let hosted = program.map { HostedSession($0, screen) }
    let shell = try ConsoleLoop(scene, screen, signals, readsJSON: isJSON, hosted: hosted)
    try shell.run()
    let error = hosted?.isLost == true ? nil : client.waitUntilStopped()
    leaveFile(of: scene)
    let code = conclude(error, scene, place, invocation)
    let status = hosted?.end?.shellCode ?? 0
    return status == 0 ? code.rawValue : status
  }

  /// The command behind `--`.
  private static func hostedProgram(
    _ invocation: Invocation, socket: String
  ) throws(UsageError) -> HostedProgram? {
    guard let words = try invocation.hostedCommand() else { return nil }
    do throws(SystemError) {
      return try HostedProgram(words, socket: socket, isApart: invocation.has("json"))
    } catch {
      fail("\(error)", error.isNotFound ? .noCommand : .badCommand)
    }
  }

  /// A file with an activity that is not saved stays.
  private static func leaveFile(of scene: SceneController) {
    guard let complaint = scene.complaintAboutActivity else {
      return scene.programState?.file.remove() ?? ()
    }
    try? StandardStream.error.write("scene: \(PlainText.escapedLines(complaint))\n")
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
      let advice = LockHolder.obstacle(atSocket: place.path) ?? "Start one with: \(start)"
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
    try? StandardStream.error.write("scene: \(PlainText.escapedLines(message))\n")
    CurrentProcess.exit(code.rawValue)
  }
}

extension UsageError {
  /// An unknown word may be a session.
  fileprivate var adviceOnDashes: String? {
    guard case .unknownOption(_, suggestion: nil) = reason else { return nil }
    return "To connect a session whose name begins with a dash, use: \(command) --session=-NAME\n"
  }
}
