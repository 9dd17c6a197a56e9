import SceneApp
import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

/// The event loop of `scenectl top` and `switcher` on a terminal: keys, signals, and the messages
/// of the broker.
final class TopLoop {
  private enum Source: UInt64 {
    case keys, signals, broker
  }

  /// The end of the loop.
  private enum End {
    case quit
    case signal(Signal)
  }

  private let context: CommandContext
  private let screen = FullScreen()
  private let poller: Poller
  private let signals: SignalSource
  private var decoder = TopKeyDecoder()
  private var view: TopView
  private var observation: TopObservation?
  /// The descriptor of the broker that the poller watches.
  private var watched: Int32?
  /// The rows of the last broker, while none is connected.
  private var lastRows: [TopRow] = []
  private var reasonForLoss = ""
  private var reopening: TopReopen?
  private var usage = TopUsage()
  private var nextSample: Int64 = 0
  private var nextConnect: Int64 = 0
  private var nextDraw: Int64 = 0
  private var needsDraw = true
  private var isReading = false

  /// Times in nanoseconds: between two samples of memory and CPU, two attempts to connect, two
  /// draws because of events, and two draws because of the time alone.
  private static let sampleInterval: Int64 = 3_000_000_000
  private static let connectInterval: Int64 = 500_000_000
  private static let drawInterval: Int64 = 50_000_000
  private static let clockInterval: Int64 = 1_000_000_000
  /// Until the next attempt to draw, in the background or on a terminal that does not read.
  private static let retryInterval: Int64 = JobControl.foregroundCheckDelay
  /// The time after which an incomplete sequence is the Escape key.
  private static let escapeDelay: Int64 = 50_000_000
  /// Between two looks at the process that opens a window.
  private static let reopenInterval: Int64 = 100_000_000
  /// Shorter waits, in milliseconds, would only flicker.
  private static let shortestWait: Int64 = 1000

  init(_ context: CommandContext, _ layout: TopView.Layout) throws {
    self.context = context
    view = TopView(layout, size: FullScreen.size)
    context.reconnects = false
    let handled = Signal.ending + [.quit, .terminalStop, .continue, .windowChange]
    signals = try context.processControl.signals(handled)
    poller = try Poller()
    try watch(signals.number, .signals)
  }

  /// Shows the view until the user quits or a signal ends the process.
  func run() throws -> ExitCode {
    // Without a broker, the verb fails as any other.
    _ = try context.broker.greeting(until: context.replyDeadline())
    try connect()
    defer { screen.leave() }
    while true {
      try drawIfDue()
      if let end = try turn() {
        guard case .signal(let signal) = end else { return .success }
        screen.leave()
        context.processControl.end(signal)
      }
    }
  }

  private func watch(_ descriptor: Int32, _ source: Source) throws(SystemError) {
    try poller.add(descriptor, token: source.rawValue, interest: .readable)
  }

  /// Waits for events or the next time, and handles them.
  private func turn() throws -> End? {
    var events: ContiguousArray<PollEvent> = []
    let wait = max(0, nextTime - SystemClock.monotonic())
    try poller.wait(nanoseconds: wait, into: &events)
    let ready = events.compactMap { Source(rawValue: $0.token) }
    if ready.contains(.signals), let end = try handleSignals() { return end }
    if ready.contains(.broker), let end = handleBroker() { return end }
    if let end = handleReopening() { return end }
    if ready.contains(.keys) {
      if let end = readKeys() { return end }
    } else if decoder.isIncomplete, events.isEmpty, let key = decoder.finish() {
      if let end = press(key) { return end }
    }
    return nil
  }

  private var nextTime: Int64 {
    let now = SystemClock.monotonic()
    var times = [needsDraw ? nextDraw : now + Self.clockInterval]
    if observation == nil { times.append(nextConnect) }
    if decoder.isIncomplete { times.append(now + Self.escapeDelay) }
    if reopening != nil { times.append(now + Self.reopenInterval) }
    return times.min() ?? now
  }

  // MARK: - Signals and keys

  private func handleSignals() throws -> End? {
    while let signal = try signals.next() {
      switch signal {
      case .windowChange: screen.invalidate()
      case .terminalStop:
        screen.leave()
        context.processControl.stop()
      case .continue: screen.lose()
      default: return .signal(signal)
      }
      nextDraw = 0
      needsDraw = true
    }
    return nil
  }

  /// Takes the terminal in the foreground. Returns false in the background, where the next attempt
  /// follows, because a shell sends no signal to a running job that it moves to the foreground.
  private func enterScreen() throws -> Bool {
    let number = StandardStream.input.number
    if !Terminal.canChange(number) { screen.lose() }
    if !screen.isEntered, try !screen.enter() {
      if isReading { try poller.remove(number) }
      isReading = false
      return false
    }
    if !isReading { try watch(number, .keys) }
    isReading = true
    return true
  }

  private func readKeys() -> End? {
    // In the background, a read would stop the process. The next attempt to draw ends the reading.
    guard Terminal.canChange(StandardStream.input.number) else {
      (needsDraw, nextDraw) = (true, 0)
      return nil
    }
    let buffer = InputBuffer(byteCount: 1024)
    switch StandardStream.input.read(into: buffer.bytes) {
    case .bytes(let count):
      for key in decoder.keys(in: buffer.bytes[..<count]) {
        if let end = press(key) { return end }
      }
      return nil
    case .wouldBlock: return nil
    case .end, .failed: return .quit
    }
  }

  private func press(_ key: TopKey) -> End? {
    let command = view.press(key, in: content)
    (needsDraw, nextDraw) = (true, 0)
    switch command {
    case .quit: return .quit
    case .redraw: screen.invalidate()
    case .act(let action, let session, let label):
      view.message = .init(text: "\(label): \(action.progress) …", isError: false)
      return request { $0.perform(action, on: session, label: label) }
    case .switchTo(let session, let label):
      view.message = .init(text: "\(label): \(TopAction.activate.progress) …", isError: false)
      return request { $0.switchTo(session, label: label) }
    case .explain(let session, let label):
      return request { $0.explain(session, label: label) }
    case .reopen(let session, let label): reopen(session, label: label, thenQuit: false)
    case nil: break
    }
    return nil
  }

  private func request(_ body: (TopObservation) -> Void) -> End? {
    guard let observation else {
      view.message = .init(text: "no broker is connected", isError: true)
      return nil
    }
    body(observation)
    return handleBroker()
  }

  // MARK: - Reopening

  private func reopen(_ session: SessionIdentifier, label: String, thenQuit: Bool) {
    guard reopening == nil else {
      view.message = .init(text: "another session is being opened", isError: true)
      return
    }
    do {
      let socket = Directory.absolute(try context.socketPath())
      reopening = try TopReopen(session, socket: socket, thenQuit: thenQuit)
      view.message = .init(text: "\(label): opening a window …", isError: false)
    } catch {
      let message = PlainText.escaped(context.failure(for: error).message)
      view.message = .init(text: "\(label): \(message)", isError: true)
    }
  }

  /// The end of a switcher whose window is open.
  private func handleReopening() -> End? {
    guard let window = reopening, let message = window.messageAtEnd() else { return nil }
    reopening = nil
    if window.thenQuit, !message.isError { return .quit }
    view.message = message.text.isEmpty && !message.isError ? nil : message
    needsDraw = true
    return nil
  }

  // MARK: - Broker

  private func connect() throws {
    nextConnect = SystemClock.monotonic() + Self.connectInterval
    observation = TopObservation(on: try context.broker)
    let descriptor = try context.broker.descriptor
    try watch(descriptor, .broker)
    watched = descriptor
    view.message = nil
    _ = handleBroker()
  }

  private func handleBroker() -> End? {
    guard let observation else { return nil }
    do {
      for outcome in try observation.handleInput() {
        switch outcome {
        case .switched: return .quit
        case .needsWindow(let session, let label): reopen(session, label: label, thenQuit: true)
        case .success: view.message = nil
        case .failure(let text):
          let line = text.split(separator: "\n").joined(separator: "; ")
          view.message = .init(text: line, isError: true)
        case .reasons(let label, let lines):
          view.show(page: lines, title: "Why \(label) is in its state, newest last")
        }
      }
      if nextSample == 0, observation.isLoaded { sample() }
    } catch {
      lose(error)
    }
    needsDraw = true
    return nil
  }

  private func lose(_ error: any Error) {
    let message = context.failure(for: error).message
    lastRows = rows
    observation = nil
    if let watched { try? poller.remove(watched) }
    watched = nil
    context.closeConnection()
    reasonForLoss = message.split(separator: "\n").first.map(String.init) ?? ""
    nextConnect = SystemClock.monotonic() + Self.connectInterval
  }

  // MARK: - Drawing

  private var rows: [TopRow] {
    guard let observation, observation.isLoaded else { return lastRows }
    let model = observation.model
    return model.rows(at: model.now(), usage: usage, shortestWait: Self.shortestWait)
  }

  private var content: TopContent {
    guard let observation else {
      return TopContent(
        heading: "reconnecting: " + reasonForLoss, isConnected: false, rows: rows)
    }
    return TopContent(heading: observation.model.heading, isConnected: true, rows: rows)
  }

  private func sample() {
    guard let observation else { return }
    let now = SystemClock.monotonic()
    nextSample = now + Self.sampleInterval
    let clients = observation.model.clients
    if !clients.isEmpty { usage.take(ProcessUsage.all, at: now, of: clients) }
  }

  private func drawIfDue() throws {
    let now = SystemClock.monotonic()
    if observation == nil, now >= nextConnect {
      do { try connect() } catch { lose(error) }
      needsDraw = true
    }
    if now >= nextSample, observation?.isLoaded == true {
      sample()
      needsDraw = true
    }
    guard now >= (needsDraw ? nextDraw : nextDraw + Self.clockInterval - Self.drawInterval) else {
      return
    }
    nextDraw = now + Self.drawInterval
    needsDraw = true
    // A terminal that does not read gets no more frames.
    guard try enterScreen(), screen.isReady else { return nextDraw = now + Self.retryInterval }
    needsDraw = false
    view.size = FullScreen.size
    let isColored = context.console.isColored
    screen.show(view.lines(of: content).map { $0.text(colored: isColored) })
    if view.layout == .cards { observation?.readCards(of: view.onScreen(content)) }
  }
}

extension TopAction {
  /// The message of the view until the broker has replied.
  fileprivate var progress: String {
    switch self {
    case .activate: "activating"
    case .background: "moving to the background"
    case .reclaim: "reclaiming"
    case .close: "closing"
    case .discard: "discarding"
    }
  }
}
