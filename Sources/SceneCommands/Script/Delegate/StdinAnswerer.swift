import SceneClient
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

/// Answers with lines of standard input, each of which has the number of its question. A thread
/// waits for lines, so the delegate can receive messages meanwhile.
final class StdinAnswerer: AnswerSource {
  private let client: DelegateClient
  let output: DelegateOutput
  /// The open questions, in order.
  private let openQuestions = ConditionMutex<[Int64]>([])

  init(_ client: DelegateClient, _ output: DelegateOutput) {
    self.client = client
    self.output = output
  }

  func begin() throws(SystemError) {
    let input = try LineBuffer.ofStandardInput()
    _ = try Thread("answers") { [self] in
      var count = 0
      while true {
        // A line before the first question is not an answer.
        _ = openQuestions.wait { $0.isEmpty ? nil : true }
        guard let input, case .line(let line)? = input.line(at: count, until: .max) else { break }
        count += 1
        do throws(MemberError) {
          try take(line)
        } catch {
          output.show("", DelegateLines.reply("answer", nil, "line \(count): \(error)"))
        }
      }
      // After the end of the input, every question is answered at once.
      _ = openQuestions.wait { numbers -> Never? in
        for number in numbers { client.answer(number, .done) }
        numbers = []
        return nil
      }
    }
  }

  func handle(_ number: Int64, _ callback: Callback) -> CallAnswer? {
    output.show("", DelegateLines.json(number, callback))
    openQuestions.withLock { $0.append(number) }
    return nil
  }

  func disconnected() { openQuestions.withLock { $0 = [] } }

  private func take(_ line: ContiguousArray<UInt8>) throws(MemberError) {
    let document = JSONDocument()
    try document.parse(line.span)
    let number = document.root["id"]?.integer
    let answer = try Self.answer(in: document)
    let problem = openQuestions.withLock { numbers -> String? in
      guard let number, let index = numbers.firstIndex(of: number) else {
        return numbers.first.map { "expected \($0), the first open question" }
          ?? "no question is open"
      }
      numbers.remove(at: index)
      // Under the lock, so that the answer does not go to the next connection.
      client.answer(number, answer)
      return nil
    }
    if let problem { throw MemberError(path: "id", problem: problem) }
  }

  private static func answer(in document: JSONDocument) throws(MemberError) -> CallAnswer {
    if let error = document.root["error"] {
      return .failed(message: error.string ?? "\(error.raw)")
    }
    guard let result = document.root["result"] else { return .done }
    return .carried(try MemberError.inside("result", OpaqueObject(reading: result)))
  }
}
