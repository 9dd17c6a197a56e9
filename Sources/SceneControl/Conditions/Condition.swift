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
  let problem: String
  /// The word that is neither a state nor PATH=VALUE, if that is the mistake.
  var word: String?
  /// The argument of the command line with the mistake; nil for words without quotes.
  package var argument: String?

  package static let noSubject = ConditionError(
    problem: "a condition begins with a session, `application` or topic:NAME")

  package static func notARequirement(_ word: String) -> ConditionError {
    ConditionError(
      problem: "\"\(word)\" is neither a state nor PATH=VALUE; quote a name that contains spaces",
      word: word)
  }

  package static func badPath(_ path: String) -> ConditionError {
    ConditionError(problem: "\"\(path)\" is not a path such as activity.userInfo.line")
  }

  package static func badTopic(_ word: String, _ problem: String) -> ConditionError {
    ConditionError(problem: "the topic of \"\(word)\" \(problem)")
  }

  /// A state of a session with the application, or a phase with a session.
  fileprivate static func wrongKind<State: RawRepresentable<String> & CaseIterable>(
    _ word: String, of subject: String, expected: State.Type
  ) -> ConditionError {
    let words = State.allCases.map(\.rawValue).joined(separator: ", ")
    return ConditionError(problem: "\(word) is not a state of \(subject); use one of \(words)")
  }

  package var description: String {
    argument.map { "condition '\($0)': \(likelyCause ?? problem)" } ?? problem
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
    guard let who = words.popFirst(), !who.isEmpty else { throw .noSubject }
    let topic =
      who.hasPrefix(Self.topicPrefix) ? String(who.dropFirst(Self.topicPrefix.count)) : nil
    if let topic, let problem = TopicName.problem(with: topic) {
      throw .badTopic(who, problem)
    }
    if topic == nil, !Self.beginsCondition(who), who.contains("=") {
      throw ConditionError(
        problem: "\(who) has no subject; begin the condition with a session, `application` or "
          + "topic:NAME; if this is the name of a session, use its identifier instead")
    }
    subject =
      topic.map(Subject.topic) ?? (who == "application" ? .application : .session(who))
    requirements = []
    var state: String?
    for word in words {
      let requirement = try Self.requirement(word, of: subject)
      switch requirement {
      case .state, .foreground, .phase:
        if let state {
          throw ConditionError(problem: "\(state) and \(word) cannot hold at the same time")
        }
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
      guard let place = ValuePath(path) else { throw .badPath(path) }
      return .value(place, isEqual: isEqual, ExpectedValue(value))
    }
    if word == foregroundWord, case .session = subject { return .foreground }
    let state = ActivationState(rawValue: word)
    let phase = ApplicationPhase(rawValue: word)
    switch (subject, state, phase) {
    case (.session, let state?, _): return .state(state)
    case (.application, _, let phase?): return .phase(phase)
    case (.application, _, nil) where state != nil || word == foregroundWord:
      throw .wrongKind(word, of: "the application", expected: ApplicationPhase.self)
    case (.session, nil, _?):
      throw .wrongKind(word, of: "a session", expected: ActivationState.self)
    case (.session, nil, nil), (.application, _, nil), (.topic, _, _):
      throw .notARequirement(word)
    }
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
