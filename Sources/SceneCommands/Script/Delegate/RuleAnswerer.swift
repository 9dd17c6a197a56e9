import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform
import SceneScript

/// Answers by rules. Each line of standard input changes a rule.
final class RuleAnswerer: AnswerSource {
  private let client: DelegateClient
  private let output: DelegateOutput
  /// The configurations of the manifest; nil if the broker does not reply.
  private let configurations: @Sendable () -> [String]?
  private let rules = ConditionMutex(DelegateRules())

  init(
    _ client: DelegateClient, _ output: DelegateOutput,
    configurations: @escaping @Sendable () -> [String]?
  ) {
    self.client = client
    self.output = output
    self.configurations = configurations
  }

  func begin() throws(SystemError) {
    guard let input = try LineBuffer.ofStandardInput() else { return }
    _ = try Thread("lines of rules") { [self] in
      var place = 0
      while case .line(let line)? = input.line(at: place, until: .max) {
        place += 1
        take(String(decoding: line, as: UTF8.self))
      }
    }
  }

  func answer(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer? {
    rules.withLock { rules in
      let answer = rules.answer(number, callback.kind)
      output.show(
        DelegateLines.text(callback) + DelegateLines.words(on: answer),
        DelegateLines.json(number, callback, answered: .some(answer)))
      return answer
    }
  }

  func disconnected() {
    rules.withLock { rules in
      rules.forgetUnanswered()
      replyToPings(&rules)
    }
  }

  func pongReceived() { rules.withLock { replyToPings(&$0) } }

  // MARK: - Lines

  private func take(_ line: String) {
    let (identifier, text) = output.printsJSON ? Self.typed(line) : (nil, line)
    let verb = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    if verb == "status", output.printsJSON { return replyWithStatus(identifier) }
    let outcome = rules.withLock { rules in
      let outcome = rules.take(text)
      for (number, answer) in outcome.answers { client.answer(number, answer) }
      if output.printsJSON {
        output.show("", DelegateLines.reply(verb, identifier, outcome.problem))
      }
      return outcome
    }
    guard !output.printsJSON else { return }
    if verb == "help" { rules.withLock { _ in output.show(DelegateRules.help, .null) } }
    if let problem = outcome.problem { output.printError(problem) }
    warn(of: outcome.chosen)
  }

  /// Warns of a configuration that the manifest does not have: the broker then uses the default.
  private func warn(of chosen: String?) {
    guard let chosen, let known = configurations(), !known.contains(chosen) else { return }
    let names = known.isEmpty ? "none" : known.map(PlainText.word).joined(separator: ", ")
    output.printError(
      "the manifest has no configuration \(PlainText.word(chosen)); new sessions get the default of "
        + "their role (configurations: \(names))")
  }

  /// Replies after all messages that the broker has sent up to now.
  private func replyWithStatus(_ identifier: RawJSON?) {
    let isSent = rules.withLock { rules in
      rules.awaitPong(identifier)
      return client.ping()
    }
    if !isSent { pongReceived() }
  }

  private func replyToPings(_ rules: inout DelegateRules) {
    for identifier in rules.takePongs() {
      output.show("", DelegateLines.reply("status", identifier))
    }
  }

  /// A line can be an object with the text of a rule and an identifier for the reply.
  private static func typed(_ line: String) -> (RawJSON?, String) {
    let document = JSONDocument()
    guard (try? document.read(line.utf8)) != nil, let text = document.root["typed"]?.string else {
      return (nil, line)
    }
    return (document.root["id"]?.raw, text)
  }
}
