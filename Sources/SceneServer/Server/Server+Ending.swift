import SceneBroker
import SceneCommandLine
import ScenePlatform

/// Signals, and the end of the broker.
extension Server {
  func takeSignals() throws(SystemError) {
    if let command = configuration.command { return try takeSignals(for: command) }
    while let signal = try signals.next() {
      switch signal {
      case .terminate, .interrupt:
        if eventLoop.broker.isShuttingDown {
          log.note("\(signal.name) again: ending at once")
          isEnding = true
        } else {
          log.note("\(signal.name): ending cleanly; send \(signal.name) again to end at once")
          eventLoop.terminate()
        }
      case .hangup:
        bindAgain()
        if configuration.manifestSource == nil {
          log.note("HUP: no manifest to read again; scened was started without --manifest")
        } else {
          log.note("HUP: reading the manifest again")
          eventLoop.readManifest()
        }
      case .child:
        reapChildren()
        reapInherited()
      default: break
      }
    }
  }

  /// Tells the event loop which launched programs have ended.
  func reapChildren() {
    for (launch, status) in programs.takeExits() { eventLoop.exited(launch, status) }
  }

  /// Reaps children of the shell that replaced itself by this process, such as one that writes the
  /// manifest.
  func reapInherited() {
    var children = programs.children
    if let upgradeCheck { children.insert(upgradeCheck.child) }
    ChildProcess.reapEnded(sparing: children)
  }

  /// Ends all launched programs.
  func endPrograms() {
    programs.endAll { time in
      if (try? signals.wait(nanoseconds: time)) == true { try? takeSignals() }
      return isEnding
    }
  }

  /// Nanoseconds that the broker waits for a disk that hangs, after the end of `--leash-fd`.
  private static let diskTimeout: Int64 = 5_000_000_000

  var hasLostLifetime: Bool { configuration.lifetimeDescriptor != nil && lifetime?.number == nil }

  /// Handles signals after the last connection has closed, while `isAwaited` is true.
  func pollEvents(while isAwaited: () -> Bool) throws(ProgramError) {
    var events: ContiguousArray<PollEvent> = []
    var deadline: Int64?
    while isAwaited(), !isEnding {
      let now = SystemClock.monotonic()
      if hasLostLifetime, deadline == nil { deadline = now + Self.diskTimeout }
      if let deadline, now >= deadline {
        log.warn("the disk does not respond: ending without its last writes")
        isEnding = true
        return
      }
      try serverCall { () throws(SystemError) in
        try poller.wait(nanoseconds: deadline.map { $0 - now }, into: &events)
        for event in events { try take(whileEnding: event) }
      }
    }
  }

  private func take(whileEnding event: PollEvent) throws(SystemError) {
    switch event.token {
    case Source.signals: try takeSignals()
    case Source.lifetime: readLifetime()
    // A client that connected before the socket was removed is rejected.
    case Source.listener: try accept()
    default: journalWakeup.drain()
    }
  }

  /// The process that opened the listening socket has shut it down: no client can connect.
  func loseListener() {
    // The call cannot fail: the poller has this descriptor.
    try? poller.remove(listeningSocket.listener.number)
    log.warn("the listening socket was shut down: ending cleanly")
    eventLoop.terminate()
  }

  /// Ends in order at the end of the descriptor of `--leash-fd`. Bytes on it have no meaning.
  func readLifetime() {
    guard let outcome = lifetime?.readAvailable(into: input.bytes), let number = lifetime?.number
    else { return }
    switch outcome {
    case .bytes, .wouldBlock: return
    // The poller would report an unreadable descriptor again and again.
    case .end, .failed: break
    }
    // The call cannot fail: the poller has this descriptor.
    try? poller.remove(number)
    self.lifetime = nil
    log.note("the descriptor of --leash-fd reached its end: ending cleanly")
    configuration.command?.sendHangup()
    eventLoop.terminate()
  }
}
