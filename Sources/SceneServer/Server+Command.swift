import SceneBroker
import ScenePlatform

/// A broker around one command.
extension Server {
  /// The command is told what the broker is told, and decides; its end is the broker's.
  func takeSignals(for command: HostedCommand) throws(SystemError) {
    while let delivery = try signals.nextDelivery() {
      if delivery.signal == .child {
        learnOfEnds()
        command.reap(sparing: programs.children)
      } else if delivery.signal == .terminalStop {
        log.note("TSTP: stopping with \(command.name)")
        command.beginStop(isFromKeyboard: delivery.isFromKeyboard)
      } else if delivery.signal == .continue {
        command.goOn()
      } else if command.end != nil, delivery.signal != .hangup {
        log.note("\(delivery.signal.name): ending at once")
        isEnding = true
      } else if !delivery.isFromKeyboard {
        log.note("\(delivery.signal.name): handed to \(command.name)")
        command.send(delivery.signal)
      }
    }
    if command.hasStoppedByItself {
      log.note("\(command.name) has stopped: stopping with it")
      command.beginStop(isFromKeyboard: false)
    }
    guard let end = command.end, !switchboard.broker.isShuttingDown else { return }
    log.note("\(command.name) \(end): ending in order")
    switchboard.terminate()
  }

  /// A broker that was told to end before its command waits for it; but not one whose leash ended,
  /// which has hung up on the command.
  func outlast(_ command: HostedCommand) throws(ServerError) {
    try remain { command.end == nil && !hasLostLeash }
    try orServerError { () throws(SystemError) in try hangUp(onWhatIsLeftOf: command) }
  }

  /// The broker cannot go on, and the command not without it.
  func hangUp(on command: HostedCommand) {
    guard command.hasStarted else { return }
    command.hangUp()
    // What is already going wrong is what is told.
    try? hangUp(onWhatIsLeftOf: command)
  }

  /// How long what the command left running has for its own end, in nanoseconds.
  private static let farewell: Int64 = 1_000_000_000

  /// What the command has left running is hung up on, as when a terminal is closed. What does not
  /// mind may stay.
  private func hangUp(onWhatIsLeftOf command: HostedCommand) throws(SystemError) {
    let deadline = SystemClock.monotonic() + Self.farewell
    while true {
      command.reap(sparing: programs.children)
      let left = ChildProcess.all
      for process in left { command.hangUp(on: process) }
      let time = deadline - SystemClock.monotonic()
      guard !left.isEmpty, time > 0, try signals.wait(nanoseconds: time) else { return }
      while try signals.next() != nil {}
    }
  }
}
