package import JSON
import SceneModel

/// Whether a condition holds, and how things are where it speaks of them.
package struct ConditionOutcome: Equatable, Sendable {
  package var holds: Bool
  /// For people, such as "the state is background" or "activity.userInfo.line is 41"; empty where there is
  /// nothing to add.
  package var observations: [String]
  /// It speaks of a session that is not there.
  package var isAboutNobody: Bool
  /// Where there is nothing.
  package var absentPaths: [ValuePath]

  package init(
    holds: Bool, observations: [String] = [], isAboutNobody: Bool = false,
    absentPaths: [ValuePath] = []
  ) {
    self.holds = holds
    self.observations = observations
    self.isAboutNobody = isAboutNobody
    self.absentPaths = absentPaths
  }
}

extension Condition {
  /// Looks at what `session/show` or `application/status` answered, or at a topic's newest event; nil
  /// if there is no such session, or none.
  package func outcome(for object: JSONValue?) -> ConditionOutcome {
    guard let object else {
      return ConditionOutcome(
        holds: isNegated, observations: [absence], isAboutNobody: true,
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
      // What explains the outcome: what fails, or what holds although it should not.
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
