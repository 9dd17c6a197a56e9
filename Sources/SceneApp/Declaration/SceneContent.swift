public import SceneClient
package import SceneModel

/// A part of the declarations of an ``App``: scenes, a topic, or several parts.
public protocol SceneContent {
  /// The type of the content.
  var declarations: SceneDeclarations { get }
}

/// The collected declarations of an ``App``, in order. The library makes and reads them.
public struct SceneDeclarations: Sendable {
  package var scenes: [Declaration]
  package var topics: [DeclaredTopic] = []
  package var phaseActions: [@Sendable (ScenePhase) -> Void] = []

  package init(_ scenes: [Declaration] = []) { self.scenes = scenes }

  /// One kind of scene.
  package struct Declaration: Sendable {
    package var configuration: SceneModel.SceneConfiguration
    package var role = Role.windowApplication
    package var makeDelegate: SceneApplication.DelegateFactory
  }

  /// The storage of a topic's events.
  package struct DeclaredTopic: Sendable {
    package var name: String
    package var declaration: TopicDeclaration
  }

  package mutating func append(_ other: SceneDeclarations) {
    scenes += other.scenes
    topics += other.topics
    phaseActions += other.phaseActions
  }
}

/// Combines the parts of an ``App``.
@resultBuilder
public enum SceneBuilder {
  /// All parts, in order.
  public static func buildBlock(_ parts: any SceneContent...) -> some SceneContent {
    DeclaredContent(
      parts.reduce(into: SceneDeclarations()) { $0.append($1.declarations) })
  }
}

/// Content with its declarations.
struct DeclaredContent: SceneContent {
  let declarations: SceneDeclarations

  init(_ declarations: SceneDeclarations) { self.declarations = declarations }
}

extension SceneContent {
  /// Runs an action after each change of the application's phase. Before the first message of the
  /// broker the phase is `background`.
  ///
  /// ```swift
  /// WindowGroup(id: "Note", delegate: NoteDelegate.init)
  ///   .onChange(of: scenePhase) { phase in
  ///     if phase == .background { print("nothing is in front") }
  ///   }
  /// ```
  ///
  /// - Parameters:
  ///   - key: ``App/scenePhase``.
  ///   - action: runs in order, on a task of the library.
  /// - Returns: The same scenes with the action.
  public func onChange(
    of key: ScenePhaseKey, _ action: @escaping @Sendable (ScenePhase) -> Void
  ) -> some SceneContent {
    changed { $0.phaseActions.append(action) }
  }

  /// Sets the role of the scenes; by default they are windows.
  public func role(_ role: SceneSession.Role) -> some SceneContent {
    changed { declarations in
      for index in declarations.scenes.indices {
        declarations.scenes[index].role = Role(rawValue: role.rawValue)
      }
    }
  }

  func changed(_ change: (inout SceneDeclarations) -> Void) -> DeclaredContent {
    var declarations = declarations
    change(&declarations)
    return DeclaredContent(declarations)
  }
}
