import SceneClient
import SceneJSON
import SceneModel

/// The rules of a delegate in a shell, and the lines that change them.
struct DelegateRules {
  /// The answer to `configurationForConnecting`.
  private var choice = OpaqueObject.empty
  private var accepts = true
  private var failing: Set<DelegateCallbackKind> = []
  private var hanging: Set<DelegateCallbackKind> = []
  /// The open questions.
  private var unanswered: [(number: Int64, kind: DelegateCallbackKind)] = []

  /// The identifiers of the lines that wait for a pong; nil for a line without an identifier.
  private var awaitingPong: [RawJSON?] = []

  mutating func awaitPong(_ identifier: RawJSON?) { awaitingPong.append(identifier) }

  mutating func takePongs() -> [RawJSON?] {
    defer { awaitingPong = [] }
    return awaitingPong
  }

  /// The effect of a line.
  struct Outcome {
    /// The answers to send now, with the numbers of their questions.
    var answers: [(number: Int64, answer: DelegateAnswer)] = []
    /// The mistake in the line.
    var problem: String?
    /// The configuration that the line chose for new sessions.
    var chosen: String?
  }

  static let commands = [
    "configuration [NAME | JSON]", "accept", "decline", "fail [CALLBACK]", "hang [CALLBACK]",
    "answer", "help",
  ]

  static let help = "the rules are \(commands.joined(separator: ", "))"

  /// Nil leaves the question open.
  mutating func answer(_ number: Int64, _ kind: DelegateCallbackKind) -> DelegateAnswer? {
    guard !hanging.contains(kind) else {
      unanswered.append((number, kind))
      return nil
    }
    return answer(to: kind)
  }

  private func answer(to kind: DelegateCallbackKind) -> DelegateAnswer {
    if failing.contains(kind) {
      return .failed(message: "the rule fail applies to \(kind.rawValue)")
    }
    return switch kind {
    case .willFinishLaunching, .didDiscardSceneSessions, .willTerminate: .done
    case .didFinishLaunching: .launched(accepted: accepts)
    case .configurationForConnecting: .carried(choice)
    }
  }

  /// Open questions end with the connection.
  mutating func forgetUnanswered() { unanswered = [] }

  /// Applies a line. An empty line has no effect.
  mutating func take(_ line: String) -> Outcome {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    let rest = words.dropFirst().first.map(String.init)
    switch words.first.map(String.init) {
    case nil, "help"?: return Outcome()
    case "configuration"?: return choose(rest ?? "")
    case "fail"?: return note(rest) { $0.failing.formUnion($1) }
    case "hang"?: return note(rest) { $0.hanging.formUnion($1) }
    case let rule? where rest != nil && ["accept", "decline", "answer"].contains(rule):
      return Outcome(problem: "the rule \(rule) takes no argument; \(Self.help)")
    case "accept"?: accepts = true
    case "decline"?: accepts = false
    case "answer"?: return answerAll()
    default:
      return Outcome(problem: "unknown rule \"\(line)\"; \(Self.help)")
    }
    return Outcome()
  }

  private mutating func choose(_ text: String) -> Outcome {
    guard text.first == "{" else {
      var writer = JSONWriter()
      writer.beginObject()
      if !text.isEmpty {
        writer.name("configuration")
        writer.string(text)
      }
      writer.endObject()
      choice = OpaqueObject(unchecked: RawJSON(unchecked: writer.bytes))
      return Outcome(chosen: text.isEmpty ? nil : text)
    }
    let document = JSONDocument()
    do {
      try document.read(text.utf8)
      // The broker ignores an answer that it cannot read.
      let answer = try ConfigurationForConnecting.Answer(reading: document.root)
      choice = try OpaqueObject(reading: document.root)
      // A complete configuration need not be in the manifest.
      guard case .named(let name)? = answer.configuration else { return Outcome() }
      return Outcome(chosen: name)
    } catch {
      return Outcome(problem: "configuration: \(error)")
    }
  }

  private mutating func note(
    _ name: String?, _ change: (inout Self, Set<DelegateCallbackKind>) -> Void
  ) -> Outcome {
    guard let name else {
      change(&self, Set(DelegateCallbackKind.allCases))
      return Outcome()
    }
    guard let kind = DelegateCallbackKind(rawValue: name) else {
      let names = DelegateCallbackKind.allCases.map(\.rawValue).joined(separator: ", ")
      return Outcome(problem: "unknown callback \"\(name)\"; the callbacks are \(names)")
    }
    change(&self, [kind])
    return Outcome()
  }

  private mutating func answerAll() -> Outcome {
    (failing, hanging) = ([], [])
    defer { unanswered = [] }
    return Outcome(answers: unanswered.map { ($0.number, answer(to: $0.kind)) })
  }
}
