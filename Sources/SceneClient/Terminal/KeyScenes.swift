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
    /// Typed while there was no scene, or for one that is on its way to the foreground.
    var waiting: [String] = []
    /// Whether a scene is to come to the foreground for them.
    var isAwaited = false
    /// Whether what is typed ended behind them.
    var isEnded = false
  }

  /// As many lines wait for a scene.
  private static let capacity = 1000

  private let content = Mutex(Content())

  /// Whom a line is for that is typed now.
  var receiver: Scene? { content.withLock { $0.key ?? $0.scenes.last } }

  /// In the order in which they came to the foreground, behind those that are not typed to.
  func sorted(_ scenes: [Scene]) -> [Scene] {
    let order = content.withLock { $0.scenes }
    let others = scenes.filter { !order.contains($0) }
    return others + order.filter { scenes.contains($0) }
  }

  /// Which session is to be brought back for what is typed now; asked once for each time.
  func takeReclaimed() -> String? {
    content.withLock { content in
      defer { content.reclaimed = nil }
      return content.reclaimed
    }
  }

  /// The session could not be brought back; the next line tries again.
  func giveBack(_ reclaimed: String) {
    content.withLock { content in
      if content.scenes.isEmpty, content.reclaimed == nil { content.reclaimed = reclaimed }
    }
  }

  /// Keeps a line for a scene that is to come; whether there is room for it.
  func wait(_ line: String) -> Bool {
    content.withLock { content in
      guard content.waiting.count < Self.capacity else { return false }
      content.waiting.append(line)
      return true
    }
  }

  /// How many lines wait for a scene.
  var waitingCount: Int { content.withLock { $0.waiting.count } }

  /// Whether lines wait until a scene has come to the foreground.
  var isAwaited: Bool { content.withLock { $0.isAwaited } }

  /// A scene is to come to the foreground for the lines that wait.
  func await() { content.withLock { $0.isAwaited = true } }

  /// It does not come; whether what is typed has ended.
  func ceaseAwaiting() -> Bool {
    content.withLock { content in
      defer { (content.isAwaited, content.isEnded) = (false, false) }
      return content.isEnded
    }
  }

  /// What was typed ends behind the lines that wait; false if nothing comes for them.
  func endBehindWaiting() -> Bool {
    content.withLock { content in
      guard content.isAwaited else { return false }
      content.isEnded = true
      return true
    }
  }

  /// What has waited, and whether that is the end.
  func takeWaiting() -> (lines: [String], isEnd: Bool) {
    content.withLock { content in
      defer { (content.waiting, content.isAwaited, content.isEnded) = ([], false, false) }
      return (content.waiting, content.isEnded)
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
