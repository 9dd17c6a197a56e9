import ScenePlatform

extension Client {
  /// Nanoseconds that a cancelled call has to return before its queue continues.
  private static let cancellationTimeout: Int64 = 1_000_000_000

  /// Cancels calls of a delegate. A call that ignores its cancellation is abandoned, because it
  /// must not block its queue.
  func cancel(_ calls: DelegateCalls, _ ending: DelegateCalls.Ending) {
    guard let abandon = calls.cancel(ending) else { return }
    _ = setAlarm(at: SystemClock.monotonic() + Self.cancellationTimeout, abandon)
  }

  /// Runs `work` at a time of `SystemClock.monotonic()`, or at the end of the client, unless
  /// `cancelAlarm` prevents it. `work` runs on any thread, and must not block.
  func setAlarm(at time: Int64, _ work: @escaping @Sendable () -> Void) -> RequestToken {
    let token = RequestToken.next()
    let isOver = withState { state in
      guard !state.isOver else { return true }
      state.completions[token] = { _ in work() }
      state.timers.set(.alarm(token), at: time)
      return false
    }
    if isOver { work() } else { wakeup.signal() }
    return token
  }

  func cancelAlarm(_ token: RequestToken) {
    // The closure is released without the lock: its captures may call the client.
    _ = withState { state in
      state.timers.remove(.alarm(token))
      return state.completions.removeValue(forKey: token)
    }
  }
}
