import SceneClient
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

/// Runs a command for each question. The output of the command is the answer. A thread runs the
/// command, so the delegate can receive messages meanwhile.
final class ExecAnswerer: AnswerSource {
  private let client: DelegateClient
  private let output: DelegateOutput
  private let path: String
  private let words: [String]
  private let socket: String
  /// Stops the running command.
  private let stopRequest: Wakeup
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
    let number: Int64
    /// Whether the connection of the question still exists.
    var isWanted = true
  }

  /// Finds the command in `$PATH`, as a shell does.
  init(
    _ words: [String], socket: String, _ client: DelegateClient, _ output: DelegateOutput
  ) throws(SystemError) {
    path = try Executable.find(words.first ?? "")
    try Executable.check(path)
    stopRequest = try Wakeup()
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
  func answer(_ number: Int64, _ callback: Callback) -> DelegateAnswer? {
    let text = DelegateLines.json(number, callback)
    output.show(DelegateLines.text(callback), text)
    queue.withLock { queue in
      queue.questions.append(Question(number: number, text: text))
      if queue.running != nil { stopRequest.signal() }
    }
    return nil
  }

  func questionExpired() {
    queue.withLock { queue in
      if queue.running != nil { stopRequest.signal() }
    }
  }

  func disconnected() {
    queue.withLock { queue in
      queue.questions = []
      queue.running?.isWanted = false
      if queue.running != nil { stopRequest.signal() }
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
      let question = queue.questions.removeFirst()
      queue.running = Running(number: question.number)
      // A stop request for an earlier command has no effect on this one.
      stopRequest.drain()
      return question
    }
    return next ?? nil
  }

  private func run(_ question: Question) -> DelegateAnswer {
    let name = words[0]
    func fail(_ problem: String) -> DelegateAnswer {
      output.printError(problem)
      return .failed(message: problem)
    }
    do {
      let changes: [String: String?] = ["SCENE_SOCKET": socket]
      let outcome = try CommandRun.outcome(
        of: path, words, changing: changes, reading: question.text.bytes, until: stopRequest)
      switch outcome {
      // Another message gives the reason for the stop.
      case .stopped: return .failed(message: "\(name) was stopped before it answered")
      case .tooMuchOutput:
        return fail("the output of \(name) exceeds \(CommandRun.outputLimit >> 20) MiB")
      case .ended(.exited(0), let output): return try Self.answer(in: output)
      case .ended(let end, _): return fail("\(name) \(end.phrase)")
      }
    } catch {
      return fail("\(name): \(error)")
    }
  }

  private static func answer(in output: ContiguousArray<UInt8>) throws -> DelegateAnswer {
    let text = String(decoding: output, as: UTF8.self)
    guard !text.allSatisfy(\.isWhitespace) else { return .done }
    let document = JSONDocument()
    try document.read(output.span)
    return .carried(try OpaqueObject(reading: document.root))
  }
}
