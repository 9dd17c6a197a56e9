package import SceneJSON
package import SceneModel

/// The result of a condition, with the actual values.
package struct ConditionOutcome: Equatable, Sendable {
  package var holds: Bool
  /// The actual values, such as "the state is background" or "activity.userInfo.line is 41".
  package var observations: [String] = []
  /// Whether the session or the event does not exist.
  package var subjectMissing = false
  /// The paths without a value.
  package var absentPaths: [ValuePath] = []
  /// The matches, if the session is the prefix of several identifiers.
  package var ambiguity: SessionResolve.Reply?
}

extension Condition {
  /// Tests the reply to `session/show` or `application/status`, or the newest event of a topic; nil
  /// if the session or an event does not exist.
  package func outcome(for object: JSONValue?) -> ConditionOutcome {
    guard let object else {
      return ConditionOutcome(
        holds: isNegated, observations: [absence], subjectMissing: true,
        absentPaths: requirements.compactMap(\.path))
    }
    var allHold = true
    var absentPaths: [ValuePath] = []
    var observations: [String] = []
    for requirement in requirements {
      let (holds, observation) = look(at: requirement, in: object)
      if !holds { allHold = false }
      if let path = requirement.path, value(at: path, in: object) == nil {
        absentPaths.append(path)
      }
      // The requirements that explain the result: those that fail, or for a negated condition those
      // that hold.
      if holds == isNegated { observations.append(observation) }
    }
    if requirements.isEmpty, isNegated { observations.append(presence) }
    return ConditionOutcome(
      holds: allHold != isNegated, observations: observations, absentPaths: absentPaths)
  }

  private var presence: String {
    switch subject {
    case .session: "the session exists"
    case .application: "the application exists"
    case .topic: "the topic has an event"
    }
  }

  private var absence: String {
    switch subject {
    case .session, .application: "the session does not exist"
    case .topic: "the topic has no event"
    }
  }

  private func value(at path: ValuePath, in object: JSONValue) -> JSONValue? {
    switch subject {
    case .session: path.value(inSession: object)
    case .application, .topic: path.value(in: object)
    }
  }

  private func look(
    at requirement: Requirement, in object: JSONValue
  ) -> (holds: Bool, observation: String) {
    switch requirement {
    case .state(let state):
      let actual = object["state"]?.string ?? "unknown"
      return (actual == state.rawValue, "the state is \(actual)")
    case .foreground:
      let actual = object["state"]?.string ?? "unknown"
      let states = [ActivationState.foregroundActive, .foregroundInactive]
      return (states.contains { $0.rawValue == actual }, "the state is \(actual)")
    case .phase(let phase):
      let actual = object["phase"]?.string ?? "unknown"
      return (actual == phase.rawValue, "the state is \(actual)")
    case .value(let path, let isEqual, let expected):
      let value = value(at: path, in: object)
      let actual = value.map { "\(path) is \($0.raw)" } ?? "\(path) does not exist"
      return (expected.matches(value) == isEqual, actual)
    }
  }
}

extension Condition.Requirement {
  /// The path of a value.
  fileprivate var path: ValuePath? {
    if case .value(let path, _, _) = self { path } else { nil }
  }
}
