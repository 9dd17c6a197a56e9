public import SceneClient
import SceneControl
import SceneModel

/// A condition on a session, on the application, or on the newest event of a topic.
///
/// ```swift
/// try await broker.wait(
///   for: .session("packing", .foregroundActive, where: ["activity.userInfo.line": 42]),
///   .application(sessions: 1))
/// ```
///
/// A text is a condition in the syntax of `scenectl wait`: `SUBJECT [STATE] [PATH=VALUE]…`, such as
/// `"packing unattached disconnect.reason=reclaimed"`. As in a command line, a text with only a
/// state or only `PATH=VALUE` continues the text before it. `!` negates a condition in both forms.
public struct Condition: Sendable {
  private enum Content: Sendable {
    case typed(SceneControl.Condition)
    /// Arguments of a command line.
    case text([String])
    case invalid(ConditionError)
  }

  /// The state of a session in a condition.
  public enum SessionState: Hashable, Sendable {
    /// The session has no scene.
    case unattached
    /// The scene is not visible.
    case background
    /// The scene is visible and takes no input.
    case foregroundInactive
    /// The scene is visible and takes input.
    case foregroundActive
    /// The scene is visible: active or inactive.
    case foreground
  }

  /// Expected values, by the paths of members.
  public typealias Values = KeyValuePairs<String, (any UserInfoValue)?>

  private var content: Content

  private init(_ content: Content) { self.content = content }

  /// A condition in the syntax of `scenectl wait`.
  ///
  /// - Parameter text: the condition. A mistake in it is a ``TestFailure`` of the method that gets
  ///   the condition.
  public init(_ text: String) { self.init(.text([text])) }

  /// A condition on a session. Without a state and values, the session exists.
  ///
  /// A path is a member of the output of `scenectl --json show`. Dots separate names and array
  /// indices: `title`, `userInfo.color`, `activity.userInfo.line`. A missing member is nil.
  ///
  /// - Parameters:
  ///   - session: the name, the identifier, or a unique prefix of the identifier.
  ///   - state: the state; nil for any.
  ///   - disconnectReason: the reason of the last disconnect, while there is no scene; nil for any.
  ///   - generation: the number of saved activities; nil for any.
  ///   - values: the values that members have.
  ///   - otherValues: values that members do not have.
  /// - Returns: The condition.
  public static func session(
    _ session: String, _ state: SessionState? = nil,
    disconnectReason: Scene.DisconnectReason? = nil, generation: Int? = nil,
    where values: Values = [:], whereNot otherValues: Values = [:]
  ) -> Condition {
    guard !session.isEmpty else { return Condition(.invalid(.noSubject)) }
    return Condition(
      .session(session), state.map(\.requirement),
      ["disconnect.reason": disconnectReason?.rawValue, "generation": generation],
      values, otherValues)
  }

  /// A condition on the application.
  ///
  /// A path is a member of the output of `scenectl --json status`.
  ///
  /// - Parameters:
  ///   - phase: the highest state of all scenes; nil for any.
  ///   - sessions: the number of sessions; nil for any.
  ///   - scenes: the number of sessions with a scene; nil for any.
  ///   - values: the values that members have.
  ///   - otherValues: values that members do not have.
  /// - Returns: The condition.
  public static func application(
    _ phase: SceneApplication.Phase? = nil, sessions: Int? = nil, scenes: Int? = nil,
    where values: Values = [:], whereNot otherValues: Values = [:]
  ) -> Condition {
    Condition(
      .application, phase.map(\.requirement), ["sessions": sessions, "scenes": scenes], values,
      otherValues)
  }

  /// A condition on the newest event of a topic. Without a kind and values, the topic has an event.
  ///
  /// A path is a member of the event, such as `payload.text`.
  ///
  /// - Parameters:
  ///   - topic: the name of the topic, such as `UpdateEvent.topic`; at most 256 bytes.
  ///   - kind: the kind of the event; nil for any.
  ///   - values: the values that members have.
  ///   - otherValues: values that members do not have.
  /// - Returns: The condition.
  public static func topic(
    _ topic: String, kind: String? = nil, where values: Values = [:],
    whereNot otherValues: Values = [:]
  ) -> Condition {
    if let problem = TopicName.problem(with: topic) {
      return Condition(.invalid(.badTopic(topic, problem)))
    }
    return Condition(.topic(topic), nil, ["kind": kind], values, otherValues)
  }

  /// The condition that holds while another does not.
  ///
  /// - Parameter condition: the other condition.
  /// - Returns: The condition.
  public static prefix func ! (condition: Condition) -> Condition {
    switch condition.content {
    case .typed(var typed):
      typed.isNegated.toggle()
      return Condition(.typed(typed))
    case .text(let arguments): return Condition(.text(["!"] + arguments))
    case .invalid: return condition
    }
  }

  private init(
    _ subject: SceneControl.Condition.Subject, _ state: SceneControl.Condition.Requirement?,
    _ members: Values, _ values: Values, _ otherValues: Values
  ) {
    var typed = SceneControl.Condition(subject, state.map { [$0] } ?? [])
    do throws(ConditionError) {
      for (path, value) in members {
        if let value { try typed.require(path, value, isEqual: true) }
      }
      for (path, value) in values { try typed.require(path, value, isEqual: true) }
      for (path, value) in otherValues { try typed.require(path, value, isEqual: false) }
      self.init(.typed(typed))
    } catch {
      self.init(.invalid(error))
    }
  }

  /// The conditions that the broker checks. Adjacent texts are the arguments of one command line.
  static func checked(
    _ conditions: [Condition]
  ) throws(ConditionError) -> [SceneControl.Condition] {
    var checked: [SceneControl.Condition] = []
    var arguments: [String] = []
    for condition in conditions {
      switch condition.content {
      case .text(let words): arguments += words
      case .typed(let typed):
        checked += try ConditionArguments.conditions(arguments) + [typed]
        arguments = []
      case .invalid(let error): throw error
      }
    }
    return checked + (try ConditionArguments.conditions(arguments))
  }
}

extension Condition: ExpressibleByStringInterpolation {
  /// A condition in the syntax of `scenectl wait`.
  ///
  /// - Parameter value: the condition.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Condition.SessionState {
  /// The state of a scene.
  ///
  /// - Parameter state: the state.
  public init(_ state: Scene.ActivationState) {
    switch state {
    case .unattached: self = .unattached
    case .background: self = .background
    case .foregroundInactive: self = .foregroundInactive
    case .foregroundActive: self = .foregroundActive
    }
  }

  fileprivate var requirement: SceneControl.Condition.Requirement {
    switch self {
    case .unattached: .state(.unattached)
    case .background: .state(.background)
    case .foregroundInactive: .state(.foregroundInactive)
    case .foregroundActive: .state(.foregroundActive)
    case .foreground: .foreground
    }
  }
}

extension SceneApplication.Phase {
  fileprivate var requirement: SceneControl.Condition.Requirement {
    switch self {
    case .active: .phase(.active)
    case .inactive: .phase(.inactive)
    case .background: .phase(.background)
    }
  }
}

extension SceneControl.Condition {
  fileprivate mutating func require(
    _ path: String, _ value: (any UserInfoValue)?, isEqual: Bool
  ) throws(ConditionError) {
    guard let place = ValuePath(path) else { throw .badPath(path) }
    requirements.append(
      .value(place, isEqual: isEqual, ExpectedValue(value?.jsonText ?? "null")))
  }
}
