import SceneClient
import ScenePlatform

/// The scenes of this process that take typed lines, the key scene among them, and the lines that
/// no scene has taken.
final class KeySceneTracker: Sendable {
  private struct Content {
    /// The scene that became active last is at the end.
    var scenes: [Scene] = []
    /// The scene that was told that it is key.
    var key: Scene?
    /// The session of the last scene, if it was reclaimed.
    var reclaimed: String?
    var lines: [String] = []
    /// Whether the input ended after these lines.
    var isEnded = false
    /// Whether the request that moves a scene to the foreground has no reply.
    var isAsked = false
    /// Whether the user was told that no scene takes lines.
    var isUntakenNoted = false
  }

  /// The maximum number of typed lines that wait for a scene.
  private static let capacity = 1000
  /// The maximum number of lines of a pipe that wait for a scene.
  private static let pipeCapacity = 16

  private let content = ConditionMutex(Content())

  /// The scene that takes a line now.
  var receiver: Scene? { content.withLock { $0.key ?? $0.scenes.last } }

  /// The number of lines that wait for a scene.
  var waitingCount: Int { content.withLock { $0.lines.count } }

  /// Sorts by the time of becoming active. Scenes without typed lines come first.
  func sorted(_ scenes: [Scene]) -> [Scene] {
    let order = content.withLock { $0.scenes }
    return scenes.filter { !order.contains($0) } + order.filter { scenes.contains($0) }
  }

  // MARK: - Lines

  /// Stores a line until a scene takes it. Returns false if the queue is full.
  func add(_ line: String) -> Bool {
    content.withLock { content in
      guard content.lines.count < Self.capacity else { return false }
      content.lines.append(line)
      return true
    }
  }

  /// Removes and returns the first line.
  func takeLine() -> String? {
    content.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
  }

  /// Records the end of the input after the waiting lines. Returns false without such lines.
  func endAfterLines() -> Bool {
    content.withLock { content in
      content.isEnded = !content.lines.isEmpty
      return content.isEnded
    }
  }

  /// Returns once whether the input has ended after the taken lines.
  func takeEnd() -> Bool {
    content.withLock { exchange(&$0.isEnded, with: false) }
  }

  /// Waits until the scenes have taken most lines of a pipe.
  func awaitRoom() { content.wait { $0.lines.count < Self.pipeCapacity ? () : nil } }

  /// Records that no scene takes lines. Returns whether the user must be told.
  func noteUntaken() -> Bool {
    content.withLock { !exchange(&$0.isUntakenNoted, with: true) }
  }

  /// Removes and returns the reclaimed session that a line brings back.
  func takeReclaimed() -> String? {
    content.withLock { $0.reclaimed.take() }
  }

  /// Restores a session that could not be brought back; the next line tries again.
  func giveBack(_ reclaimed: String) {
    content.withLock { if $0.scenes.isEmpty { $0.reclaimed = reclaimed } }
  }

  // MARK: - Scenes

  /// Whether a scene takes lines now. A scene on an external display never becomes key.
  func isTaking(_ scene: Scene) -> Bool {
    scene.session.role == .windowExternalDisplay || content.withLock { $0.key === scene }
  }

  /// Whether to request that a scene moves to the foreground, unless such a request has no reply.
  func ask() -> Bool {
    content.withLock { !exchange(&$0.isAsked, with: true) }
  }

  /// Records the reply to that request.
  func noteAnswer() { content.withLock { $0.isAsked = false } }

  /// Adds a connected scene, before all others in the order.
  func add(_ scene: Scene) {
    content.withLock { content in
      content.scenes.insert(scene, at: 0)
      content.reclaimed = nil
      content.isUntakenNoted = false
    }
  }

  /// Records that a scene is active. Returns whether it becomes key.
  func makeKey(_ scene: Scene) -> Bool {
    content.withLock { content in
      guard content.scenes.contains(scene) else { return false }
      content.scenes.removeAll { $0 === scene }
      content.scenes.append(scene)
      defer { content.key = scene }
      return content.key !== scene
    }
  }

  /// Records that a scene is in the background or has ended. Returns the scene that becomes key.
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
