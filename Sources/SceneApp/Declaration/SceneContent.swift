public import SceneClient
package import SceneModel

/// A part of the declarations of an ``App``: scenes, a topic, or several parts.
/// Corresponds to `SwiftUI.Scene`.
public protocol SceneContent {
  /// The declarations of this part. Corresponds to `SwiftUI.Scene.body`.
  var declarations: SceneDeclarations { get }
}

/// The collected declarations of an ``App``, in order. The library makes and reads them.
public struct SceneDeclarations: SceneContent, Sendable {
  package var scenes: [Declaration]
  /// The storage of each topic's events.
  package var topics: [(name: String, declaration: TopicDeclaration)] = []
  package var phaseActions: [PhaseAction] = []
  /// The application delegate, which runs in its own process.
  package var delegates: [(isRequired: Bool, make: @Sendable () -> any ApplicationDelegate)] = []

  package init(_ scenes: [Declaration] = []) { self.scenes = scenes }

  /// The declarations themselves.
  public var declarations: SceneDeclarations { self }

  /// One kind of scene.
  package struct Declaration: Sendable {
    package var configuration: SceneModel.SceneConfiguration
    package var role = Role.windowApplication
    package var launch: LaunchCommand?
    package var policies = ConfigurationPolicies()
    /// Whether a program without a request opens another kind.
    package var isSuppressed = false
    /// The title of a new window.
    package var title: String?
    /// The type of the windows' values.
    package var valueType: ObjectIdentifier?
    package var makeDelegate: SceneApplication.DelegateMaker
  }

  /// An action after a change of the phase.
  package struct PhaseAction: Sendable {
    /// Whether the action also runs for the phase of the first scene.
    package var isInitial = false
    /// Takes the old and the new phase.
    package var run: @Sendable (ScenePhase, ScenePhase) -> Void
  }

  package mutating func append(_ other: SceneDeclarations) {
    scenes += other.scenes
    topics += other.topics
    phaseActions += other.phaseActions
    delegates += other.delegates
  }
}

/// Whether windows come back after a restart. Corresponds to `SwiftUI.SceneRestorationBehavior`.
public struct SceneRestorationBehavior: Hashable, Sendable {
  private let isDisabled: Bool

  /// Windows come back; settings do not. Corresponds to
  /// `SwiftUI.SceneRestorationBehavior.automatic`.
  public static let automatic = SceneRestorationBehavior(isDisabled: false)
  /// Windows do not come back. Corresponds to `SwiftUI.SceneRestorationBehavior.disabled`.
  public static let disabled = SceneRestorationBehavior(isDisabled: true)
}

/// Whether a program without a request opens a kind of scene. Corresponds to
/// `SwiftUI.SceneLaunchBehavior`.
public struct SceneLaunchBehavior: Hashable, Sendable {
  private let isSuppressed: Bool

  /// The first kind of a role opens. Corresponds to `SwiftUI.SceneLaunchBehavior.automatic`.
  public static let automatic = SceneLaunchBehavior(isSuppressed: false)
  /// Another kind opens. Corresponds to `SwiftUI.SceneLaunchBehavior.suppressed`.
  public static let suppressed = SceneLaunchBehavior(isSuppressed: true)
}

/// Combines the parts of an ``App``. Corresponds to `SwiftUI.SceneBuilder`. The conditions in it
/// are evaluated once, when the program starts.
@resultBuilder
public enum SceneBuilder {
  /// Combines all parts of a body. Corresponds to `SwiftUI.SceneBuilder.buildBlock(_:)`.
  ///
  /// - Parameter parts: the parts.
  /// - Returns: The declarations of all parts, in order.
  public static func buildBlock(_ parts: any SceneContent...) -> SceneDeclarations {
    parts.reduce(into: SceneDeclarations()) { $0.append($1.declarations) }
  }

  /// Takes the parts of an `if` without `else`. Corresponds to
  /// `SwiftUI.SceneBuilder.buildOptional(_:)`.
  ///
  /// - Parameter part: the parts; nil if the condition is false.
  /// - Returns: The parts, or empty declarations.
  public static func buildOptional(_ part: SceneDeclarations?) -> SceneDeclarations {
    part ?? SceneDeclarations()
  }

}

extension SceneContent {
  /// Runs an action after each change of the application's phase, from the first scene of this
  /// process on. The phase at that time runs no action. Corresponds to
  /// `SwiftUI.Scene.onChange(of:perform:)`.
  ///
  /// ```swift
  /// @Environment(\.scenePhase) private var scenePhase
  ///
  /// var body: some SceneContent {
  ///   WindowGroup(delegate: NoteDelegate.init)
  ///     .onChange(of: scenePhase) { phase in print(phase) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - phase: the value of ``EnvironmentValues/scenePhase``.
  ///   - action: runs in order, on a thread of the library, with the new phase. The program ends
  ///     after the last action.
  /// - Returns: The same scenes with the action.
  public func onChange(
    of phase: ScenePhase, _ action: @escaping @Sendable (ScenePhase) -> Void
  ) -> SceneDeclarations {
    changed { $0.phaseActions.append(.init { action($1) }) }
  }

  /// Runs an action after each change of the application's phase, as ``onChange(of:_:)``.
  /// Corresponds to `SwiftUI.Scene.onChange(of:initial:_:)`.
  ///
  /// - Parameters:
  ///   - phase: the value of ``EnvironmentValues/scenePhase``.
  ///   - initial: whether the action also runs for the phase at the first scene.
  ///   - action: runs in order, on a thread of the library.
  /// - Returns: The same scenes with the action.
  public func onChange(
    of phase: ScenePhase, initial: Bool = false, _ action: @escaping @Sendable () -> Void
  ) -> SceneDeclarations {
    changed { $0.phaseActions.append(.init(isInitial: initial) { _, _ in action() }) }
  }

  /// Runs an action after each change of the application's phase, as ``onChange(of:_:)``.
  /// Corresponds to `SwiftUI.Scene.onChange(of:initial:_:)`.
  ///
  /// - Parameters:
  ///   - phase: the value of ``EnvironmentValues/scenePhase``.
  ///   - initial: whether the action also runs for the phase at the first scene.
  ///   - action: runs in order, on a thread of the library, with the old and the new phase; at the
  ///     first scene, both are its phase.
  /// - Returns: The same scenes with the action.
  public func onChange(
    of phase: ScenePhase, initial: Bool = false,
    _ action: @escaping @Sendable (ScenePhase, ScenePhase) -> Void
  ) -> SceneDeclarations {
    changed { $0.phaseActions.append(.init(isInitial: initial, run: action)) }
  }

  /// Sets the role of the scenes; by default they are windows.
  ///
  /// - Parameter role: the role of a new session.
  /// - Returns: The same scenes with the role.
  public func role(_ role: SceneSession.Role) -> SceneDeclarations {
    changedScenes { scene in
      scene.role = role
    }
  }

  /// Sets the program that the broker starts for a session of these scenes without a client.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments, without a shell; each has at most 64 KiB. An empty
  ///     program is an error of the declarations.
  ///   - environment: the names of more variables that the program inherits from the broker, each
  ///     at most 256 bytes. A name that ends with `*` is a prefix. The broker refuses a name that
  ///     begins with `SCENE_`.
  ///   - inTerminal: whether the program runs in a new terminal window. The broker opens it as
  ///     `scenectl window` does.
  /// - Returns: The same scenes with the program.
  public func launch(
    _ command: [String], environment: [String] = [], inTerminal: Bool = false
  ) -> SceneDeclarations {
    changedScenes { scene in
      scene.launch = LaunchCommand(
        words: command, environment: environment, hasTerminal: inTerminal)
    }
  }

  /// Sets whether the broker starts the program of ``launch(_:environment:inTerminal:)`` again
  /// after a crash; by default it does not.
  ///
  /// - Parameter policy: when the broker starts the program again.
  /// - Returns: The same scenes with the policy.
  public func restart(_ policy: RestartPolicy) -> SceneDeclarations {
    changedScenes { scene in
      scene.launch?.restart = policy
    }
  }

  /// Sets the content for which the broker opens a new scene, if no session prefers or can show the
  /// content. Corresponds to `SwiftUI.Scene.handlesExternalEvents(matching:)`.
  ///
  /// - Parameter conditions: texts that a target content identifier, or the first URL of content
  ///   without an identifier, can contain; `*` matches everything, and an empty text matches
  ///   nothing. Each has at most 4 KiB.
  /// - Returns: The same scenes with the conditions.
  public func handlesExternalEvents(matching conditions: Set<String>) -> SceneDeclarations {
    changedScenes { scene in
      scene.policies.handles = conditions.sorted().filter { !$0.isEmpty }
        .map { $0 == "*" ? .everything : ActivationPredicate(containing: $0) }
    }
  }

  /// Sets whether windows come back with `scenectl reopen` after a restart; by default they do.
  /// Corresponds to `SwiftUI.Scene.restorationBehavior(_:)`.
  ///
  /// - Parameter behavior: whether windows come back.
  /// - Returns: The same scenes with the behavior.
  public func restorationBehavior(_ behavior: SceneRestorationBehavior) -> SceneDeclarations {
    changedScenes { scene in
      scene.policies.reopens = behavior != .disabled
    }
  }

  /// Sets whether a new scene without a request is of this kind; by default the first kind of a
  /// role is. Corresponds to `SwiftUI.Scene.defaultLaunchBehavior(_:)`.
  ///
  /// - Parameter behavior: whether a program without a request opens this kind.
  /// - Returns: The same scenes with the behavior.
  public func defaultLaunchBehavior(_ behavior: SceneLaunchBehavior) -> SceneDeclarations {
    changedScenes { scene in
      scene.isSuppressed = behavior == .suppressed
    }
  }

  /// Sets what the broker does when a scene in the foreground does not answer a ping; by default it
  /// sends no pings. The budget `ping` of the manifest, 10 s by default, is the time for an answer.
  ///
  /// - Parameters:
  ///   - action: what the broker does.
  ///   - silence: the time without a message of the client, after which the broker pings the scene:
  ///     from a millisecond to a year.
  /// - Returns: The same scenes with the pings.
  public func unresponsive(
    _ action: UnresponsiveAction, after silence: Duration = .seconds(30)
  ) -> SceneDeclarations {
    changedScenes { scene in
      scene.policies.unresponsive = UnresponsivePolicy(
        after: Interval(nanoseconds: silence.nanoseconds), then: action)
    }
  }

  private func changedScenes(
    _ change: (inout SceneDeclarations.Declaration) -> Void
  ) -> SceneDeclarations {
    changed { declarations in
      for index in declarations.scenes.indices { change(&declarations.scenes[index]) }
    }
  }

  private func changed(_ change: (inout SceneDeclarations) -> Void) -> SceneDeclarations {
    var declarations = declarations
    change(&declarations)
    return declarations
  }
}
