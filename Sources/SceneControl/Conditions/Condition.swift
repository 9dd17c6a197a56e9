package import SceneModel

/// A condition on a session, the application or the newest event of a topic: `SUBJECT [STATE]
/// [PATH=VALUE]…`. Without STATE and PATH=VALUE it holds if the session or an event exists. A `!`
/// before it negates it.
package struct Condition: Equatable, Sendable {
  package enum Subject: Equatable, Sendable {
    /// By name, identifier or unique prefix.
    case session(String)
    case application
    /// The newest event of a topic.
    case topic(String)
  }

  package enum Requirement: Equatable, Sendable {
    case state(ActivationState)
    /// Active or inactive: the word `foreground`.
    case foreground
    case phase(ApplicationPhase)
    /// The value equals the expected value, or differs from it.
    case value(ValuePath, isEqual: Bool, ExpectedValue)
  }

  package var isNegated: Bool
  package var subject: Subject
  package var requirements: [Requirement]

  package init(isNegated: Bool = false, _ subject: Subject, _ requirements: [Requirement] = []) {
    self.isNegated = isNegated
    self.subject = subject
    self.requirements = requirements
  }
}

/// A mistake in a condition.
package struct ConditionError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case noSubject
    /// PATH=VALUE without a subject.
    case missingSubject(String)
    case notARequirement(String)
    case badPath(String)
    /// A state of a session with the application, or a phase with a session.
    case wrongKind(String, of: String, expected: [String])
    case twoStates(String, String)
    case badTopic(String, String)
    /// Wrong quotes.
    case syntax(String)
  }

  package var reason: Reason
  /// The argument of the command line with the mistake; nil for words without quotes.
  package var argument: String?

  package init(_ reason: Reason, in argument: String? = nil) {
    self.reason = reason
    self.argument = argument
  }

  package var description: String {
    argument.map { "condition '\($0)': \(likelyCause ?? problem)" } ?? problem
  }

  private var problem: String {
    switch reason {
    case .noSubject:
      "a condition begins with a session, `application` or topic:NAME"
    case .missingSubject(let word):
      "\(word) has no subject; begin the condition with a session, `application` or topic:NAME; "
        + "if this is the name of a session, use its identifier instead"
    case .notARequirement(let word):
      "\"\(word)\" is neither a state nor PATH=VALUE; quote a name that contains spaces"
    case .badPath(let path):
      "\"\(path)\" is not a path such as activity.userInfo.line"
    case .wrongKind(let word, let subject, let expected):
      "\(word) is not a state of \(subject); use one of \(expected.joined(separator: ", "))"
    case .twoStates(let one, let other):
      "\(one) and \(other) cannot hold at the same time"
    case .badTopic(let word, let problem):
      "the topic of \"\(word)\" \(problem)"
    case .syntax(let problem): problem
    }
  }
}

extension Condition {
  /// Reads the words of one condition, without shell quotes.
  package init(words: some Collection<String>) throws(ConditionError) {
    var words = Array(words)[...]
    isNegated = false
    while let word = words.first, word.hasPrefix("!") {
      isNegated.toggle()
      words.removeFirst()
      if word != "!" { words.insert(String(word.dropFirst()), at: words.startIndex) }
    }
    guard let who = words.popFirst(), !who.isEmpty else { throw ConditionError(.noSubject) }
    let topic =
      who.hasPrefix(Self.topicPrefix) ? String(who.dropFirst(Self.topicPrefix.count)) : nil
    if let topic, let problem = TopicName.problem(with: topic) {
      throw ConditionError(.badTopic(who, problem))
    }
    if topic == nil, !Self.beginsCondition(who), who.contains("=") {
      throw ConditionError(.missingSubject(who))
    }
    subject =
      topic.map(Subject.topic) ?? (who == "application" ? .application : .session(who))
    requirements = []
    var state: String?
    for word in words {
      let requirement = try Self.requirement(word, of: subject)
      switch requirement {
      case .state, .foreground, .phase:
        if let state { throw ConditionError(.twoStates(state, word)) }
        state = word
      case .value:
        break
      }
      requirements.append(requirement)
    }
  }

  private static let topicPrefix = "topic:"
  static let foregroundWord = "foreground"

  /// Whether a word can only begin a condition: it is not a state, a phase or PATH=VALUE.
  package static func beginsCondition(_ word: String) -> Bool {
    word.hasPrefix(topicPrefix)
      || ActivationState(rawValue: word) == nil && word != foregroundWord
        && ApplicationPhase(rawValue: word) == nil && comparison(word) == nil
  }

  private static func requirement(
    _ word: String, of subject: Subject
  ) throws(ConditionError) -> Requirement {
    if let (path, isEqual, value) = comparison(word) {
      guard let place = ValuePath(path) else { throw ConditionError(.badPath(path)) }
      return .value(place, isEqual: isEqual, ExpectedValue(value))
    }
    if word == foregroundWord, case .session = subject { return .foreground }
    if word == foregroundWord, case .application = subject { throw notAPhase(word) }
    let state = ActivationState(rawValue: word)
    let phase = ApplicationPhase(rawValue: word)
    switch (subject, state, phase) {
    case (.session, let state?, _): return .state(state)
    case (.application, _, let phase?): return .phase(phase)
    case (.application, _?, nil):
      throw notAPhase(word)
    case (.session, nil, _?):
      throw ConditionError(
        .wrongKind(word, of: "a session", expected: ActivationState.allCases.map(\.rawValue)))
    case (.topic, _?, _), (.topic, _, _?):
      throw ConditionError(.notARequirement(word))
    case (.session, nil, nil), (.application, nil, nil), (.topic, nil, nil):
      throw ConditionError(.notARequirement(word))
    }
  }

  private static func notAPhase(_ word: String) -> ConditionError {
    ConditionError(
      .wrongKind(word, of: "the application", expected: ApplicationPhase.allCases.map(\.rawValue)))
  }

  /// The parts of `PATH=VALUE` or `PATH!=VALUE`.
  private static func comparison(_ word: String) -> (path: String, isEqual: Bool, value: String)? {
    guard let sign = word.firstIndex(of: "=") else { return nil }
    var path = word[..<sign]
    let isEqual = path.last != "!"
    if !isEqual { path.removeLast() }
    // A path has no spaces, so this is a name that contains a sign.
    if path.contains(where: \.isWhitespace) { return nil }
    return (String(path), isEqual, String(word[word.index(after: sign)...]))
  }
}

extension Condition: CustomStringConvertible {
  /// The words of the condition, without quotes.
  package var description: String {
    var words: [String] = isNegated ? ["!"] : []
    switch subject {
    case .session(let who): words.append(who)
    case .application: words.append("application")
    case .topic(let name): words.append(Self.topicPrefix + name)
    }
    words += requirements.map(\.description)
    return words.joined(separator: " ")
  }
}

extension Condition.Requirement: CustomStringConvertible {
  package var description: String {
    switch self {
    case .state(let state): state.rawValue
    case .foreground: Condition.foregroundWord
    case .phase(let phase): phase.rawValue
    case .value(let path, let isEqual, let value): "\(path)\(isEqual ? "=" : "!=")\(value.text)"
    }
  }
}
