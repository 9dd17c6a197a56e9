import CommandLine
import SceneControl
import SceneModel

/// What every client is told.
extension Command {
  static var memoryWarning: Command {
    Command(
      "memory-warning", "Tell every client that memory is short.",
      details: """
        Then the scenes in the background are disconnected, but for those that an assertion keeps \
        there.
        """,
      options: [.timeout()],
      examples: ["scenectl memory-warning": "Returns when they are unattached."])
  }

  static var timeChange: Command {
    Command(
      "time-change", "Tell every client that it is another day, or that the clock was set.",
      options: [.timeout()],
      examples: ["scenectl time-change": "As midnight does on a device."])
  }
}

extension Errand {
  /// Sends what needs no words, and returns when it is done.
  func tell(_ message: some RequestMessage) throws(Failure) -> ExitCode {
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(message), until: deadline)
    }
    if printsJSON { console.print(json) }
    return .yes
  }
}
