import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform
import SceneScript

/// An application delegate in a shell: prints what it is asked and told, and answers by its rules, by
/// what a user types, or by what a command prints.
final class DelegateShell: DelegateHandler, @unchecked Sendable {
  enum Way: Sendable {
    case rules
    /// A line of standard input for each question.
    case lines
    /// A command that is run for each question.
    case command(AnsweringCommand)
  }

  /// Who answers.
  private enum Answerer: Sendable {
    case rules
    case lines(AnsweringLines)
    case command(AnsweringCommand)
  }

  private let answerer: Answerer
  private let printsJSON: Bool
  private let client: DelegateClient
  /// Of what the manifest has; nil where that cannot be learned.
  private let configurations: @Sendable () -> [String]?
  // The console is used behind this lock alone: lines are read on another thread.
  private let console: Console
  private let printing = ConditionMutex(())
  private let rules = ConditionMutex(DelegateRules())

  init(
    _ way: Way, printsJSON: Bool, console: Console, client: DelegateClient,
    configurations: @escaping @Sendable () -> [String]?
  ) throws(SystemError) {
    self.printsJSON = printsJSON
    self.console = console
    self.client = client
    self.configurations = configurations
    switch way {
    case .rules:
      answerer = .rules
      if let input = try Self.input() { try follow(input) }
    case .lines:
      let lines = AnsweringLines(try Self.input())
      answerer = .lines(lines)
      try lines.begin(answering: client.answer) { [self] problem in
        show("", DelegateLines.reply("answer", nil, problem))
      }
    case .command(let command):
      answerer = .command(command)
      try command.begin(answering: client.answer) { [self] problem in complain(problem) }
    }
  }

  /// Nil where keys of a terminal do not come here.
  private static func input() throws(SystemError) -> LineBuffer? {
    let number = StandardStream.input.number
    guard !StandardStream.input.isTerminal || Terminal.isInForeground(of: number) else {
      return nil
    }
    return try LineBuffer(try FileDescriptor.duplicating(number))
  }

  // MARK: - What the broker says

  func handle(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer? {
    switch answerer {
    case .rules:
      return rules.withLock { rules in
        let answer = rules.answer(number, callback.kind)
        show(
          DelegateLines.text(callback) + DelegateLines.words(on: answer),
          DelegateLines.json(number, callback, answered: .some(answer)))
        return answer
      }
    case .lines(let lines):
      show("", DelegateLines.json(number, callback))
      lines.ask(number)
    case .command(let command):
      show(DelegateLines.text(callback), DelegateLines.json(number, callback))
      command.ask(number, DelegateLines.json(number, callback))
    }
    return nil
  }

  func hear(_ notification: BrokerNotification) {
    guard let text = DelegateLines.text(notification), let json = DelegateLines.json(notification)
    else { return }
    show(text, json)
    guard case .delegate(.overran) = notification else { return }
    switch answerer {
    case .command(let command): command.stop()
    // It may be answered all the same.
    case .rules, .lines: break
    }
  }

  func hear(_ phase: LinkPhase) {
    if phase != .connected { forgetQuestions() }
    let text =
      phase == .connected
      ? "connected as the application delegate; press Ctrl-C to end"
      : "disconnected; waiting for the broker (press Ctrl-C to end)"
    show(text, DelegateLines.json(phase))
  }

  private func forgetQuestions() {
    switch answerer {
    case .rules:
      rules.withLock { rules in
        rules.forgetUnanswered()
        tellPongs(&rules)
      }
    case .lines(let lines): lines.forget()
    case .command(let command): command.forget()
    }
  }

  private func show(_ text: String, _ json: RawJSON) {
    printing.withLock { _ in
      if printsJSON { console.print(json) } else { console.print(text) }
      // An output without a reader ends the process by itself.
      try? console.flush()
    }
  }

  private func complain(_ problem: String) {
    printing.withLock { _ in console.complain("scenectl: \(PlainText.escaped(problem))") }
  }

  // MARK: - What is read

  /// Lines that change the rules.
  private func follow(_ input: LineBuffer) throws(SystemError) {
    _ = try Thread("lines of rules") { [self] in
      var place = 0
      while case .line(let line)? = input.line(at: place, until: .max) {
        place += 1
        take(String(decoding: line, as: UTF8.self))
      }
    }
  }

  private func take(_ line: String) {
    let (identifier, text) = printsJSON ? Self.typed(line) : (nil, line)
    let verb = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    if verb == "status", printsJSON { return tellStatus(identifier) }
    let outcome = rules.withLock { rules in
      let outcome = rules.take(text)
      for (number, answer) in outcome.answers { client.answer(number, answer) }
      if printsJSON { show("", DelegateLines.reply(verb, identifier, outcome.problem)) }
      return outcome
    }
    guard !printsJSON else { return }
    if verb == "help" { rules.withLock { _ in show(DelegateRules.help, .null) } }
    if let problem = outcome.problem { complain(problem) }
    warn(of: outcome.chosen)
  }

  /// The broker does as if one that is not there were not chosen.
  private func warn(of chosen: String?) {
    guard let chosen, let known = configurations(), !known.contains(chosen) else { return }
    let there = known.isEmpty ? "none" : known.map(PlainText.word).joined(separator: ", ")
    complain(
      "the manifest has no configuration \(PlainText.word(chosen)); new sessions get the default of "
        + "their role (configurations: \(there))")
  }

  /// Answered behind everything that the broker has said up to now.
  private func tellStatus(_ identifier: RawJSON?) {
    let isAsked = rules.withLock { rules in
      rules.awaitPong(identifier)
      return client.ping()
    }
    if !isAsked { hearPong() }
  }

  func hearPong() { rules.withLock { tellPongs(&$0) } }

  private func tellPongs(_ rules: inout DelegateRules) {
    for identifier in rules.takePongs() {
      show("", DelegateLines.reply("status", identifier))
    }
  }

  /// A line may be an object with what would be typed, and a number for the reply.
  private static func typed(_ line: String) -> (RawJSON?, String) {
    let document = JSONDocument()
    guard (try? document.read(line.utf8)) != nil, let text = document.root["typed"]?.string else {
      return (nil, line)
    }
    return (document.root["id"]?.raw, text)
  }
}
