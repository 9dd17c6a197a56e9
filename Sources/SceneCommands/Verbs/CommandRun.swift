import ScenePlatform

/// One run of a command: it is given something to read, and may say something until it ends. It leads
/// a process group of its own, so that all of it can be told to end, and on Linux ends with the thread
/// that started it.
enum CommandRun {
  enum Outcome: Sendable {
    case ended(ProcessEnd, output: ContiguousArray<UInt8>)
    /// It was made to end before it did by itself.
    case stopped
    case saidTooMuch
  }

  /// What is read of it at most.
  static let outputLimit = 16 << 20

  /// Starts it and returns when it has ended, as `order` makes it do. Its errors are ours. A process that it
  /// leaves behind in its group gets SIGHUP, as when a terminal is closed, and is not waited for.
  static func outcome(
    of path: String, _ words: [String], changing: [String: String?],
    reading input: ContiguousArray<UInt8>, until order: Wakeup
  ) throws(SystemError) -> Outcome {
    let ended = try Wakeup()
    var given = try FileDescriptor.pipe()
    var said = try FileDescriptor.pipe()
    let talk = try CommandTalk(
      order: order, ended: ended, given: given.takeSecond(), said: said.takeFirst(), input)
    let child = try start(
      path, words, changing, input: given.takeFirst(), output: said.takeSecond())
    let group = ProcessGroup(child.pid)
    do throws(SystemError) {
      _ = try Thread("end of \(child.pid)") {
        try? child.awaitEnd()
        ended.signal()
      }
      try talk.outlast(group)
    } catch {
      group.send(.kill)
      _ = try child.reap()
      throw error
    }
    group.send(.hangup)
    group.send(.continue)
    return talk.outcome(try child.reap())
  }

  /// What the child has of the pipes is its own.
  private static func start(
    _ path: String, _ words: [String], _ changing: [String: String?],
    input: consuming FileDescriptor, output: consuming FileDescriptor
  ) throws(SystemError) -> ChildProcess {
    Signal.restoreChildEnds()
    return try ChildProcess.spawnForegroundJob(
      path, words, giving: [0: input.number, 1: output.number], changing: changing,
      group: .own(terminal: nil), death: .terminate)
  }
}

/// What goes to and fro while a command runs. It may say something before it has read everything, or
/// read nothing at all; and a process that it has started may keep its pipes open when it has ended.
private final class CommandTalk {
  private enum Token {
    static let order: UInt64 = 0
    static let ended: UInt64 = 1
    static let given: UInt64 = 2
    static let said: UInt64 = 3
  }

  /// How long it has to end when it is told to, in nanoseconds.
  private static let patience: Int64 = 2_000_000_000

  private let poller: Poller
  private let order: Wakeup
  private var given: FileDescriptor?
  private var said: FileDescriptor?
  private let input: ContiguousArray<UInt8>
  private var taken = 0
  private var output: ContiguousArray<UInt8> = []
  private var hasSaidTooMuch = false
  private var isStopped = false
  /// When it is killed.
  private var deadline: Int64?

  init(
    order: Wakeup, ended: Wakeup, given: consuming FileDescriptor,
    said: consuming FileDescriptor, _ input: ContiguousArray<UInt8>
  ) throws(SystemError) {
    poller = try Poller(capacity: 4)
    self.order = order
    self.input = input
    try given.setNonblocking()
    try said.setNonblocking()
    try poller.add(order.number, token: Token.order, interest: .readable)
    try poller.add(ended.number, token: Token.ended, interest: .readable)
    try poller.add(given.number, token: Token.given, interest: .writable)
    try poller.add(said.number, token: Token.said, interest: .readable)
    self.given = consume given
    self.said = consume said
  }

  /// Returns when it has ended, with everything that it has said by then.
  func outlast(_ group: ProcessGroup) throws(SystemError) {
    var events: ContiguousArray<PollEvent> = []
    while true {
      let time = deadline.map { max(0, $0 - SystemClock.monotonic()) }
      try poller.wait(nanoseconds: time, into: &events)
      for event in events {
        switch event.token {
        case Token.ended: return try hear(group)
        case Token.order:
          order.drain()
          isStopped = true
          end(group)
        case Token.given: try feed()
        default: try hear(group)
        }
      }
      if let deadline, deadline <= SystemClock.monotonic() {
        group.send(.kill)
        self.deadline = nil
      }
    }
  }

  private func end(_ group: ProcessGroup) {
    guard deadline == nil else { return }
    group.send(.terminate)
    group.send(.continue)
    deadline = SystemClock.monotonic() + Self.patience
  }

  private func feed() throws(SystemError) {
    let outcome = input.withUnsafeBytes {
      given?.writeAvailable(UnsafeRawBufferPointer(rebasing: $0[taken...])) ?? .wouldBlock
    }
    switch outcome {
    case .bytes(let count): taken += count
    case .wouldBlock: return
    // Unread input is dropped.
    case .failed: taken = input.count
    }
    guard taken == input.count, let number = given?.number else { return }
    try poller.remove(number)
    given = nil
  }

  private func hear(_ group: ProcessGroup) throws(SystemError) {
    var room = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
    while let number = said?.number {
      let outcome = room.withUnsafeMutableBytes { said?.readAvailable(into: $0) ?? .wouldBlock }
      switch outcome {
      case .bytes(let count): output += room[..<count]
      case .wouldBlock: return
      case .end, .failed:
        try poller.remove(number)
        said = nil
      }
      guard output.count > CommandRun.outputLimit else { continue }
      hasSaidTooMuch = true
      try poller.remove(number)
      said = nil
      end(group)
    }
  }

  func outcome(_ end: ProcessEnd) -> CommandRun.Outcome {
    if hasSaidTooMuch { return .saidTooMuch }
    return isStopped ? .stopped : .ended(end, output: output)
  }
}
