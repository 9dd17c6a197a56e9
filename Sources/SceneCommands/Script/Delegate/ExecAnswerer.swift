import SceneClient
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

/// Runs a command for each question. The output of the command is the answer. A thread runs the
/// command, so the delegate can receive messages meanwhile.
final class ExecAnswerer: AnswerSource {
  private let client: DelegateClient
  let output: DelegateOutput
  private let path: String
  private let words: [String]
  private let socket: String
  private let queue = ConditionMutex(Queue())

  private struct Queue: Sendable {
    var questions: [Question] = []
    var running: Running?
    var isClosed = false
  }

  private struct Question: Sendable {
    let number: Int64
    let text: RawJSON
  }

  private struct Running: Sendable {
    /// Whether the connection of the question still exists.
    var isWanted = true
    /// Whether the command must end.
    var isStopped = false
  }

  init(
    _ path: String, _ words: [String], socket: String, _ client: DelegateClient,
    _ output: DelegateOutput
  ) {
    self.path = path
    self.words = words
    self.socket = Directory.absolute(socket)
    self.client = client
    self.output = output
  }

  func begin() throws(SystemError) {
    // The thread lives as long as the process. On Linux, a command ends with the thread that
    // started it.
    _ = try Thread("command") { [self] in
      while let question = next() {
        let answer = run(question)
        queue.withLock { queue in
          // Under the lock, so that the answer does not go to the next connection.
          if queue.running?.isWanted == true { client.answer(question.number, answer) }
          queue.running = nil
        }
      }
    }
  }

  /// The broker asks one question at a time. A new question means that it no longer waits for the
  /// answer to the one before.
  func handle(_ number: Int64, _ callback: Callback) -> CallAnswer? {
    let text = DelegateLines.json(number, callback)
    output.show(DelegateLines.text(callback), text)
    queue.withLock { queue in
      queue.questions.append(Question(number: number, text: text))
      queue.running?.isStopped = true
    }
    return nil
  }

  func questionExpired() { queue.withLock { $0.running?.isStopped = true } }

  func disconnected() {
    queue.withLock { queue in
      queue.questions = []
      queue.running = queue.running.map { _ in Running(isWanted: false, isStopped: true) }
    }
  }

  /// Stops the running command, and returns after its end. No command runs afterwards.
  func close() {
    queue.withLock { $0.isClosed = true }
    disconnected()
    _ = queue.wait { $0.running == nil ? true : nil }
  }

  private func next() -> Question? {
    let next: Question?? = queue.wait { queue in
      if queue.isClosed { return .some(nil) }
      guard !queue.questions.isEmpty else { return nil }
      queue.running = Running()
      return queue.questions.removeFirst()
    }
    return next ?? nil
  }

  private func run(_ question: Question) -> CallAnswer {
    let name = words[0]
    func fail(_ problem: String) -> CallAnswer {
      output.printError(problem)
      return .failed(message: problem)
    }
    do {
      let printed = try TemporaryFile()
      let end = try end(ofCommandReading: try TemporaryFile(question.text.bytes), printed)
      guard printed.byteCount <= Self.outputLimit else {
        return fail("the output of \(name) exceeds \(Self.outputLimit >> 20) MiB")
      }
      // Another message gives the reason for the stop.
      if isStopped { return .failed(message: "\(name) was stopped before it answered") }
      guard end.isSuccess else { return fail("\(name) \(end.phrase)") }
      return try Self.answer(in: printed.bytes(limit: Int(Self.outputLimit)))
    } catch {
      return fail("\(name): \(error)")
    }
  }

  private static let outputLimit: Int64 = 16 << 20
  private static let exitTimeout: Int64 = 2_000_000_000

  private var isStopped: Bool { queue.withLock { $0.running?.isStopped == true } }

  /// Runs the command until it ends, even if other processes keep its output open. A stop request
  /// and a too long output end the command by SIGTERM, and by SIGKILL 2 s later. Call this on a
  /// thread that lives as long as the process.
  private func end(
    ofCommandReading input: TemporaryFile, _ printed: TemporaryFile
  ) throws(SystemError) -> ProcessEnd {
    Signal.restoreChildEnds()
    let child = try ChildProcess.spawn(
      path, Array(words.dropFirst()), name: words[0], changing: ["SCENE_SOCKET": socket],
      descriptors: [0: input.number, 1: printed.number], group: 0, death: .terminate,
      keepsIgnored: true)
    let group = ProcessGroup(child.pid)
    var delay = PollDelay()
    var killTime: Int64?
    while child.endIfEnded == nil {
      if killTime == nil, isStopped || printed.byteCount > Self.outputLimit {
        group.send(.terminate)
        group.send(.continue)
        killTime = SystemClock.monotonic() + Self.exitTimeout
        delay = PollDelay()
      }
      if let killTime, killTime <= SystemClock.monotonic() { group.send(.kill) }
      let isStopping = killTime != nil
      _ = queue.wait(until: delay.nextPoll()) { queue in
        !isStopping && queue.running?.isStopped == true ? true : nil
      }
    }
    // The processes that remain in the group of the command get SIGHUP, as when a terminal closes.
    // The command is not reaped yet, so the ID of the group is still its own.
    group.send(.hangup)
    group.send(.continue)
    return try child.reap()
  }

  private static func answer(in output: ContiguousArray<UInt8>) throws -> CallAnswer {
    let text = String(decoding: output, as: UTF8.self)
    guard !text.allSatisfy(\.isWhitespace) else { return .done }
    let document = JSONDocument()
    try document.read(output.span)
    return .carried(try OpaqueObject(reading: document.root))
  }
}
