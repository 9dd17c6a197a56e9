package import SceneModel

/// Part of what an ``App`` declares: scenes, a topic, or several such parts.
public protocol SceneContent {
  /// What it comes to.
  var declarations: SceneDeclarations { get }
}

/// What the parts of an ``App`` come to, in their order. It is made by them, and read by the library.
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

  /// How the events of a topic are kept.
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

/// Puts the parts of an ``App`` together.
@resultBuilder
public enum SceneBuilder {
  /// All of them, in their order.
  public static func buildBlock(_ parts: any SceneContent...) -> some SceneContent {
    DeclaredContent(
      parts.reduce(into: SceneDeclarations()) { $0.append($1.declarations) })
  }
}

/// Content that is known already.
struct DeclaredContent: SceneContent {
  let declarations: SceneDeclarations

  init(_ declarations: SceneDeclarations) { self.declarations = declarations }
}

extension SceneContent {
  /// Does something with the application's phase each time it changes, as far as this program has
  /// seen it; until it has a word of the broker, nothing is in front.
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
  ///   - action: called in order, on a task of the library.
  /// - Returns: The same scenes, with that.
  public func onChange(
    of key: ScenePhaseKey, _ action: @escaping @Sendable (ScenePhase) -> Void
  ) -> some SceneContent {
    changed { $0.phaseActions.append(action) }
  }

  /// What the scenes are for; windows unless something else is said.
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
