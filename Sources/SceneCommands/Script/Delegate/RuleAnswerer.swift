import SceneClient
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

/// Answers at once. In a script, lines of standard input set the answers; otherwise the manifest
/// decides.
final class RuleAnswerer: AnswerSource {
  private let client: DelegateClient
  let output: DelegateOutput
  private let readsRules: Bool
  private let rules = ConditionMutex(DelegateRules())

  init(_ client: DelegateClient, _ output: DelegateOutput, readsRules: Bool) {
    self.client = client
    self.output = output
    self.readsRules = readsRules
  }

  func begin() throws(SystemError) {
    guard readsRules, let input = try LineBuffer.ofStandardInput() else { return }
    _ = try Thread("lines of rules") { [self] in
      var place = 0
      while case .line(let line)? = input.line(at: place, until: .max) {
        place += 1
        take(line)
      }
    }
  }

  func handle(_ number: Int64, _ callback: Callback) -> CallAnswer? {
    rules.withLock { rules in
      let answer = rules.answer(number, callback.kind)
      output.show(
        DelegateLines.text(callback), DelegateLines.json(number, callback, answered: .some(answer)))
      return answer
    }
  }

  func disconnected() {
    rules.withLock { rules in
      rules.forgetUnanswered()
      replyToPings(&rules)
    }
  }

  func didReceivePong() { rules.withLock { replyToPings(&$0) } }

  // MARK: - Lines

  /// Takes an object with the text of a rule and an identifier for the reply.
  private func take(_ line: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    try? document.read(line.span)
    let text = document.root["typed"]?.string ?? ""
    let identifier = document.root["id"]?.raw
    let verb = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    if verb == "status" { return replyWithStatus(identifier) }
    rules.withLock { rules in
      var problem: String?
      do throws(MemberError) {
        for (number, answer) in try rules.take(text) { client.answer(number, answer) }
      } catch {
        problem = error.description
      }
      output.show("", DelegateLines.reply(verb, identifier, problem))
    }
  }

  /// Replies after all messages that the broker has sent up to now.
  private func replyWithStatus(_ identifier: RawJSON?) {
    let isSent = rules.withLock { rules in
      rules.awaitPong(identifier)
      return client.ping()
    }
    if !isSent { didReceivePong() }
  }

  private func replyToPings(_ rules: inout DelegateRules) {
    for identifier in rules.takePongs() {
      output.show("", DelegateLines.reply("status", identifier))
    }
  }
}
