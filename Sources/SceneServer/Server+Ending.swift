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
      case .hangup:
        if switchboard.manifestSource == nil {
          log.note("HUP: the manifest is the built-in one; nothing to read again")
        } else {
          log.note("HUP: reading the manifest again")
          switchboard.readManifest()
        }
      case .child:
        learnOfEnds()
        reapInherited()
      default: break
      }
    }
  }

  /// Programs that were started have ended.
  func learnOfEnds() {
    for (launch, status) in programs.takeEnds() { switchboard.exited(launch, status) }
  }

  /// A shell that has become this process may have had children, such as one that writes the
  /// manifest.
  func reapInherited() { ChildProcess.reapEnded(sparing: programs.children) }

  /// Nothing that was started stays.
  func endPrograms() {
    programs.endAll { time in
      if (try? signals.wait(nanoseconds: time)) == true { try? takeSignals() }
      return isEnding
    }
  }

  /// How long a disk that hangs may keep the broker when its leash has ended, in nanoseconds.
  private static let patienceWithDisk: Int64 = 5_000_000_000

  var hasLostLeash: Bool { configuration.leashDescriptor != nil && leash?.number == nil }

  /// With nothing left to serve, waits for what has to end before the process may; whoever tells it
  /// something is heard meanwhile.
  func remain(while isAwaited: () -> Bool) throws(ServerError) {
    var events: ContiguousArray<PollEvent> = []
    var deadline: Int64?
    while isAwaited(), !isEnding {
      let now = SystemClock.monotonic()
      if hasLostLeash, deadline == nil { deadline = now + Self.patienceWithDisk }
      if let deadline, now >= deadline {
        log.warn("the disk does not answer: ending without it")
        isEnding = true
        return
      }
      let times = [deadline.map { $0 - now }, configuration.command?.timeToLook]
      try orServerError { () throws(SystemError) in
        try configuration.command?.stopIfDue()
        try poller.wait(nanoseconds: times.compactMap(\.self).min(), into: &events)
        for event in events { try take(whileRemaining: event) }
      }
    }
  }

  private func take(whileRemaining event: PollEvent) throws(SystemError) {
    switch event.token {
    case Source.signals: try takeSignals()
    case Source.leash: watchLeash()
    // Who came before the socket went is told, rather than left to wait.
    case Source.listener: try accept()
    default: journalNews.drain()
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
