import JSON
import SceneClient
import SceneModel
import ScenePlatform
import SceneScript

/// A command that is run for each question to an application delegate, and whose output is the answer.
/// It runs on a thread of its own, so that meanwhile it is heard whether the answer is still wanted.
final class AnsweringCommand: Sendable {
  /// Takes an answer to the question of this number.
  typealias Answering = @Sendable (Int64, DelegateAnswer) -> Void

  private let path: String
  private let words: [String]
  private let socket: String
  /// Makes the command end that runs.
  private let order: Wakeup
  private let desk = ConditionMutex(Desk())

  private struct Desk: Sendable {
    var questions: [Question] = []
    var running: Running?
    /// Nothing is asked any more.
    var isClosed = false
  }

  private struct Question: Sendable {
    let number: Int64
    let text: RawJSON
  }

  private struct Running: Sendable {
    let number: Int64
    /// Whether the answer has a waiter: it is lost with the connection, as the question is.
    var isWanted = true
  }

  /// The name is looked for as a shell does it.
  init(_ words: [String], socket: String) throws(SystemError) {
    path = try Executable.find(words.first ?? "")
    try Executable.check(path)
    order = try Wakeup()
    self.words = words
    self.socket = Directory.absolute(socket)
  }

  /// To be called once, before anything is asked. Problems are told to `complain`.
  func begin(
    answering: @escaping Answering, complaining complain: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    // It lives as long as this process, so that no command ends before.
    _ = try Thread("command") { [self] in
      while let question = next() {
        let answer = answer(to: question, complain)
        desk.withLock { desk in
          // Behind the lock, so that it cannot come to the next connection.
          if desk.running?.isWanted == true { answering(question.number, answer) }
          desk.running = nil
        }
      }
    }
  }

  /// There is one question at a time: the next question withdraws the one before.
  func ask(_ number: Int64, _ text: RawJSON) {
    desk.withLock { desk in
      desk.questions.append(Question(number: number, text: text))
      if desk.running != nil { order.signal() }
    }
  }

  /// Makes the command end that has not answered yet: the time for it is over.
  func stop() {
    desk.withLock { desk in
      if desk.running != nil { order.signal() }
    }
  }

  /// The connection is gone, and with it all that was asked.
  func forget() {
    desk.withLock { desk in
      desk.questions = []
      desk.running?.isWanted = false
      if desk.running != nil { order.signal() }
    }
  }

  /// Returns when no command runs, nor ever will.
  func close() {
    desk.withLock { $0.isClosed = true }
    forget()
    _ = desk.wait { $0.running == nil ? true : nil }
  }

  private func next() -> Question? {
    let next: Question?? = desk.wait { desk in
      if desk.isClosed { return .some(nil) }
      guard !desk.questions.isEmpty else { return nil }
      let question = desk.questions.removeFirst()
      desk.running = Running(number: question.number)
      // What was to end before has ended.
      order.drain()
      return question
    }
    return next ?? nil
  }

  private func answer(
    to question: Question, _ complain: (String) -> Void
  ) -> DelegateAnswer {
    let name = words[0]
    func refuse(_ problem: String) -> DelegateAnswer {
      complain(problem)
      return .failed(message: problem)
    }
    do {
      let changes: [String: String?] = ["SCENE_SOCKET": socket]
      let outcome = try CommandRun.outcome(
        of: path, words, changing: changes, reading: question.text.bytes, until: order)
      switch outcome {
      // The caller that ended it says why.
      case .stopped: return .failed(message: "\(name) was stopped before it answered")
      case .saidTooMuch:
        return refuse("the output of \(name) exceeds \(CommandRun.outputLimit >> 20) MiB")
      case .ended(.exited(0), let output): return try Self.answer(in: output)
      case .ended(let end, _): return refuse("\(name) \(end.phrase)")
      }
    } catch {
      return refuse("\(name): \(error)")
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
