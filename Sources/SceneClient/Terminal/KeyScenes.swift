import ScenePlatform

/// The scenes of this process that are typed to, and which of them is key.
final class KeyScenes: Sendable {
  private struct Content {
    /// The one that came to the foreground last is at the end.
    var scenes: [Scene] = []
    /// The one that was told that it is key.
    var key: Scene?
    /// The scenes between `willEnterForeground` and `didBecomeActive`.
    var entering: [Scene] = []
    /// The session that nobody has since its scene was reclaimed here.
    var reclaimed: String?
    /// Typed while there was no scene, or for one that is on its way to the foreground.
    var waiting: [String] = []
    /// Whether a scene is to come to the foreground for them.
    var isAwaited = false
    /// Whether that has been asked for, and not answered.
    var isAsked = false
    /// Whether what is typed ended behind them.
    var isEnded = false
    /// Whether it was noted that no scene takes what is typed now.
    var isUntakenNoted = false
    /// How many lines are in the queues of scenes.
    var queuedCount = 0

    /// What is in a queue may have to wait, too.
    var isFull: Bool { waiting.count + queuedCount >= KeyScenes.capacity }
  }

  /// As many lines wait for a scene.
  private static let capacity = 1000
  /// As many lines are in the queues of scenes, where callbacks wait behind them.
  private static let queueCapacity = 16

  private let content = ConditionMutex(Content())

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

  /// A line is put into a scene's queue.
  func queue() { content.withLock { $0.queuedCount += 1 } }

  /// It has been taken out of there.
  func dequeue() { content.withLock { $0.queuedCount -= 1 } }

  /// Waits until there is room for another line, up to a time of the monotonic clock. What is typed is
  /// read also where no scene takes it: the next key may be the one that ends all this.
  func awaitRoom(isTyped: Bool, until deadline: Int64) -> Bool {
    content.wait(until: deadline) { content in
      (isTyped || !content.isFull) && content.queuedCount < Self.queueCapacity ? true : nil
    } ?? false
  }

  /// Whether as many lines wait for a scene as may.
  var isFull: Bool { content.withLock { $0.isFull } }

  /// How many lines wait for a scene.
  var waitingCount: Int { content.withLock { $0.waiting.count } }

  /// A scene is to come to the foreground for the lines that wait; whether that is to be asked for.
  func await() -> Bool {
    content.withLock { content in
      defer { (content.isAwaited, content.isAsked) = (true, true) }
      return !content.isAsked
    }
  }

  /// It was asked for, and answered.
  func noteAnswer() { content.withLock { $0.isAsked = false } }

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

  /// No scene takes what is typed; whether that is new since the last scene.
  func noteUntaken() -> Bool {
    content.withLock { content in
      defer { content.isUntakenNoted = true }
      return !content.isUntakenNoted
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
      content.isUntakenNoted = false
    }
  }

  /// Notes that the scene leaves the background.
  func enter(_ scene: Scene) { content.withLock { $0.entering.append(scene) } }

  /// Whether a line for this inactive scene waits until the scene is active.
  func isEntering(_ scene: Scene) -> Bool {
    content.withLock { $0.isAwaited || $0.entering.contains(scene) }
  }

  /// The scene is in front; whether it becomes key by that.
  func makeKey(_ scene: Scene) -> Bool {
    content.withLock { content in
      content.entering.removeAll { $0 === scene }
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
      content.entering.removeAll { $0 === scene }
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
