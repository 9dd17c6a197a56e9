import SceneBroker
import SceneCommandLine
import ScenePlatform

/// A broker around one command.
extension Server {
  /// Passes signals to the command. The broker ends when the command exits.
  func takeSignals(for command: HostedCommand) throws(SystemError) {
    while let delivery = try signals.nextDelivery() {
      if delivery.signal == .child {
        reapChildren()
        command.reap(sparing: programs.children)
      } else if command.end != nil, delivery.signal != .hangup {
        log.note("\(delivery.signal.name): ending at once")
        isEnding = true
      } else if !delivery.isFromKeyboard {
        log.note("\(delivery.signal.name): passed to \(command.name)")
        command.send(delivery.signal)
      }
    }
    guard let end = command.end, !eventLoop.broker.isShuttingDown else { return }
    log.note("\(command.name) \(end): ending cleanly")
    eventLoop.terminate()
  }

  /// Waits for the end of the command, unless the end of `--leash-fd` ended the broker: then the
  /// command got SIGHUP.
  func waitForCommand(_ command: HostedCommand) throws(ProgramError) {
    try pollEvents { command.end == nil && !hasLostLifetime }
    try serverCall { () throws(SystemError) in try sendHangup(toProcessesLeftBy: command) }
  }

  /// The broker has failed, and the command cannot run without it.
  func end(_ command: HostedCommand) {
    guard command.hasStarted else { return }
    command.sendHangup()
    // The caller reports the first error.
    try? sendHangup(toProcessesLeftBy: command)
  }

  /// Nanoseconds that the processes left by the command have for their own end.
  private static let hangupTimeout: Int64 = 1_000_000_000

  /// Sends SIGHUP to the processes that the command left running. Processes that ignore SIGHUP keep
  /// running.
  private func sendHangup(toProcessesLeftBy command: HostedCommand) throws(SystemError) {
    let deadline = SystemClock.monotonic() + Self.hangupTimeout
    while true {
      command.reap(sparing: programs.children)
      let left = ChildProcess.all
      for process in left { command.sendHangup(to: process) }
      let time = deadline - SystemClock.monotonic()
      guard !left.isEmpty, time > 0, try signals.wait(nanoseconds: time) else { return }
      while try signals.next() != nil {}
    }
  }
}
