import Synchronization

/// A completion that runs once: with the first value, or with `fallback` if it is released before.
final class OneShot<Value: Sendable>: Sendable {
  private let action: Mutex<(@Sendable (Value) -> Void)?>
  private let fallback: Value

  init(orElse fallback: Value, _ action: @escaping @Sendable (Value) -> Void) {
    self.fallback = fallback
    self.action = Mutex(action)
  }

  deinit { complete(fallback) }

  /// A second call has no effect.
  func complete(_ value: Value) {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?(value)
  }
}
