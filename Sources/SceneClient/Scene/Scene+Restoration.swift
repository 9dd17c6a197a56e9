import Synchronization

extension Scene {
  /// Extends the restoration of the state beyond
  /// ``SceneDelegate/scene(_:willConnectTo:options:)``, by 60 s from now. The scene connects after
  /// as many calls of ``completeStateRestoration()``. Corresponds to
  /// `UIScene.extendStateRestoration()`.
  ///
  /// The call has no effect on a scene that is connected or has ended.
  public func extendStateRestoration() {
    guard restoration.extend() else { return }
    // An ended scene needs no time.
    try? extendTime(by: .seconds(60))
  }

  /// Ends one extension of the restoration. Corresponds to `UIScene.completeStateRestoration()`.
  public func completeStateRestoration() { restoration.complete() }
}

/// The extensions of the restoration of one scene.
final class StateRestoration: Sendable {
  private struct Content {
    var extensions = 0
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let content = Mutex(Content())

  /// Returns false after the end of the restoration.
  func extend() -> Bool {
    content.withLock { content in
      if !content.isOver { content.extensions += 1 }
      return !content.isOver
    }
  }

  func complete() {
    resume { content in
      content.extensions = max(0, content.extensions - 1)
      if content.extensions == 0, content.waiter != nil { content.isOver = true }
    }
  }

  /// Returns when no extension is left. Throws if the task is cancelled, as for a scene that ends.
  func end() async throws {
    let isExtended = content.withLock { content in
      content.isOver = content.isOver || content.extensions == 0
      return !content.isOver
    }
    guard isExtended else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isReady = content.withLock { content in
          content.isOver = content.isOver || content.extensions == 0
          if !content.isOver { content.waiter = waiter }
          return content.isOver
        }
        if isReady { waiter.resume() }
      }
    } onCancel: {
      resume { $0.isOver = true }
    }
    try Task.checkCancellation()
  }

  /// Resumes the waiting call if the change ends the restoration.
  private func resume(after change: @Sendable (inout Content) -> Void) {
    let waiter = content.withLock { content -> CheckedContinuation<Void, Never>? in
      change(&content)
      return content.isOver ? content.waiter.take() : nil
    }
    waiter?.resume()
  }
}
