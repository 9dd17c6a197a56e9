import JSON
import SceneClient
import SceneModel
import ScenePlatform
import SceneScript

/// Lines of standard input that answer the questions to an application delegate, each by its number.
/// They are waited for on a thread of their own, so that meanwhile the broker is heard.
final class AnsweringLines: Sendable {
  private let input: LineBuffer?
  /// The questions that have no answer yet, in their order.
  private let waiting = ConditionMutex<[Int64]>([])

  /// Without an input everything is answered at once.
  init(_ input: LineBuffer?) { self.input = input }

  /// To be called once, before anything is asked. A line that is no answer is told to `complain`.
  func begin(
    answering: @escaping AnsweringCommand.Answering,
    complaining complain: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    _ = try Thread("answers") { [self] in
      var count = 0
      while true {
        // Nothing is read before it can be an answer.
        _ = waiting.wait { $0.isEmpty ? nil : true }
        guard let input, case .line(let line)? = input.line(at: count, until: .max) else { break }
        count += 1
        do throws(MemberError) {
          try take(line, answering)
        } catch {
          complain("line \(count): \(error)")
        }
      }
      // Without a line more there is an answer all the same.
      _ = waiting.wait { waiting -> Never? in
        for number in waiting { answering(number, .done) }
        waiting = []
        return nil
      }
    }
  }

  func ask(_ number: Int64) { waiting.withLock { $0.append(number) } }

  /// The connection is gone, and with it all that was asked.
  func forget() { waiting.withLock { $0 = [] } }

  private func take(
    _ line: ContiguousArray<UInt8>, _ answering: AnsweringCommand.Answering
  ) throws(MemberError) {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(line.span)
    } catch {
      throw MemberError(problem: "\(error)")
    }
    let number = document.root["id"]?.integer
    let answer = try Self.answer(in: document)
    let expected = waiting.withLock { waiting -> String? in
      guard let number, let place = waiting.firstIndex(of: number) else {
        return waiting.first.map { "expected \($0), the first open question" }
          ?? "no question is open"
      }
      waiting.remove(at: place)
      // Behind the lock, so that it cannot come to the next connection.
      answering(number, answer)
      return nil
    }
    if let expected { throw MemberError(path: "id", problem: expected) }
  }

  private static func answer(in document: JSONDocument) throws(MemberError) -> DelegateAnswer {
    if let error = document.root["error"] {
      return .failed(message: error.string ?? "\(error.raw)")
    }
    guard let result = document.root["result"] else { return .done }
    do throws(MemberError) {
      return .carried(try OpaqueObject(reading: result))
    } catch {
      throw error.inside("result")
    }
  }
}
