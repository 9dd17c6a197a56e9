import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform
import SceneScript

/// An application delegate in a shell: prints what it is asked and told, and answers by its rules, by
/// what somebody says, or by what a command says.
final class DelegateShell: DelegateHandler, @unchecked Sendable {
  enum Way: Sendable {
    case rules
    /// A line of standard input for each question.
    case lines
    /// The words of a command that is run for each question.
    case command([String], environment: [String: String])
  }

  private let way: Way
  private let printsJSON: Bool
  private let client: DelegateClient
  // The console is used behind this lock alone: lines are read on another thread.
  private let console: Console
  private let rules = Monitor(DelegateRules())
  private let input: SaidLines?
  private var lineCount = 0

  init(
    _ way: Way, printsJSON: Bool, console: Console, client: DelegateClient
  ) throws(SystemError) {
    self.way = way
    self.printsJSON = printsJSON
    self.console = console
    self.client = client
    let reads =
      !StandardStream.input.isTerminal || Terminal.isInForeground(of: StandardStream.input.number)
    if case .command = way { input = nil } else { input = reads ? try Self.input() : nil }
    if case .rules = way, let input { try follow(input) }
  }

  private static func input() throws(SystemError) -> SaidLines {
    try SaidLines(try FileDescriptor.duplicating(StandardStream.input.number))
  }

  // MARK: - What the broker says

  func handle(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer? {
    switch way {
    case .rules:
      return rules.withLock { rules in
        let answer = rules.answer(number, callback.kind)
        show(
          DelegateLines.text(callback),
          DelegateLines.json(number, callback, isAnswered: answer != nil))
        return answer
      }
    case .lines:
      show("", DelegateLines.json(number, callback, isAnswered: true))
      return answerInLines(to: number)
    case .command(let words, let environment):
      show(
        DelegateLines.text(callback), DelegateLines.json(number, callback, isAnswered: true))
      return answer(of: words, environment, to: DelegateLines.question(number, callback))
    }
  }

  func hear(_ notification: BrokerNotification) {
    guard let text = DelegateLines.text(notification), let json = DelegateLines.json(notification)
    else { return }
    rules.withLock { _ in show(text, json) }
  }

  func hear(_ phase: LinkPhase) {
    rules.withLock { rules in
      rules.forgetUnanswered()
      for identifier in rules.takePongs() {
        show("", DelegateLines.reply("status", identifier))
      }
      let text =
        phase == .connected
        ? "the application delegate; Ctrl-C leaves"
        : "the broker is gone; waiting for it to come back (Ctrl-C leaves)"
      show(text, DelegateLines.json(phase))
    }
  }

  private func show(_ text: String, _ json: RawJSON) {
    if printsJSON { console.print(json) } else { console.print(text) }
    // That nobody reads it any more ends the process by itself.
    try? console.flush()
  }

  // MARK: - What is read

  /// Lines that change the rules.
  private func follow(_ input: SaidLines) throws(SystemError) {
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
    rules.withLock { rules in
      let outcome = rules.take(text)
      for (number, answer) in outcome.answers { client.answer(number, answer) }
      if printsJSON {
        show("", DelegateLines.reply(verb, identifier, outcome.problem))
      } else if let problem = outcome.problem {
        console.complain("scenectl: \(PlainText.escaped(problem))")
      }
    }
  }

  /// Answered behind everything that the broker has said up to now.
  private func tellStatus(_ identifier: RawJSON?) {
    let isAsked = rules.withLock { rules in
      rules.awaitPong(identifier)
      return client.ping()
    }
    if !isAsked { hearPong() }
  }

  func hearPong() {
    rules.withLock { rules in
      for identifier in rules.takePongs() {
        show("", DelegateLines.reply("status", identifier))
      }
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

  /// Waits for the line that answers; once there are no more, everything is answered.
  private func answerInLines(to number: Int64) -> DelegateAnswer {
    while let input, case .line(let line)? = input.line(at: lineCount, until: .max) {
      lineCount += 1
      do throws(MemberError) {
        return try Self.answer(in: line, to: number)
      } catch {
        show("", DelegateLines.reply("answer", nil, "line \(lineCount): \(error)"))
      }
    }
    return .done
  }

  private static func answer(
    in line: ContiguousArray<UInt8>, to number: Int64
  ) throws(MemberError) -> DelegateAnswer {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(line.span)
    } catch {
      throw MemberError(problem: "\(error)")
    }
    guard document.root["id"]?.integer == number else {
      throw MemberError(path: "id", problem: "expected \(number), which waits for its answer")
    }
    if let error = document.root["error"] {
      return .failed(message: error.string ?? "\(error.raw)")
    }
    guard let result = document.root["result"] else { return .done }
    do throws(MemberError) {
      return .carried(try CarriedObject(reading: result))
    } catch {
      throw error.inside("result")
    }
  }

  // MARK: - What a command says

  private func answer(
    of words: [String], _ environment: [String: String], to question: RawJSON
  ) -> DelegateAnswer {
    let name = words[0]
    do {
      let outcome = try CommandRun.run(words, environment, input: question.bytes)
      guard outcome.end == .exited(0) else {
        return complain("\(name) has \(outcome.end.told)")
      }
      let text = String(decoding: outcome.output, as: UTF8.self)
      guard !text.allSatisfy(\.isWhitespace) else { return .done }
      let document = JSONDocument()
      try document.read(outcome.output.span)
      return .carried(try CarriedObject(reading: document.root))
    } catch {
      return complain("\(name): \(error)")
    }
  }

  private func complain(_ problem: String) -> DelegateAnswer {
    console.complain("scenectl: \(PlainText.escaped(problem))")
    return .failed(message: problem)
  }
}
