import SceneCommandLine
import SceneModel

extension Condition {
  /// The message for the first path that can never have a value.
  package var complaint: String? {
    for requirement in requirements {
      guard case .value(let path, _, _) = requirement else { continue }
      if let problem = problem(with: path) {
        return "condition '\(PlainText.escaped(description))': \(problem)"
      }
    }
    return nil
  }

  /// The message for a path that can never have a value, because a member is unknown.
  package func problem(with path: ValuePath) -> String? {
    var names = rootMembers
    for component in path.components {
      // Deeper members are of a client, or of a newer broker.
      guard let known = names else { return nil }
      guard known.contains(component) else {
        return "unknown member \(PlainText.word(path.description))"
          + suggestion(for: component, among: known)
      }
      names = members(below: component)
    }
    return nil
  }

  private var rootMembers: [String]? {
    switch subject {
    case .session:
      Self.names(SessionDetails.self) + Self.names(SceneSessionRecord.self) + ["activity"]
    case .application: Self.names(ApplicationStatus.Reply.self)
    case .topic: Self.names(EventPosted.self)
    }
  }

  private func members(below component: String) -> [String]? {
    guard case .session = subject else { return nil }
    return switch component {
    case "sceneSession": Self.names(SceneSessionRecord.self)
    case "client": Self.names(ClientReference.self)
    case "disconnect": Self.names(DisconnectOutcome.self)
    default: nil
    }
  }

  private static func names(_ type: (some JSONStructure).Type) -> [String] {
    MemberDescriber.members(of: type).map(\.name)
  }
}
