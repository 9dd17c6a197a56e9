import SceneBroker
import ScenePlatform

/// Being told to end.
extension Server {
  func takeSignals() throws(SystemError) {
    if let command = configuration.command { return try takeSignals(for: command) }
    while let signal = try signals.next() {
      switch signal {
      case .terminate, .interrupt:
        if switchboard.broker.isShuttingDown {
          log.note("\(signal.name) again: ending at once")
          isEnding = true
        } else {
          log.note("\(signal.name): ending in order; again to end at once")
          switchboard.terminate()
        }
      case .hangup: log.note("HUP: the manifest is the built-in one; nothing to read again")
      default: break
      }
    }
  }

  /// Whoever opened the listening socket has shut it down: nobody can come any more.
  func loseListener() {
    // It was added, so it can be removed.
    try? poller.remove(claim.listener.number)
    log.warn("the listening socket was shut down: ending in order")
    switchboard.terminate()
  }

  /// What is written on the leash means nothing; its end does.
  func watchLeash() {
    guard let outcome = leash?.readAvailable(into: input.bytes), let number = leash?.number
    else { return }
    switch outcome {
    case .bytes, .wouldBlock: return
    // One that cannot be read would be reported again and again.
    case .end, .failed: break
    }
    // It was added, so it can be removed.
    try? poller.remove(number)
    self.leash = nil
    log.note("the leash has ended: ending in order")
    configuration.command?.hangUp()
    switchboard.terminate()
  }
}
