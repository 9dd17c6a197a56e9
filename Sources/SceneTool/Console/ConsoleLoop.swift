import SceneApp
import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The loop of the main thread. It handles input, signals, messages of the scene, and the hosted
/// program.
final class ConsoleLoop {
  let scene: SceneController
  let screen: Screen
  private let signals: SignalSource
  let poller: Poller
  private let readsJSON: Bool
  /// The hosted program; nil for an interactive scene or a script.
  var hosted: HostedSession?
  /// The window whose stored command is not known yet; nil for any other window.
  var pending: PendingWindow?
  /// The command that replaces this process after the end of the loop.
  var replacement: WindowCommand?
  /// Whether a process that keeps its terminal replaces this process after the end of the loop.
  var keepsTerminal = false
  private let isTerminal = Terminal.hasUser

  /// Whether a user types at a prompt.
  private var isInteractive: Bool { isTerminal && !readsJSON && hosted == nil && pending == nil }

  /// Whether the program owns standard input and output.
  var isSilent: Bool { hosted != nil && !readsJSON }

  private var editor = LineEditor(completing: PromptCommand.all.map(\.name))
  private var splitter = LineSplitter()
  /// The pending commands and syntax errors.
  private var commands: [Result<GivenCommand, CommandError>] = []
  private var isReady = false
  /// Whether a command of a script runs; the next one waits.
  private var isBusy = false
  private var isReading = false
  private var isAtEnd = false
  /// The first signal that ends the scene.
  private var endSignal: JobControl.HandledSignal?
  /// Why a signal ends the scene; nil for a signal of the user.
  private var endCause: DisconnectCause?
  /// The client has ended.
  private(set) var isStopped = false
  private var isOver = false
  /// The original mode of the terminal, while this process changes it.
  private var mode: Terminal.Mode?
  /// The running timers and their deadlines.
  private var timers: [Timer: Int64] = [:]

  init(
    _ scene: SceneController, _ screen: Screen, _ signals: SignalSource, readsJSON: Bool,
    hosted: HostedSession?, pending: PendingWindow?
  ) throws(SystemError) {
    self.hosted = hosted
    self.pending = pending
    self.scene = scene
    self.screen = screen
    self.signals = signals
    self.readsJSON = readsJSON
    poller = try Poller(capacity: 8)
    try poller.add(signals.number, token: Token.signals, interest: .readable)
    try poller.add(scene.wakeup.number, token: Token.scene, interest: .readable)
    watchReader()
  }

  /// Without requested events, the poller reports only the closed reader. A terminal sends SIGHUP
  /// instead.
  private func watchReader() {
    let output = StandardStream.output
    output.onFailure { [wakeup = scene.wakeup] in wakeup.signal() }
    if !output.isTerminal, !isSilent {
      try? poller.add(output.number, token: Token.output, interest: [])
    }
  }

  /// Leaves standard input and output to the program.
  func releaseStreams() {
    guard isSilent else { return }
    stopReading()
    if !StandardStream.output.isTerminal { try? poller.remove(StandardStream.output.number) }
  }

  /// Runs until the client has ended.
  func run() throws {
    beginReading()
    begin(.answer)
    var events: ContiguousArray<PollEvent> = []
    while !isOver {
      let left = timers.values.min().map { max(0, $0 - SystemClock.monotonic()) }
      try poller.wait(nanoseconds: left, into: &events)
      for event in events {
        switch event.token {
        case Token.signals: while let signal = try signals.nextDelivery() { take(signal) }
        case Token.scene: try handleMessages()
        case Token.file: takeWatch()
        case Token.events: scene.programState?.events?.writeWaiting()
        case Token.output: if event.hungUp { loseReader() }
        default: readInput()
        }
      }
      // Fire timers last: the events arrived before the deadlines.
      if !isOver { fireTimers() }
      try pollEventPipe()
    }
    screen.showPrompt(nil)
    leaveTerminal()
    // A terminal does not fail, and the end of the process waits for it.
    if !StandardStream.output.isTerminal { StandardStream.finishOutput() }
    scene.checkOutput()
    scene.closeInbox()
  }

  /// Stops the loop.
  func finish() { isOver = true }

  func begin(_ timer: Timer) {
    timers[timer] = SystemClock.monotonic() + delay(of: timer)
  }

  func isRunning(_ timer: Timer) -> Bool { timers[timer] != nil }

  func cancel(_ timer: Timer) { timers[timer] = nil }

  private func fireTimers() {
    let now = SystemClock.monotonic()
    let due = timers.filter { $0.value <= now }.sorted { $0.value < $1.value }
    // The action of an earlier timer can cancel a later one.
    for (timer, end) in due where timers[timer] == end {
      timers[timer] = nil
      switch timer {
      case .answer: scene.reportIfUnanswered()
      case .keys: beginReading()
      case .file: scene.checkActivityFile()
      case .foreground: moveToForeground()
      case .hangup:
        hosted?.runner.end(by: .hangup)
        begin(.kill)
      case .kill: hosted?.runner.send(.kill)
      case .lastRequest: finishLastRequest()
      case .placement:
        scene.refreshPlacement()
        begin(.placement)
      case .retry: retry()
      case .suspension: stopWithoutAnswer()
      }
    }
  }

  /// The reader of standard output is gone.
  private func loseReader() {
    try? poller.remove(StandardStream.output.number)
    scene.loseReader()
  }

  // MARK: - The terminal

  /// Reads a terminal only in the foreground: in the background a read would stop the process.
  func beginReading() {
    guard awaitsEnter || !isSilent && pending == nil else { return }
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

  func stopReading() {
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
    guard isReading, isInForeground() else { return }
    let buffer = InputBuffer(byteCount: 4096)
    switch StandardStream.input.read(into: buffer.bytes) {
    case .bytes(let count):
      let bytes = Array(buffer.bytes[..<count])
      if isInteractive { edit(bytes) } else { split(bytes) }
    case .wouldBlock: break
    case .end, .failed: endInput()
    }
  }

  /// The shell may have taken the terminal back after a stop of another process of this job. A read
  /// would then stop this process.
  private func isInForeground() -> Bool {
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
    if isReady, mode != nil, !isEnding { screen.showPrompt(editor.text) }
  }

  private func split(_ bytes: [UInt8]) {
    for line in splitter.take(bytes) {
      if !takeEnter(), !isSilent { take(line) }
    }
  }

  private func take(_ line: GivenLine) {
    switch line.content {
    case .text(let text): take(text, number: line.number)
    case .tooLong:
      let message = "the line has more than \(LineSplitter.limit) bytes"
      refuse(CommandError(message: message), inLine: line.number)
    case .unreadable(let error):
      refuse(CommandError(message: error.description), inLine: line.number)
    }
  }

  private func endInput() {
    if awaitsEnter {
      stopReading()
      return leave()
    }
    if let line = splitter.takeRest() { take(line) }
    stopReading()
    isAtEnd = true
    // On a terminal, Ctrl-D ends the input.
    if StandardStream.input.isTerminal { close() }
  }

  private func take(_ line: String, number: Int? = nil) {
    do throws(CommandError) {
      if readsJSON {
        if let given = try GivenCommand.read(json: line) { carryOut(.success(given)) }
      } else if let given = try GivenCommand.read(line: line) {
        carryOut(.success(given))
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

  private func close() {
    if let given = try? GivenCommand(.close) { carryOut(.success(given)) }
  }

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
    if forward(delivery) { return }
    switch delivery.signal {
    case .terminalStop: suspend()
    case .continue: returnToForeground()
    default: end(by: delivery.signal)
    }
  }

  private func end(by signal: Signal) {
    let now = SystemClock.monotonic()
    guard let endSignal else {
      self.endSignal = JobControl.HandledSignal(at: now)
      endCause = signal.disconnectCause
      return endOrderly(by: signal)
    }
    if endSignal.isRepeated(at: now) { return }
    // The second signal ends the process at once.
    leaveTerminal()
    killProgram()
    SceneProgram.end(ExitCode.failure.rawValue, awaitingViewers: false)
  }

  /// Why the scene ends; nil if the user closes it. A program can end in order before this process
  /// gets the signal of its closed terminal.
  var finalCause: DisconnectCause? { endCause ?? (isTerminalClosed ? .hangup : nil) }

  /// Whether a signal has ended the scene.
  var isEnding: Bool { endSignal != nil }

  private func endOrderly(by signal: Signal) {
    // The scene ends after its program.
    if endProgram(by: signal) { return }
    screen.showPrompt(nil)
    if !readsJSON, scene.hangs {
      screen.show([
        "closing the scene; waiting for unanswered callbacks to time out (Ctrl-C again ends scene now)"
      ])
    }
    leave()
  }

  /// Moves the scene to the background, and then stops this process.
  func suspend() {
    // A terminal without a window has no shell that could continue this process.
    if let holder = Holder.current.withLock({ $0 }) { return holder.detach(by: .stopped) }
    begin(.suspension)
    scene.moveToBackground()
  }

  /// A user who presses Ctrl-Z needs the terminal even if the broker hangs. The answers of the
  /// scene follow after `fg`.
  private func stopWithoutAnswer() {
    guard scene.consumePendingStop() else { return }
    screen.complain("scene: the broker does not answer; the scene may stay in the foreground")
    stop()
  }

  private func stop() {
    cancel(.suspension)
    if hosted?.runner.canContinueInForeground == true { return returnToForeground() }
    screen.showPrompt(nil)
    leaveTerminal()
    // The rest of the job did not receive the program's Ctrl-Z.
    try? isJob ? CurrentProcess.stopJob() : CurrentProcess.stop()
  }

  private func returnToForeground() {
    stopReading()
    beginReading()
    continueProgram()
    scene.returnToForeground()
  }

  // MARK: - The scene

  private func handleMessages() throws {
    scene.wakeup.drain()
    scene.checkOutput()
    let messages = scene.inbox.withLock { exchange(&$0.messages, with: []) }
    for item in messages {
      switch item {
      case .found(let session): try take(session)
      case .ready:
        isReady = true
        if Environment["TMUX"] != nil { begin(.placement) }
        showPrompt()
      case .answered: isBusy = false
      case .isInBackground: if scene.consumePendingStop() { stop() }
      case .launch(let launch, let waiter): start(launch, waiter)
      case .dismiss(let isForGood, let waiter): dismiss(isForGood, waiter)
      case .finishedLastRequest: finishLastRequest()
      case .stopped:
        isStopped = true
        isOver = !endProgram(by: .terminate)
      }
    }
    carryOutCommands()
  }
}
