package import JSON
import SceneModel

/// Whether a condition holds, and how things are where it speaks of them.
package struct ConditionOutcome: Equatable, Sendable {
  package var holds: Bool
  /// For people, such as "it is background" or "activity.userInfo.line is 41"; empty where there is
  /// nothing to add.
  package var observations: [String]
  /// It speaks of a session that is not there.
  package var isAboutNobody: Bool

  package init(holds: Bool, observations: [String] = [], isAboutNobody: Bool = false) {
    self.holds = holds
    self.observations = observations
    self.isAboutNobody = isAboutNobody
  }
}

extension Condition {
  /// Looks at what `session/show` or `application/status` answered; nil if there is no such
  /// session.
  package func outcome(for object: JSONValue?) -> ConditionOutcome {
    guard let object else {
      return ConditionOutcome(
        holds: isNegated, observations: ["there is no such session"], isAboutNobody: true)
    }
    var allHold = true
    var observations: [String] = []
    for requirement in requirements {
      let (holds, observation) = look(at: requirement, in: object)
      if !holds { allHold = false }
      // What explains the outcome: what fails, or what holds although it should not.
      if holds == isNegated { observations.append(observation) }
    }
    if requirements.isEmpty, isNegated { observations.append("it is there") }
    return ConditionOutcome(holds: allHold != isNegated, observations: observations)
  }

  private func look(
    at requirement: Requirement, in object: JSONValue
  ) -> (holds: Bool, observation: String) {
    switch requirement {
    case .state(let state):
      let actual = object["state"]?.string ?? "in no state"
      return (actual == state.rawValue, "it is \(actual)")
    case .phase(let phase):
      let actual = object["phase"]?.string ?? "in no phase"
      return (actual == phase.rawValue, "it is \(actual)")
    case .value(let path, let isEqual, let expected):
      let value: JSONValue? =
        switch subject {
        case .session: path.value(inSession: object)
        case .application: path.value(in: object)
        }
      let actual = value.map { "\(path) is \($0.raw)" } ?? "there is no \(path)"
      return (expected.matches(value) == isEqual, actual)
    }
  }
}
