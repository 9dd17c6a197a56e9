import SceneClient
import ScenePlatform

/// The scenes of this process that take typed lines, and the key scene among them.
final class KeySceneTracker: Sendable {
  private struct Content {
    /// The scene that entered the foreground last is at the end.
    var scenes: [Scene] = []
    /// The scene that was told that it is key.
    var key: Scene?
    /// The scenes between `willEnterForeground` and `didBecomeActive`.
    var entering: [Scene] = []
    /// The session whose scene was reclaimed, while no client holds it.
    var reclaimed: String?
    /// Lines without a scene, or for a scene on its way to the foreground.
    var waiting: [String] = []
    /// Whether a scene moves to the foreground for these lines.
    var isAwaited = false
    /// Whether the request for that move has no reply.
    var isAsked = false
    /// Whether the input ended after these lines.
    var isEnded = false
    /// Whether the user was told that no scene takes lines.
    var isUntakenNoted = false
    /// The number of lines in the queues of scenes.
    var queuedCount = 0

    /// Counts queued lines too, because they may have to wait.
    var isFull: Bool { waiting.count + queuedCount >= KeySceneTracker.capacity }
  }

  /// The maximum number of lines that wait for a scene.
  private static let capacity = 1000
  /// The maximum number of lines in the queues of scenes; callbacks wait behind them.
  private static let queueCapacity = 16

  private let content = ConditionMutex(Content())

  /// The scene that takes a line now.
  var receiver: Scene? { content.withLock { $0.key ?? $0.scenes.last } }

  /// Sorts by the time of entering the foreground. Scenes without typed lines come first.
  func sorted(_ scenes: [Scene]) -> [Scene] {
    let order = content.withLock { $0.scenes }
    let others = scenes.filter { !order.contains($0) }
    return others + order.filter { scenes.contains($0) }
  }

  /// Removes and returns the reclaimed session that a typed line reactivates.
  func takeReclaimed() -> String? {
    content.withLock { content in
      defer { content.reclaimed = nil }
      return content.reclaimed
    }
  }

  /// Restores a session that could not be reactivated; the next line tries again.
  func giveBack(_ reclaimed: String) {
    content.withLock { content in
      if content.scenes.isEmpty, content.reclaimed == nil { content.reclaimed = reclaimed }
    }
  }

  /// Stores a line until a scene takes it. Returns false if the queue is full.
  func wait(_ line: String) -> Bool {
    content.withLock { content in
      guard content.waiting.count < Self.capacity else { return false }
      content.waiting.append(line)
      return true
    }
  }

  /// Counts a line that enters a scene's queue.
  func queue() { content.withLock { $0.queuedCount += 1 } }

  /// Counts a line that leaves a scene's queue.
  func dequeue() { content.withLock { $0.queuedCount -= 1 } }

  /// Waits for space for another line, until a time of `SystemClock.monotonic()`. A terminal is
  /// read also without a scene, because the next key may be Ctrl-D.
  func awaitRoom(isTyped: Bool, until deadline: Int64) -> Bool {
    content.wait(until: deadline) { content in
      (isTyped || !content.isFull) && content.queuedCount < Self.queueCapacity ? true : nil
    } ?? false
  }

  /// Whether the maximum number of lines waits.
  var isFull: Bool { content.withLock { $0.isFull } }

  /// The number of lines that wait for a scene.
  var waitingCount: Int { content.withLock { $0.waiting.count } }

  /// Records that a scene moves to the foreground for the waiting lines. Returns whether to request
  /// the move.
  func await() -> Bool {
    content.withLock { content in
      defer { (content.isAwaited, content.isAsked) = (true, true) }
      return !content.isAsked
    }
  }

  /// Records the reply to that request.
  func noteAnswer() { content.withLock { $0.isAsked = false } }

  /// Records that the scene does not move. Returns whether the input has ended.
  func ceaseAwaiting() -> Bool {
    content.withLock { content in
      defer { (content.isAwaited, content.isEnded) = (false, false) }
      return content.isEnded
    }
  }

  /// Records the end of the input after the waiting lines. Returns false if no scene moves for
  /// them.
  func endBehindWaiting() -> Bool {
    content.withLock { content in
      guard content.isAwaited else { return false }
      content.isEnded = true
      return true
    }
  }

  /// Records that no scene takes lines. Returns whether the user must be told.
  func noteUntaken() -> Bool {
    content.withLock { content in
      defer { content.isUntakenNoted = true }
      return !content.isUntakenNoted
    }
  }

  /// Removes and returns the waiting lines, and whether the input ends after them.
  func takeWaiting() -> (lines: [String], isEnd: Bool) {
    content.withLock { content in
      defer { (content.waiting, content.isAwaited, content.isEnded) = ([], false, false) }
      return (content.waiting, content.isEnded)
    }
  }

  /// Adds a connected scene, before all others in the order.
  func add(_ scene: Scene) {
    content.withLock { content in
      content.scenes.insert(scene, at: 0)
      content.reclaimed = nil
      content.isUntakenNoted = false
    }
  }

  /// Records that a scene leaves the background.
  func enter(_ scene: Scene) { content.withLock { $0.entering.append(scene) } }

  /// Whether a line for this inactive scene waits until the scene is active.
  func isEntering(_ scene: Scene) -> Bool {
    content.withLock { $0.isAwaited || $0.entering.contains(scene) }
  }

  /// Records that a scene is active. Returns whether it becomes key.
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

  /// Records that a scene is no longer active or has ended. Returns the scene that becomes key.
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
