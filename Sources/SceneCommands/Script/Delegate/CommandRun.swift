import ScenePlatform

/// One run of a command with an input and an output.
///
/// The command leads a process group, so one signal reaches all its processes. On Linux the command
/// also ends with the thread that started it.
enum CommandRun {
  enum Outcome: Sendable {
    case ended(ProcessEnd, output: ContiguousArray<UInt8>)
    /// A stop request ended the command.
    case stopped
    case tooMuchOutput
  }

  /// The maximum number of bytes of the output.
  static let outputLimit = 16 << 20

  /// Runs a command until it exits, or until the stop request ends it. The command inherits
  /// standard error. Processes that it leaves in its group get SIGHUP, as when a terminal closes;
  /// this does not wait for them.
  static func outcome(
    of path: String, _ words: [String], changing: [String: String?],
    reading input: ContiguousArray<UInt8>, until stopRequest: Wakeup
  ) throws(SystemError) -> Outcome {
    let ended = try Wakeup()
    var inputPipe = try FileDescriptor.pipe()
    var outputPipe = try FileDescriptor.pipe()
    let transfer = try CommandTransfer(
      stopRequest: stopRequest, ended: ended, inputEnd: inputPipe.takeSecond(),
      outputEnd: outputPipe.takeFirst(), input)
    let child = try start(
      path, words, changing, input: inputPipe.takeFirst(), output: outputPipe.takeSecond())
    let group = ProcessGroup(child.pid)
    do throws(SystemError) {
      _ = try Thread("end of \(child.pid)") {
        try? child.awaitEnd()
        ended.signal()
      }
      try transfer.run(group)
    } catch {
      group.send(.kill)
      _ = try child.reap()
      throw error
    }
    group.send(.hangup)
    group.send(.continue)
    return transfer.outcome(try child.reap())
  }

  /// Consumes the ends of the pipes, so that only the child has them.
  private static func start(
    _ path: String, _ words: [String], _ changing: [String: String?],
    input: consuming FileDescriptor, output: consuming FileDescriptor
  ) throws(SystemError) -> ChildProcess {
    Signal.restoreChildEnds()
    return try ChildProcess.spawn(
      path, Array(words.dropFirst()), name: words[0], changing: changing,
      descriptors: [0: input.number, 1: output.number], group: 0, death: .terminate,
      keepsIgnored: true)
  }
}

/// The transfer of input and output while a command runs.
///
/// A command can write before it has read its input, or not read it at all. Its children can keep
/// the pipes open after its exit.
private final class CommandTransfer {
  private enum Token {
    static let stopRequest: UInt64 = 0
    static let ended: UInt64 = 1
    static let input: UInt64 = 2
    static let output: UInt64 = 3
  }

  /// The time between SIGTERM and SIGKILL, in nanoseconds.
  private static let exitTimeout: Int64 = 2_000_000_000

  private let poller: Poller
  private let stopRequest: Wakeup
  private var inputEnd: FileDescriptor?
  private var outputEnd: FileDescriptor?
  private let input: ContiguousArray<UInt8>
  private var writtenCount = 0
  private var output: ContiguousArray<UInt8> = []
  private var exceedsLimit = false
  private var isStopped = false
  /// The time of SIGKILL.
  private var deadline: Int64?

  init(
    stopRequest: Wakeup, ended: Wakeup, inputEnd: consuming FileDescriptor,
    outputEnd: consuming FileDescriptor, _ input: ContiguousArray<UInt8>
  ) throws(SystemError) {
    poller = try Poller(capacity: 4)
    self.stopRequest = stopRequest
    self.input = input
    try inputEnd.setNonblocking()
    try outputEnd.setNonblocking()
    try poller.add(stopRequest.number, token: Token.stopRequest, interest: .readable)
    try poller.add(ended.number, token: Token.ended, interest: .readable)
    try poller.add(inputEnd.number, token: Token.input, interest: .writable)
    try poller.add(outputEnd.number, token: Token.output, interest: .readable)
    self.inputEnd = consume inputEnd
    self.outputEnd = consume outputEnd
  }

  /// Returns after the exit of the command, with all its output up to then.
  func run(_ group: ProcessGroup) throws(SystemError) {
    var events: ContiguousArray<PollEvent> = []
    while true {
      let time = deadline.map { max(0, $0 - SystemClock.monotonic()) }
      try poller.wait(nanoseconds: time, into: &events)
      for event in events {
        switch event.token {
        case Token.ended: return try readOutput(group)
        case Token.stopRequest:
          stopRequest.drain()
          isStopped = true
          stop(group)
        case Token.input: try writeInput()
        default: try readOutput(group)
        }
      }
      if let deadline, deadline <= SystemClock.monotonic() {
        group.send(.kill)
        self.deadline = nil
      }
    }
  }

  private func stop(_ group: ProcessGroup) {
    guard deadline == nil else { return }
    group.send(.terminate)
    group.send(.continue)
    deadline = SystemClock.monotonic() + Self.exitTimeout
  }

  private func writeInput() throws(SystemError) {
    let outcome = input.withUnsafeBytes {
      inputEnd?.writeAvailable(UnsafeRawBufferPointer(rebasing: $0[writtenCount...])) ?? .wouldBlock
    }
    switch outcome {
    case .bytes(let count): writtenCount += count
    case .wouldBlock: return
    // The command does not read the rest.
    case .failed: writtenCount = input.count
    }
    guard writtenCount == input.count, let number = inputEnd?.number else { return }
    try poller.remove(number)
    inputEnd = nil
  }

  private func readOutput(_ group: ProcessGroup) throws(SystemError) {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
    while let number = outputEnd?.number {
      let outcome = buffer.withUnsafeMutableBytes {
        outputEnd?.readAvailable(into: $0) ?? .wouldBlock
      }
      switch outcome {
      case .bytes(let count): output += buffer[..<count]
      case .wouldBlock: return
      case .end, .failed:
        try poller.remove(number)
        outputEnd = nil
      }
      guard output.count > CommandRun.outputLimit else { continue }
      exceedsLimit = true
      try poller.remove(number)
      outputEnd = nil
      stop(group)
    }
  }

  func outcome(_ end: ProcessEnd) -> CommandRun.Outcome {
    if exceedsLimit { return .tooMuchOutput }
    return isStopped ? .stopped : .ended(end, output: output)
  }
}
