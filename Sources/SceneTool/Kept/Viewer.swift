import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// Shows the terminal of a holder in the terminal of this process.
final class Viewer {
  enum End {
    case ended(status: UInt8, text: String)
    case detached(ViewerFrame.Detachment)
    /// A signal ends this process, or stops it.
    case signalled(Signal)
    /// The holder is gone without an end.
    case lost

    /// Whether the modes are reset: by the program, or by the holder if a signal ended the program.
    fileprivate var isOfProgram: Bool { if case .ended = self { true } else { false } }
  }

  let connection: HolderConnection
  private let signals: SignalSource
  private let buffer = InputBuffer(byteCount: ViewerFrame.contentLimit)
  private var reader = ViewerFrameReader()
  private var frames: [ViewerFrame] = []
  /// The bytes that the holder has not taken. Meanwhile no keys are read.
  private var pending: [UInt8] = []

  /// Takes a connection whose holder has not greeted yet.
  init(_ connection: consuming HolderConnection, _ signals: SignalSource) {
    self.connection = connection
    self.signals = signals
  }

  // MARK: - Greeting

  enum Greeting {
    case record(HolderRecord)
    case end(status: UInt8, text: String)
    /// The holder has ended.
    case none
  }

  /// Waits for the greeting. Throws if a running holder does not answer.
  func greeting(of name: String, options: String) throws -> Greeting {
    let deadline = connection.isNew ? nil : SystemClock.monotonic() + Self.answerTime
    while true {
      for (index, frame) in frames.enumerated() {
        switch frame {
        case .greeting(let bytes):
          frames.removeSubrange(...index)
          let document = JSONDocument(reading: ContiguousArray(bytes))
          return .record(document.flatMap { try? HolderRecord(reading: $0.root) } ?? HolderRecord())
        case .end(let status, let text): return .end(status: status, text: text)
        default: continue
        }
      }
      let left = deadline.map { max(0, $0 - SystemClock.monotonic()) }
      guard try connection.socket.waitReadable(nanoseconds: left) else {
        let holder = "\(PlainText.word(name)): the holder of its terminal"
        if let process = connection.process,
          ProcessActivity(of: Int32(process))?.state == .stopped
        {
          throw ProgramError(
            .tryAgain,
            "\(holder) (process \(process)) is stopped; continue the process with: kill -CONT \(process)"
          )
        }
        let process = connection.process.map { " (process \($0))" } ?? ""
        throw ProgramError(
          .tryAgain,
          "\(holder)\(process) does not answer; "
            + "to end it: scenectl\(options) kill \(name.shellWord)")
      }
      if !receive() { return .none }
    }
  }

  /// Nanoseconds for the greeting of a running holder.
  private static let answerTime: Int64 = 2_000_000_000

  /// Returns false at the end of the connection.
  private func receive() -> Bool {
    switch connection.socket.receive(into: buffer.bytes) {
    case .bytes(let count):
      frames += reader.take(buffer.bytes[..<count])
      return true
    case .wouldBlock: return true
    case .end, .failed: return false
    }
  }

  // MARK: - Showing

  /// Attaches this terminal until one of the sides ends that. Restores the terminal.
  func run() throws(SystemError) -> End {
    let input = StandardStream.input.number
    let mode = try Terminal.Mode(of: input)
    try mode.raw.apply(to: input)
    defer { try? mode.apply(to: input) }
    let end = try show(mode.raw)
    if !end.isOfProgram { try? StandardStream.output.write(Terminal.restoredScreen + "\r\n") }
    return end
  }

  private enum Token {
    static let input: UInt64 = 0
    static let signals: UInt64 = 1
    static let holder: UInt64 = 2
  }

  private func show(_ mode: Terminal.Mode) throws(SystemError) -> End {
    let input = StandardStream.input.number
    let poller = try Poller(capacity: 4)
    try poller.add(input, token: Token.input, interest: .readable)
    try poller.add(signals.number, token: Token.signals, interest: .readable)
    try poller.add(connection.socket.number, token: Token.holder, interest: .readable)
    send(.hello(version: ViewerFrame.version, FullScreen.size))
    var events: ContiguousArray<PollEvent> = []
    while true {
      if let end = handleFrames() { return end }
      let isBehind = !pending.isEmpty
      try poller.modify(input, token: Token.input, interest: isBehind ? [] : .readable)
      try poller.modify(
        connection.socket.number, token: Token.holder,
        interest: PollInterest(readable: true, writable: isBehind))
      try poller.wait(nanoseconds: nil, into: &events)
      for event in events {
        switch event.token {
        case Token.signals:
          while let signal = try signals.next() {
            switch signal {
            // A shell can have changed the mode while this process was stopped.
            case .continue: try? mode.apply(to: input)
            case .windowChange: break
            default: return .signalled(signal)
            }
            send(.size(FullScreen.size))
          }
        case Token.input where event.readable:
          guard case .bytes(let count) = StandardStream.input.read(into: buffer.bytes) else {
            return .signalled(.hangup)
          }
          send(.input(Array(buffer.bytes[..<count])))
        case Token.input: return .signalled(.hangup)
        default:
          if event.writable { flush() }
          if event.readable || event.hungUp, !receive() { return handleFrames() ?? .lost }
        }
      }
    }
  }

  private func send(_ frame: ViewerFrame) {
    pending += frame.bytes
    flush()
  }

  /// The next read notices a holder that is gone.
  private func flush() {
    let outcome = pending.withUnsafeBytes { connection.socket.send($0, waits: false) }
    pending.removeFirst(outcome.byteCount)
  }

  /// The holder does not know the place of this window.
  private func raiseWindow() {
    let environment = Environment.all
    let host = WindowHost(in: environment) { TmuxPlace.current(isOpening: false) != .null }
    guard let words = host.raiseCommand else { return }
    _ = try? Thread("window") { _ = WindowHost.run(words, environment) }
  }

  private func handleFrames() -> End? {
    for frame in exchange(&frames, with: []) {
      switch frame {
      case .output(let bytes): try? StandardStream.output.write(bytes.span.bytes)
      case .end(let status, let text): return .ended(status: status, text: text)
      case .detach(let cause): return .detached(cause)
      case .raise: raiseWindow()
      case .greeting, .hello, .input, .size: break
      }
    }
    return nil
  }
}
