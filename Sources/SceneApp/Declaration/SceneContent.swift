public import SceneClient
package import SceneModel

/// A part of the declarations of an ``App``: scenes, a topic, a policy, or several parts.
/// Corresponds to `SwiftUI.Scene`.
public protocol SceneContent {
  /// The declarations of this part. Corresponds to `SwiftUI.Scene.body`.
  var declarations: SceneDeclarations { get }
}

/// The collected declarations of an ``App``, in order. The library makes and reads them.
public struct SceneDeclarations: SceneContent, Sendable {
  package var scenes: [Declaration]
  package var topics: [DeclaredTopic] = []
  package var phaseActions: [@Sendable (_ old: ScenePhase, _ new: ScenePhase) -> Void] = []
  package var policies: [DeclaredPolicy] = []
  package var delegates: [DeclaredDelegate] = []

  package init(_ scenes: [Declaration] = []) { self.scenes = scenes }

  /// The declarations themselves.
  public var declarations: SceneDeclarations { self }

  /// One kind of scene.
  package struct Declaration: Sendable {
    package var configuration: SceneModel.SceneConfiguration
    package var role = Role.windowApplication
    package var launch: LaunchCommand?
    package var makeDelegate: SceneApplication.DelegateFactory
  }

  /// The storage of a topic's events.
  package struct DeclaredTopic: Sendable {
    package var name: String
    package var declaration: TopicDeclaration
  }

  /// A policy of the broker.
  package enum DeclaredPolicy: Sendable {
    case foreground(atMost: Int)
    case reclaim(count: Int?, age: Duration?)
    case budget(name: String, Duration)
  }

  /// The application delegate, which runs in its own process.
  package struct DeclaredDelegate: Sendable {
    package var isRequired: Bool
    package var make: @Sendable () -> any ApplicationDelegate
  }

  package mutating func append(_ other: SceneDeclarations) {
    scenes += other.scenes
    topics += other.topics
    phaseActions += other.phaseActions
    policies += other.policies
    delegates += other.delegates
  }
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

  /// Takes the parts of an `if` whose condition is true.
  ///
  /// - Parameter part: the parts of the `if`.
  /// - Returns: The parts.
  public static func buildEither(first part: SceneDeclarations) -> SceneDeclarations { part }

  /// Takes the parts of an `else`.
  ///
  /// - Parameter part: the parts of the `else`.
  /// - Returns: The parts.
  public static func buildEither(second part: SceneDeclarations) -> SceneDeclarations { part }

  /// Combines the parts of a `for`.
  ///
  /// - Parameter parts: the parts of each repetition.
  /// - Returns: The declarations of all repetitions, in order.
  public static func buildArray(_ parts: [SceneDeclarations]) -> SceneDeclarations {
    parts.reduce(into: SceneDeclarations()) { $0.append($1) }
  }

  /// Takes the parts of an `if #available`. Corresponds to
  /// `SwiftUI.SceneBuilder.buildLimitedAvailability(_:)`.
  ///
  /// - Parameter part: the parts of the `if`.
  /// - Returns: The parts.
  public static func buildLimitedAvailability(_ part: SceneDeclarations) -> SceneDeclarations {
    part
  }
}

extension SceneContent {
  /// Runs an action after each change of the application's phase, from the first scene of this
  /// process on. The phase at that time runs no action. Corresponds to
  /// `SwiftUI.Scene.onChange(of:initial:_:)`.
  ///
  /// ```swift
  /// @Environment(\.scenePhase) private var scenePhase
  ///
  /// var body: some SceneContent {
  ///   WindowGroup(delegate: NoteDelegate.init)
  ///     .onChange(of: scenePhase) { old, new in print(old, new) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - phase: the value of ``EnvironmentValues/scenePhase``.
  ///   - action: runs in order, on a thread of the library, with the phases before and after. The
  ///     program ends after the last action.
  /// - Returns: The same scenes with the action.
  public func onChange(
    of phase: ScenePhase,
    _ action: @escaping @Sendable (_ oldValue: ScenePhase, _ newValue: ScenePhase) -> Void
  ) -> SceneDeclarations {
    changed { $0.phaseActions.append(action) }
  }

  /// Runs an action after each change of the application's phase, with the new phase. Corresponds
  /// to `SwiftUI.Scene.onChange(of:perform:)`.
  ///
  /// - Parameters:
  ///   - key: ``App/scenePhase``.
  ///   - action: runs in order, on a thread of the library. The program ends after the last action.
  /// - Returns: The same scenes with the action.
  public func onChange(
    of key: ScenePhaseKey, _ action: @escaping @Sendable (ScenePhase) -> Void
  ) -> SceneDeclarations {
    changed { $0.phaseActions.append { _, new in action(new) } }
  }

  /// Sets the role of the scenes; by default they are windows.
  ///
  /// - Parameter role: the role of a new session.
  /// - Returns: The same scenes with the role.
  public func role(_ role: SceneSession.Role) -> SceneDeclarations {
    changed { declarations in
      for index in declarations.scenes.indices {
        declarations.scenes[index].role = Role(rawValue: role.rawValue)
      }
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
    changed { declarations in
      for index in declarations.scenes.indices {
        declarations.scenes[index].launch = LaunchCommand(
          words: command, environment: environment, hasTerminal: inTerminal)
      }
    }
  }

  private func changed(_ change: (inout SceneDeclarations) -> Void) -> SceneDeclarations {
    var declarations = declarations
    change(&declarations)
    return declarations
  }
}
