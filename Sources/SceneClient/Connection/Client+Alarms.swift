import ScenePlatform

extension Client {
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
