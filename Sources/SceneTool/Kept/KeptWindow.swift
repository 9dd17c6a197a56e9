import SceneCommandLine
import SceneModel
import ScenePlatform

/// A window that shows the terminal of a holder. The program runs on without the window.
struct KeptWindow {
  private let invocation: Invocation
  private let place: KeptPlace
  /// The arguments of this process, which the holder gets too.
  private let arguments: [String]
  /// Nil for a session without a name.
  private let session: WindowSession?

  /// Nil for a process that cannot show a terminal, or whose command line needs its own scene.
  init?(_ invocation: Invocation, _ arguments: [String], socket: String, isLaunched: Bool) {
    guard Terminal.hasUser, !isLaunched, !invocation.has("json"),
      Holder.current.withLock({ $0 }) == nil
    else { return nil }
    self.invocation = invocation
    self.arguments = arguments
    let options = RuntimePaths.options(
      application: invocation.value("application"), socket: invocation.value("socket"))
    place = KeptPlace(besideSocket: socket, options: options)
    session = invocation.namedSession
  }

  private var word: String? { session?.text }

  // MARK: - Attaching

  /// Shows the terminal of the session if a holder runs. Returns the status of this process; nil
  /// without a holder.
  func attach(_ command: WindowCommand?) throws -> Int32? {
    guard let session, !invocation.has("prompt"),
      let connection = try place.connection(to: session)
    else { return nil }
    let word = session.text
    for option in Self.unusedOptions where invocation.has(option) {
      throw ProgramError(
        .tryAgain,
        "\(PlainText.word(word)) runs already, so --\(option) has no effect; omit it, or "
          + "end the program with: scenectl\(place.options) close \(word.shellWord)")
    }
    return try show(connection, command)
  }

  /// The options that only a new scene uses.
  private static let unusedOptions = [
    "configuration", "role", "title", "activity", "user-info", "url", "background", "resume-with",
    "env", "retry", "ask", "on-activate", "no-reopen", "no-keep", "on-hangup",
  ]

  /// Starts a holder, and shows its terminal.
  func start(_ command: WindowCommand?) throws -> Int32 {
    while true {
      do {
        if let status = try show(try place.start(arguments, for: session), command) {
          return status
        }
      } catch let error as SystemError {
        throw ProgramError(.inputOutput, "the terminal cannot be kept: \(error)")
      }
    }
  }

  /// Nil if the holder has ended before it could greet.
  private func show(
    _ connection: consuming HolderConnection, _ command: WindowCommand?
  ) throws -> Int32? {
    let ending = Signal.ending + [.terminalStop]
    let signals = try SignalSource(
      ending.filter { !$0.isIgnored } + [.continue, .windowChange])
    let path = connection.path
    let label = PlainText.word(word ?? "scene")
    var end = try run(connection, signals, command)
    while true {
      switch end {
      case nil: return nil
      case .ended(let status, let text):
        if !text.isEmpty { printMessage(text) }
        return Int32(status)
      case .detached(.background):
        printMessage("\(program(at: path)) in the background; to attach: \(attachCommand)")
        return 0
      case .signalled(.terminalStop), .detached(.stopped):
        printMessage("\(program(at: path)); fg attaches again")
        // Without a shell that could continue it, this process shows the program again.
        if !ProcessGroup.hasNoShell, let signal = try stop(signals) {
          CurrentProcess.end(by: signal)
        }
        guard let connection = place.connection(at: path) else {
          throw ProgramError(
            .failure, "\(label): the program has ended; to run it again: \(attachCommand)")
        }
        end = try run(connection, signals, command)
      case .signalled(let signal): CurrentProcess.end(by: signal)
      case .lost:
        throw ProgramError(
          .inputOutput,
          "\(label): the process that kept the terminal was ended, and its program "
            + "with it; to run it again: \(attachCommand)")
      }
    }
  }

  /// Shows the terminal until the viewer ends. The connection ends with it, so that a process that
  /// stops shows no window. Returns nil if the holder has ended before it could greet.
  private func run(
    _ connection: consuming HolderConnection, _ signals: SignalSource, _ command: WindowCommand?
  ) throws -> Viewer.End? {
    let (path, isNew, holder) = (connection.path, connection.isNew, connection.process)
    let viewer = Viewer(connection, signals)
    switch try viewer.greeting(of: word ?? "", options: place.options) {
    case .none where isNew:
      throw ProgramError(.fault, "the process of the terminal ended before it showed a program")
    case .none: return nil
    case .end(let status, let text): return .ended(status: status, text: text)
    case .record(let record): if !isNew { try report(record, command, at: path) }
    }
    if let signal = try awaitForeground(signals) { return .signalled(signal) }
    let end = try viewer.run()
    // The broker reads how a process ended after its parent has reaped it.
    if case .lost = end, let holder { _ = try? ChildProcess(pid: Int32(holder)).reap() }
    return end
  }

  /// Stops until a shell moves this process to the foreground. A process in the background could
  /// not end while it changes the mode of the terminal. Returns a signal that ends this process.
  private func awaitForeground(_ signals: SignalSource) throws -> Signal? {
    while !ProcessGroup.hasNoShell, !Terminal.canChange(StandardStream.input.number) {
      if let signal = try stop(signals) { return signal }
    }
    return nil
  }

  /// Returns after SIGCONT, with a signal that ends this process.
  private func stop(_ signals: SignalSource) throws -> Signal? {
    try CurrentProcess.stop()
    var end: Signal?
    while let signal = try signals.next() {
      if Signal.ending.contains(signal) { end = signal }
    }
    return end
  }

  /// Reports what this window shows. Throws if the command of the command line is another one.
  private func report(_ record: HolderRecord, _ command: WindowCommand?, at path: String) throws {
    let name =
      invocation.argument("NAME") ?? record.name ?? word ?? record.session.map { "\($0)" }
      ?? "the session"
    // A terminal that shows itself repeats its own output without end.
    guard record.session == nil || Environment["SCENE_SESSION"] != record.session?.description
    else {
      throw ProgramError(
        .tryAgain,
        PlainText.escaped("\(name) is the session of this terminal; attach in another terminal"))
    }
    // A greeting has no arguments that are too long for it.
    let arguments = record.arguments ?? KeptPlace.record(besideSocket: path)?.arguments
    if let command, let arguments, arguments != command.words {
      let running = arguments.map(\.shellWord).joined(separator: " ").clipped(to: 100)
      throw ProgramError(
        .tryAgain,
        PlainText.escaped(
          "\(name) runs \(running); to attach: \(attachCommand); to end it: "
            + "scenectl\(place.options) close \(name.shellWord)"))
    }
    guard let process = record.process, let started = record.started else { return }
    let seconds = max(0, SystemClock.wall() / 1_000_000 - started) / 1000
    printMessage(
      "\(name): attached to \(process.name) \(process.pid), which has run for "
        + Self.duration(seconds))
  }

  private static func duration(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86400: "\(seconds / 3600) h"
    default: "\(seconds / 86400) d"
    }
  }

  private func program(at path: String) -> String {
    let record = KeptPlace.record(besideSocket: path)
    let name = (record?.name ?? word).map { "\($0): " } ?? ""
    return name + (record?.process.map { "\($0.name) \($0.pid)" } ?? "the program") + " runs on"
  }

  private var attachCommand: String {
    let session = word.map { invocation.argument("NAME") == nil ? "--session=\($0)" : $0 }
    return "scene\(place.options)" + (session.map { " " + $0.shellWord } ?? "")
  }

  private func printMessage(_ text: String) {
    StandardStream.error.offer("scene: \(PlainText.escaped(text))\n", required: true)
    StandardStream.finishOutput()
  }
}

extension Invocation {
  /// Whether the command line or `action`, the setting of the environment, keeps the terminal of
  /// this command. A stored command has its own setting.
  func keepsTerminal(
    by action: HangupAction, isLaunched: Bool
  ) throws(UsageError) -> Bool {
    let isAsked = onHangup == .keep
    if isLaunched {
      guard isAsked else { return false }
      throw usageError(
        "--keep cannot be used in a launch of the manifest, because the broker ends the programs "
          + "that it launched; omit --keep")
    }
    guard isAsked || onHangup == nil && action == .keep && trailing != nil else { return false }
    guard isAsked else { return Terminal.hasUser && !has("json") && !has("background") }
    if has("json") { throw usageError("--keep and --json cannot be used together; omit one") }
    if has("background") || has("prompt") {
      throw usageError(
        "--keep and --\(has("prompt") ? "prompt" : "background") cannot be used together; omit one")
    }
    guard Terminal.hasUser else {
      throw usageError("--keep needs a terminal as standard input and output")
    }
    return true
  }
}
