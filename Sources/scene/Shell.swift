import CommandLine
import SceneClient
import ScenePlatform

/// The main thread: keys or lines, signals, what the scene has to say, and the program that the
/// scene may be.
final class Shell {
  let scene: ShellScene
  private let screen: Screen
  private let signals: SignalSource
  let poller: Poller
  private let readsJSON: Bool
  /// What the scene is about; nil where that is what a person types.
  let hosting: Hosting?
  /// Whether a person types at a prompt.
  private let isInteractive: Bool
  /// Whether input and output are a program's.
  private let isSilent: Bool

  private var editor = LineEditor()
  private var splitter = LineSplitter()
  /// What was typed or sent and has not had its turn; also what is no command.
  private var commands: [Result<GivenCommand, CommandError>] = []
  private var isReady = false
  /// Commands that do not come from a person are carried out one after the other.
  private var isBusy = false
  private var isReading = false
  private var isAtEnd = false
  private(set) var ending = Ending.unasked
  /// The client has ended.
  private(set) var isStopped = false
  private var isOver = false
  /// The terminal's own mode, while it is in another.
  private var mode: Terminal.Mode?
  /// What comes by itself, and when.
  private var pauses: [Pause: Int64] = [:]

  enum Ending {
    case unasked
    /// By a signal. One that comes right behind is the same one told twice, as `timeout` does: to
    /// the process and to its group.
    case begun
    /// The next signal is meant as another one.
    case insistable
  }

  enum Pause {
    /// Until it is said that the broker has not answered yet.
    case answer
    /// Until it is looked whether the terminal's keys come here: a shell brings a job that runs to
    /// the foreground without a word to it.
    case keys
    /// Until a signal is another one.
    case signal
    /// Until the program's file is looked at: whoever writes it may not be done.
    case file
    /// Until it is looked whether the terminal's keys can be lent to the program.
    case loan
    /// Until a program that was asked to end is hung up on.
    case hangup
    /// Until it is killed.
    case kill
    /// Until what the program wrote last is given up.
    case lastSave

    fileprivate var nanoseconds: Int64 {
      switch self {
      // Longer than a broker that is well takes over a connection.
      case .answer: 1_000_000_000
      case .keys: 200_000_000
      case .signal: 500_000_000
      case .file: 200_000_000
      case .loan: 200_000_000
      case .hangup: Farewell.patience.hangup
      case .kill: Farewell.patience.kill
      case .lastSave: 2_000_000_000
      }
    }
  }

  enum Token {
    static let input: UInt64 = 0
    static let signals: UInt64 = 1
    static let scene: UInt64 = 2
    static let output: UInt64 = 3
    static let file: UInt64 = 4
    static let events: UInt64 = 5
  }

  init(
    _ scene: ShellScene, _ screen: Screen, _ signals: SignalSource, readsJSON: Bool,
    hosting: Hosting? = nil
  ) throws(SystemError) {
    self.hosting = hosting
    self.scene = scene
    self.screen = screen
    self.signals = signals
    self.readsJSON = readsJSON
    let isTerminal = StandardStream.input.isTerminal && StandardStream.output.isTerminal
    isInteractive = isTerminal && !readsJSON && hosting == nil
    poller = try Poller(capacity: 8)
    try poller.add(signals.number, token: Token.signals, interest: .readable)
    try poller.add(scene.wakeup.number, token: Token.scene, interest: .readable)
    isSilent = hosting != nil && !readsJSON
    // Nothing is asked for, so only its reader's going is told; a terminal tells by HUP.
    let output = StandardStream.output
    if !output.isTerminal, !isSilent {
      try? poller.add(output.number, token: Token.output, interest: [])
    }
  }

  /// Serves until the client has ended.
  func run() throws(SystemError) {
    beginReading()
    begin(.answer)
    var events: ContiguousArray<PollEvent> = []
    while !isOver {
      let left = pauses.values.min().map { max(0, $0 - SystemClock.monotonic()) }
      try poller.wait(nanoseconds: left, into: &events)
      for event in events {
        switch event.token {
        case Token.signals: while let signal = try signals.nextDelivery() { take(signal) }
        case Token.scene: takeNews()
        case Token.file: takeWatch()
        case Token.events: scene.desk?.events?.goOn()
        case Token.output: if event.hungUp { loseReader() }
        default: readInput()
        }
      }
      // Last: what has come by now came before a pause was over.
      if !isOver { endPauses() }
      try followEvents()
    }
    screen.showPrompt(nil)
    leaveTerminal()
    scene.closeInbox()
  }

  /// Serves no longer.
  func finish() { isOver = true }

  func begin(_ pause: Pause) {
    pauses[pause] = SystemClock.monotonic() + pause.nanoseconds
  }

  func isIn(_ pause: Pause) -> Bool { pauses[pause] != nil }

  func cancel(_ pause: Pause) { pauses[pause] = nil }

  private func endPauses() {
    let now = SystemClock.monotonic()
    for (pause, end) in pauses where end <= now {
      pauses[pause] = nil
      switch pause {
      case .answer: scene.tellIfUnanswered()
      case .keys: beginReading()
      case .signal: ending = .insistable
      case .file: scene.lookAtFile()
      case .loan: lendKeys()
      case .hangup, .kill: insistOnEnd(pause)
      case .lastSave: finishProgram()
      }
    }
  }

  /// Nobody will read what the scene has to say.
  private func loseReader() {
    try? poller.remove(StandardStream.output.number)
    scene.loseReader()
  }

  // MARK: - The terminal

  /// A terminal is read only while its keys come here: in the background that would stop the
  /// process.
  private func beginReading() {
    guard !isSilent else { return }
    let input = StandardStream.input
    if input.isTerminal, !Terminal.isInForeground(of: input.number) { return begin(.keys) }
    if isInteractive, mode == nil, let own = try? Terminal.Mode(of: input.number) {
      mode = own
      try? own.unechoed.apply(to: input.number)
      showPrompt()
    }
    guard !isReading, !isAtEnd else { return }
    isReading = (try? poller.add(input.number, token: Token.input, interest: .readable)) != nil
  }

  private func stopReading() {
    guard isReading else { return }
    isReading = false
    try? poller.remove(StandardStream.input.number)
  }

  private func leaveTerminal() {
    guard let own = mode else { return }
    mode = nil
    let number = StandardStream.input.number
    if Terminal.isInForeground(of: number) { try? own.apply(to: number) }
  }

  // MARK: - Input

  private func readInput() {
    guard isReading, ownsKeys() else { return }
    let outcome = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
      let outcome = StandardStream.input.read(into: room)
      guard case .bytes(let count) = outcome else { return (outcome, [UInt8]()) }
      return (outcome, Array(room[..<count]))
    }
    switch outcome {
    case (.bytes, let bytes): if isInteractive { edit(bytes) } else { split(bytes) }
    case (.wouldBlock, _): break
    case (.end, _), (.failed, _): endInput()
    }
  }

  /// Keys that are somebody else's by now would stop whoever reads them: a shell has taken its
  /// terminal back, because another process of this job was stopped.
  private func ownsKeys() -> Bool {
    let input = StandardStream.input
    guard input.isTerminal, !Terminal.isInForeground(of: input.number) else { return true }
    stopReading()
    begin(.keys)
    return false
  }

  private func edit(_ bytes: [UInt8]) {
    for byte in bytes {
      switch editor.take(byte) {
      case .line(let line):
        screen.commit(line)
        take(line)
      case .unreadable(let error):
        screen.commit(editor.text)
        refuse(CommandError(message: error.description))
      case .end: close()
      case nil: break
      }
    }
    showPrompt()
  }

  private func showPrompt() {
    if isReady, mode != nil, ending == .unasked { screen.showPrompt(editor.text) }
  }

  private func split(_ bytes: [UInt8]) {
    for line in splitter.take(bytes) { take(line) }
  }

  private func take(_ line: GivenLine) {
    switch line.content {
    case .text(let text): take(text, number: line.number)
    case .tooLong:
      let message = "it has more than \(LineSplitter.limit) bytes"
      refuse(CommandError(message: message), inLine: line.number)
    case .unreadable(let error):
      refuse(CommandError(message: error.description), inLine: line.number)
    }
  }

  private func endInput() {
    if let line = splitter.takeRest() { take(line) }
    stopReading()
    isAtEnd = true
    // At a terminal the end of the input is Ctrl-D.
    if StandardStream.input.isTerminal { close() }
  }

  private func take(_ line: String, number: Int? = nil) {
    do throws(CommandError) {
      if readsJSON {
        if let given = try ShellCommand.read(json: line) { carryOut(.success(given)) }
      } else if let command = try ShellCommand.read(line: line) {
        carryOut(.success(GivenCommand(command: command)))
      }
    } catch {
      refuse(error, inLine: number)
    }
  }

  private func refuse(_ error: CommandError, inLine number: Int? = nil) {
    var error = error
    if let number { error.message = "line \(number): \(error.message)" }
    carryOut(.failure(error))
  }

  private func close() { carryOut(.success(GivenCommand(command: .close))) }

  private func carryOut(_ command: Result<GivenCommand, CommandError>) {
    commands.append(command)
    carryOutCommands()
  }

  private func carryOutCommands() {
    while isReady, !isBusy, let command = commands.first {
      commands.removeFirst()
      isBusy = !isInteractive
      switch command {
      case .success(let given):
        if given.command == .crash { leaveTerminal() }
        scene.carryOut(given)
      case .failure(let error): scene.refuse(error)
      }
    }
  }

  // MARK: - Signals

  private func take(_ delivery: SignalSource.Delivery) {
    if hand(delivery) { return }
    switch delivery.signal {
    case .terminalStop: scene.goHome()
    case .continue: comeForward()
    default: end(by: delivery.signal)
    }
  }

  private func end(by signal: Signal) {
    switch ending {
    case .unasked:
      ending = .begun
      begin(.signal)
      // The scene follows its program.
      if endProgram(by: signal) { return }
      screen.showPrompt(nil)
      if !readsJSON, scene.hangs {
        screen.show([
          "leaving; what is not answered is waited for until its time is over (Ctrl-C again ends it now)"
        ])
      }
      scene.leave()
    case .begun: break
    case .insistable:
      // Nothing is waited for any more.
      leaveTerminal()
      dropProgram()
      CurrentProcess.exit(ExitCode.no.rawValue)
    }
  }

  private func stop() {
    if hosting?.runner.hasNoReasonToStop == true { return comeForward() }
    screen.showPrompt(nil)
    leaveTerminal()
    // Of a program's Ctrl-Z the rest of the job has not heard.
    try? isJob ? CurrentProcess.stopJob() : CurrentProcess.stop()
  }

  private func comeForward() {
    stopReading()
    beginReading()
    letProgramGoOn()
    scene.comeForward()
  }

  // MARK: - The scene

  private func takeNews() {
    scene.wakeup.drain()
    let news = scene.inbox.withLock { inbox in
      defer { inbox.news = [] }
      return inbox.news
    }
    for item in news {
      switch item {
      case .ready:
        isReady = true
        showPrompt()
      case .answered: isBusy = false
      case .home: if scene.takeStop() { stop() }
      case .launch(let launch, let errand): start(launch, errand)
      case .dismiss(let isForGood, let errand): dismiss(isForGood, errand)
      case .savedLast: finishProgram()
      case .stopped:
        isStopped = true
        isOver = !endProgram(by: .terminate)
      }
    }
    carryOutCommands()
  }
}
