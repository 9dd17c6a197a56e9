import SceneClient
import SceneJSON
import SceneModel

/// The rules of a delegate in a script, and the lines that change them.
struct DelegateRules {
  /// The answer to `configurationForConnecting`.
  private var choice = OpaqueObject.empty
  private var accepts = true
  private var failing: Set<CallbackKind> = []
  private var hanging: Set<CallbackKind> = []
  /// The open questions.
  private var unanswered: [(number: Int64, kind: CallbackKind)] = []

  /// The identifiers of the lines that wait for a pong; nil for a line without an identifier.
  private var awaitingPong: [RawJSON?] = []

  mutating func awaitPong(_ identifier: RawJSON?) { awaitingPong.append(identifier) }

  mutating func takePongs() -> [RawJSON?] {
    defer { awaitingPong = [] }
    return awaitingPong
  }

  private static let help =
    "the rules are configuration [NAME | JSON], accept, decline, fail [CALLBACK], hang [CALLBACK], "
    + "answer, help"

  /// Nil leaves the question open.
  mutating func answer(_ number: Int64, _ kind: CallbackKind) -> CallAnswer? {
    guard !hanging.contains(kind) else {
      unanswered.append((number, kind))
      return nil
    }
    return answer(to: kind)
  }

  private func answer(to kind: CallbackKind) -> CallAnswer {
    if failing.contains(kind) {
      return .failed(message: "the rule fail applies to \(kind.rawValue)")
    }
    return switch kind {
    case .didFinishLaunching: .launched(accepted: accepts)
    case .configurationForConnecting: .carried(choice)
    default: .done
    }
  }

  /// Open questions end with the connection.
  mutating func forgetUnanswered() { unanswered = [] }

  /// Applies a line. An empty line has no effect. Returns the answers to send now, with the numbers
  /// of their questions.
  mutating func take(
    _ line: String
  ) throws(MemberError) -> [(number: Int64, answer: CallAnswer)] {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    let argument = words.dropFirst().first
    switch words.first {
    case nil, "help": break
    case "configuration": choice = try Self.choice(argument ?? "")
    case "fail": failing.formUnion(try Self.callbacks(argument))
    case "hang": hanging.formUnion(try Self.callbacks(argument))
    case let rule? where argument != nil && ["accept", "decline", "answer"].contains(rule):
      throw MemberError(problem: "the rule \(rule) takes no argument; \(Self.help)")
    case "accept": accepts = true
    case "decline": accepts = false
    case "answer":
      (failing, hanging) = ([], [])
      defer { unanswered = [] }
      return unanswered.map { ($0.number, answer(to: $0.kind)) }
    default: throw MemberError(problem: "unknown rule \"\(line)\"; \(Self.help)")
    }
    return []
  }

  private static func choice(_ text: String) throws(MemberError) -> OpaqueObject {
    guard text.first == "{" else {
      if text.isEmpty { return .empty }
      return OpaqueObject(unchecked: JSONWriter.object { $0.member("configuration", text) })
    }
    return try MemberError.inside("configuration", object(text))
  }

  private static func object(_ text: String) throws(MemberError) -> OpaqueObject {
    let document = JSONDocument()
    try document.parse(text.utf8)
    // The broker ignores an answer that it cannot read.
    _ = try ConfigurationForConnecting.Answer(reading: document.root)
    return try OpaqueObject(reading: document.root)
  }

  /// All callbacks without a name.
  private static func callbacks(
    _ name: String?
  ) throws(MemberError) -> Set<CallbackKind> {
    guard let name else { return Set(CallbackKind.ofDelegate) }
    guard let kind = CallbackKind.ofDelegate.first(where: { $0.rawValue == name }) else {
      let names = CallbackKind.ofDelegate.map(\.rawValue).joined(separator: ", ")
      throw MemberError(problem: "unknown callback \"\(name)\"; the callbacks are \(names)")
    }
    return [kind]
  }
}
