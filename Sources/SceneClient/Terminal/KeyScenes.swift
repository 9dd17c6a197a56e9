import Synchronization

/// The scenes of this process that are typed to, and which of them is key.
final class KeyScenes: Sendable {
  private struct Content {
    /// The one that came to the foreground last is at the end.
    var scenes: [Scene] = []
    /// The one that was told that it is key.
    var key: Scene?
    /// The session that nobody has since its scene was reclaimed here.
    var reclaimed: String?
    /// Typed while there was no scene.
    var waiting: [String] = []
  }

  private let content = Mutex(Content())

  /// Whom a line is for that is typed now.
  var receiver: Scene? { content.withLock { $0.key ?? $0.scenes.last } }

  /// Keeps a line for a scene that is to come; which session is to be brought back for it.
  func wait(_ line: String) -> String? {
    content.withLock { content in
      if !line.isEmpty { content.waiting.append(line) }
      defer { content.reclaimed = nil }
      return content.reclaimed
    }
  }

  func takeWaiting() -> [String] {
    content.withLock { content in
      defer { content.waiting = [] }
      return content.waiting
    }
  }

  /// One that was connected; it is behind all others.
  func add(_ scene: Scene) {
    content.withLock { content in
      content.scenes.insert(scene, at: 0)
      content.reclaimed = nil
    }
  }

  /// The scene is in front; whether it becomes key by that.
  func makeKey(_ scene: Scene) -> Bool {
    content.withLock { content in
      guard content.scenes.contains(scene) else { return false }
      content.scenes.removeAll { $0 === scene }
      content.scenes.append(scene)
      defer { content.key = scene }
      return content.key !== scene
    }
  }

  /// The scene is not in front any more, or over; which one becomes key by that.
  func leave(_ scene: Scene) -> Scene? {
    content.withLock { content in
      guard content.scenes.contains(scene) else { return nil }
      content.scenes.removeAll { $0 === scene }
      if let reason = scene.disconnectReason {
        content.reclaimed = reason == .reclaimed ? scene.session.persistentIdentifier : nil
      } else {
        content.scenes.insert(scene, at: 0)
      }
      guard content.key === scene else { return nil }
      content.key = content.scenes.last { $0.activationState == .foregroundActive }
      return content.key
    }
  }
}
